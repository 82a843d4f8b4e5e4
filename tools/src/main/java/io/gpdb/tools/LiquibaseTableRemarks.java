package io.gpdb.tools;

import liquibase.database.Database;
import liquibase.statement.core.SetTableRemarksStatement;

/** Sets the comment of a table. */
public final class LiquibaseTableRemarks extends LiquibaseSql<SetTableRemarksStatement> {
  @Override
  String sql(SetTableRemarksStatement change, Database database) {
    return "COMMENT ON TABLE "
        + database.escapeTableName(
            change.getCatalogName(), change.getSchemaName(), change.getTableName())
        + " IS "
        + literal(change.getRemarks());
  }
}
