package io.gpdb.tools;

import liquibase.database.Database;
import liquibase.statement.core.SetColumnRemarksStatement;
import liquibase.structure.core.Column;

/** Sets the comment of a column. */
public final class LiquibaseColumnRemarks extends LiquibaseSql<SetColumnRemarksStatement> {
  @Override
  String sql(SetColumnRemarksStatement change, Database database) {
    return "COMMENT ON COLUMN "
        + database.escapeTableName(
            change.getCatalogName(), change.getSchemaName(), change.getTableName())
        + "."
        + database.escapeObjectName(change.getColumnName(), Column.class)
        + " IS "
        + literal(change.getRemarks());
  }
}
