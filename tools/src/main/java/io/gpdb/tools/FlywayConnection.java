package io.gpdb.tools;

import java.sql.Connection;
import java.sql.SQLException;

/** A connection as Flyway uses it. */
final class FlywayConnection
    extends org.flywaydb.core.internal.database.base.Connection<FlywayDatabase> {
  FlywayConnection(FlywayDatabase database, Connection connection) {
    super(database, connection);
  }

  @Override
  protected String getCurrentSchemaNameOrSearchPath() throws SQLException {
    String schema = getJdbcConnection().getSchema();
    return schema == null ? GpdbProduct.DEFAULT_SCHEMA : schema;
  }

  @Override
  protected void doChangeCurrentSchemaOrSearchPathTo(String schema) throws SQLException {
    getJdbcConnection().setSchema(schema);
  }

  @Override
  public FlywaySchema getSchema(String name) {
    return new FlywaySchema(getJdbcTemplate(), database, name);
  }
}
