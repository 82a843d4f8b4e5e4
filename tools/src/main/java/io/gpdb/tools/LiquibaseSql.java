package io.gpdb.tools;

import liquibase.database.Database;
import liquibase.exception.ValidationErrors;
import liquibase.sql.Sql;
import liquibase.sql.UnparsedSql;
import liquibase.sqlgenerator.SqlGenerator;
import liquibase.sqlgenerator.SqlGeneratorChain;
import liquibase.sqlgenerator.core.AbstractSqlGenerator;
import liquibase.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** The SQL of a change of Liquibase which other databases write in another way. */
abstract class LiquibaseSql<T extends SqlStatement> extends AbstractSqlGenerator<T> {
  /** The statement. */
  abstract String sql(T change, Database database);

  @Override
  public int getPriority() {
    return SqlGenerator.PRIORITY_DATABASE;
  }

  @Override
  public boolean supports(T change, Database database) {
    return database instanceof GpdbLiquibaseDatabase;
  }

  @Override
  public ValidationErrors validate(T change, Database database, SqlGeneratorChain<T> chain) {
    return new ValidationErrors();
  }

  @Override
  public Sql[] generateSql(T change, Database database, SqlGeneratorChain<T> chain) {
    return new Sql[] {new UnparsedSql(sql(change, database))};
  }

  /** A text of SQL, or NULL where there is none. */
  static String literal(@Nullable String text) {
    return text == null || text.isEmpty() ? "NULL" : "'" + text.replace("'", "''") + "'";
  }
}
