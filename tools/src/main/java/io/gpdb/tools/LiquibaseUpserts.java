package io.gpdb.tools;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import liquibase.database.Database;
import liquibase.exception.LiquibaseException;
import liquibase.exception.UnexpectedLiquibaseException;
import liquibase.sql.Sql;
import liquibase.sql.UnparsedSql;
import liquibase.sqlgenerator.SqlGenerator;
import liquibase.sqlgenerator.SqlGeneratorChain;
import liquibase.sqlgenerator.core.InsertOrUpdateGenerator;
import liquibase.statement.core.InsertOrUpdateStatement;
import liquibase.structure.core.Column;

/** Inserts a row, or updates the one with its key. */
@SuppressWarnings("rawtypes") // of the class that is extended
public final class LiquibaseUpserts extends InsertOrUpdateGenerator {
  @Override
  public int getPriority() {
    return SqlGenerator.PRIORITY_DATABASE;
  }

  @Override
  public boolean supports(InsertOrUpdateStatement change, Database database) {
    return database instanceof GpdbLiquibaseDatabase;
  }

  @Override
  public Sql[] generateSql(
      InsertOrUpdateStatement change, Database database, SqlGeneratorChain chain) {
    return new Sql[] {new UnparsedSql(sql(change, database, chain), getAffectedTable(change))};
  }

  private String sql(InsertOrUpdateStatement change, Database database, SqlGeneratorChain chain) {
    if (Boolean.TRUE.equals(change.getOnlyUpdate())) {
      try {
        return getUpdateStatement(change, database, getWhereClause(change, database), chain);
      } catch (LiquibaseException e) {
        throw new UnexpectedLiquibaseException(e);
      }
    }
    List<String> key =
        Arrays.asList(change.getPrimaryKey().toUpperCase(Locale.ROOT).split(",\\s*"));
    String insert = getInsertStatement(change, database, chain).strip();
    if (insert.endsWith(";")) {
      insert = insert.substring(0, insert.length() - 1);
    }
    String assignments =
        change.getColumnValues().keySet().stream()
            .filter(column -> !key.contains(column.toUpperCase(Locale.ROOT)))
            .filter(change::getAllowColumnUpdate)
            .map(column -> database.escapeObjectName(column, Column.class))
            .map(column -> column + " = EXCLUDED." + column)
            .collect(Collectors.joining(", "));
    return insert
        + " ON CONFLICT ("
        + change.getPrimaryKey()
        + ") DO "
        + (assignments.isEmpty() ? "NOTHING" : "UPDATE SET " + assignments);
  }

  @Override
  protected String getRecordCheck(InsertOrUpdateStatement change, Database database, String where) {
    return "";
  }

  @Override
  protected String getElse(Database database) {
    return "";
  }
}
