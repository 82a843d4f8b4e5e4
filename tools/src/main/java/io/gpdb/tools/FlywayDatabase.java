package io.gpdb.tools;

import java.sql.Connection;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.internal.database.base.Database;
import org.flywaydb.core.internal.database.base.Table;
import org.flywaydb.core.internal.jdbc.JdbcConnectionFactory;
import org.flywaydb.core.internal.jdbc.StatementInterceptor;

/** What Flyway knows of a database: its history table, and that its definitions roll back. */
final class FlywayDatabase extends Database<FlywayConnection> {
  FlywayDatabase(
      Configuration configuration, JdbcConnectionFactory factory, StatementInterceptor listener) {
    super(configuration, factory, listener);
  }

  @Override
  protected FlywayConnection doGetConnection(Connection connection) {
    return new FlywayConnection(this, connection);
  }

  /** Every version of gpDB has what Flyway needs. */
  @Override
  public void ensureSupported(Configuration asked) {}

  @Override
  public boolean supportsDdlTransactions() {
    return true;
  }

  @Override
  public String getBooleanTrue() {
    return "TRUE";
  }

  @Override
  public String getBooleanFalse() {
    return "FALSE";
  }

  @Override
  public boolean catalogIsSchema() {
    return false;
  }

  @Override
  public String getRawCreateScript(@SuppressWarnings("rawtypes") Table table, boolean baseline) {
    String create =
        "CREATE TABLE "
            + table
            + " (\"installed_rank\" INTEGER NOT NULL,"
            + " \"version\" VARCHAR(50),"
            + " \"description\" VARCHAR(200) NOT NULL,"
            + " \"type\" VARCHAR(20) NOT NULL,"
            + " \"script\" VARCHAR(1000) NOT NULL,"
            + " \"checksum\" INTEGER,"
            + " \"installed_by\" VARCHAR(100) NOT NULL,"
            + " \"installed_on\" TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL,"
            + " \"execution_time\" INTEGER NOT NULL,"
            + " \"success\" BOOLEAN NOT NULL,"
            + " CONSTRAINT \""
            + table.getName()
            + "_pk\" PRIMARY KEY (\"installed_rank\"));\n";
    return baseline ? create + getBaselineStatement(table) + ";\n" : create;
  }
}
