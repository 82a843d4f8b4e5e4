package io.gpdb.tools;

import liquibase.database.Database;
import liquibase.statement.core.RenameTableStatement;
import liquibase.structure.core.Table;

/** Renames a table. */
public final class LiquibaseRenamedTables extends LiquibaseSql<RenameTableStatement> {
  @Override
  String sql(RenameTableStatement change, Database database) {
    return "ALTER TABLE "
        + database.escapeTableName(
            change.getCatalogName(), change.getSchemaName(), change.getOldTableName())
        + " RENAME TO "
        + database.escapeObjectName(change.getNewTableName(), Table.class);
  }
}
