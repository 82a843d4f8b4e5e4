package io.gpdb.tools;

import liquibase.database.Database;
import liquibase.statement.core.RenameViewStatement;
import liquibase.structure.core.View;

/** Renames a view. */
public final class LiquibaseRenamedViews extends LiquibaseSql<RenameViewStatement> {
  @Override
  String sql(RenameViewStatement change, Database database) {
    return "ALTER VIEW "
        + database.escapeViewName(
            change.getCatalogName(), change.getSchemaName(), change.getOldViewName())
        + " RENAME TO "
        + database.escapeObjectName(change.getNewViewName(), View.class);
  }
}
