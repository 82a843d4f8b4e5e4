package io.gpdb.tools;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.flywaydb.core.internal.database.base.Schema;
import org.flywaydb.core.internal.jdbc.JdbcTemplate;

/** A schema as Flyway makes, fills and cleans it. */
final class FlywaySchema extends Schema<FlywayDatabase, FlywayTable> {
  FlywaySchema(JdbcTemplate template, FlywayDatabase database, String name) {
    super(template, database, name);
  }

  private DatabaseMetaData metaData() throws SQLException {
    return jdbcTemplate.getConnection().getMetaData();
  }

  /** The name where a pattern is asked for. */
  private static String exactly(DatabaseMetaData metaData, String name) throws SQLException {
    String escape = metaData.getSearchStringEscape();
    return name.replace("_", escape + "_").replace("%", escape + "%");
  }

  @Override
  protected boolean doExists() throws SQLException {
    try (ResultSet found = metaData().getSchemas(null, exactly(metaData(), name))) {
      return found.next();
    }
  }

  @Override
  protected boolean doEmpty() throws SQLException {
    return named("TABLE").isEmpty() && named("VIEW").isEmpty() && sequences().isEmpty();
  }

  @Override
  protected void doCreate() throws SQLException {
    jdbcTemplate.execute("CREATE SCHEMA " + database.quote(name));
  }

  @Override
  protected void doDrop() throws SQLException {
    doClean();
    jdbcTemplate.execute("DROP SCHEMA " + database.quote(name));
  }

  @Override
  protected void doClean() throws SQLException {
    for (String view : named("VIEW")) {
      jdbcTemplate.execute("DROP VIEW IF EXISTS " + database.quote(name, view) + " CASCADE");
    }
    for (String table : named("TABLE")) {
      jdbcTemplate.execute("DROP TABLE IF EXISTS " + database.quote(name, table) + " CASCADE");
    }
    for (String sequence : sequences()) {
      jdbcTemplate.execute("DROP SEQUENCE IF EXISTS " + database.quote(name, sequence));
    }
  }

  private List<String> named(String type) throws SQLException {
    List<String> names = new ArrayList<>();
    DatabaseMetaData metaData = metaData();
    try (ResultSet found =
        metaData.getTables(null, exactly(metaData, name), "%", new String[] {type})) {
      while (found.next()) {
        names.add(found.getString("TABLE_NAME"));
      }
    }
    return names;
  }

  private List<String> sequences() throws SQLException {
    return jdbcTemplate.queryForStringList(
        "SELECT SEQUENCE_NAME FROM INFORMATION_SCHEMA.SEQUENCES WHERE SEQUENCE_SCHEMA = ?", name);
  }

  @Override
  protected FlywayTable[] doAllTables() throws SQLException {
    return named("TABLE").stream().map(this::getTable).toArray(FlywayTable[]::new);
  }

  @Override
  public FlywayTable getTable(String table) {
    return new FlywayTable(jdbcTemplate, database, this, table);
  }
}
