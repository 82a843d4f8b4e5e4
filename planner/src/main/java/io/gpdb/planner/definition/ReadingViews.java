package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.catalog.ObjectName;
import io.gpdb.sql.catalog.ViewDef;
import java.util.List;

/** The views that read a table or view which a statement makes or alters. */
final class ReadingViews {
  private ReadingViews() {}

  /**
   * Stores the columns that the views' queries have now; of a view that is invalid those it had.
   */
  static void describe(Execution x, InnerStatements statements, ObjectName name) {
    for (ViewDef view : List.copyOf(x.catalog().allReadersOf(name))) {
      ViewDef described = statements.described(x, view);
      if (!described.equals(view)) {
        x.catalogs().views().redefine(x.transaction(), described);
      }
    }
  }
}
