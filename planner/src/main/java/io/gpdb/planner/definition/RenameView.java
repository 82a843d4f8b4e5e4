package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;

/** ALTER VIEW … RENAME TO: views that read the view get its new name in their queries. */
public final class RenameView implements Change {
  private final Analyzed.RenameView rename;
  private final InnerStatements statements;

  public RenameView(Analyzed.RenameView rename, InnerStatements statements) {
    this.rename = rename;
    this.statements = statements;
  }

  @Override
  public long apply(Execution x) {
    CatalogSnapshot catalog = x.catalog();
    ViewDef view = catalog.view(rename.name());
    if (view == null) {
      if (rename.ifExists() && catalog.table(rename.name()) == null) {
        return 0;
      }
      throw catalog.table(rename.name()) == null
          ? new GpdbException(
              ErrorCode.TABLE_NOT_FOUND, "view " + rename.name() + " does not exist")
          : new GpdbException(
              SqlCondition.WRONG_KIND_OF_OBJECT,
              rename.name() + " is a table; ALTER TABLE renames it");
    }
    ObjectName to = new ObjectName(view.schema(), rename.to());
    if (to.equals(rename.name())) {
      return 0;
    }
    if (catalog.table(to) != null || catalog.view(to) != null) {
      throw new GpdbException(
          ErrorCode.TABLE_EXISTS, "a table or view named " + to + " exists already");
    }
    ReadingViews.rename(
        x,
        statements,
        rename.name(),
        to,
        () -> x.catalogs().views().rename(x.transaction(), view, rename.to()));
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of("rename view " + rename.name() + " [catalog]");
  }
}
