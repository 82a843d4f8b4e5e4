package io.gpdb.tools;

import liquibase.database.Database;
import liquibase.sql.Sql;
import liquibase.sql.UnparsedSql;
import liquibase.sqlgenerator.SqlGeneratorChain;
import liquibase.statement.core.AddAutoIncrementStatement;
import liquibase.structure.core.Column;

/** Makes a column an identity column, which has no NULLs. */
public final class LiquibaseIdentities extends LiquibaseSql<AddAutoIncrementStatement> {
  @Override
  public Sql[] generateSql(
      AddAutoIncrementStatement change,
      Database database,
      SqlGeneratorChain<AddAutoIncrementStatement> chain) {
    return new Sql[] {
      new UnparsedSql(column(change, database) + " SET NOT NULL"),
      new UnparsedSql(sql(change, database))
    };
  }

  @Override
  String sql(AddAutoIncrementStatement change, Database database) {
    return column(change, database)
        + " ADD "
        + database.getAutoIncrementClause(
            change.getStartWith(), change.getIncrementBy(), change.getGenerationType(), null);
  }

  private static String column(AddAutoIncrementStatement change, Database database) {
    return "ALTER TABLE "
        + database.escapeTableName(
            change.getCatalogName(), change.getSchemaName(), change.getTableName())
        + " ALTER COLUMN "
        + database.escapeObjectName(change.getColumnName(), Column.class);
  }
}
