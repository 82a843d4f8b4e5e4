package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.analysis.RenamedInView;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.List;

/** The views that read a table or view which a statement makes, alters or renames. */
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

  /**
   * Runs what renames a table or view, and writes the new name into the queries that name it.
   * Throws 2BP01 where a query cannot be written so.
   */
  static void rename(
      Execution x, InnerStatements statements, ObjectName from, ObjectName to, Runnable change) {
    CatalogSnapshot before = x.catalog();
    List<ViewDef> readers = before.readersOf(from);
    List<ViewDef> valid = readers.stream().filter(view -> statements.isValid(x, view)).toList();
    List<ViewDef> renamed =
        readers.stream().map(view -> RenamedInView.of(view, from, to, before)).toList();
    change.run();
    renamed.forEach(view -> x.catalogs().views().redefine(x.transaction(), view));
    for (ViewDef view : renamed) {
      boolean wasValid = valid.stream().anyMatch(old -> old.fullName().equals(view.fullName()));
      if (wasValid
          && !(statements.isValid(x, view) && statements.described(x, view).equals(view))) {
        throw new GpdbException(
            SqlCondition.OBJECT_IN_USE,
            "view "
                + view.fullName()
                + " reads "
                + from
                + " in a way that does not allow to RENAME it; drop the view first");
      }
    }
    describe(x, statements, to);
  }
}
