package io.gpdb.tools;

import java.sql.SQLException;
import org.flywaydb.core.internal.database.base.Table;
import org.flywaydb.core.internal.jdbc.JdbcTemplate;

/** A table as Flyway uses it: its history, and those that it cleans. */
final class FlywayTable extends Table<FlywayDatabase, FlywaySchema> {
  FlywayTable(JdbcTemplate template, FlywayDatabase database, FlywaySchema schema, String name) {
    super(template, database, schema, name);
  }

  @Override
  protected boolean doExists() throws SQLException {
    return exists(null, schema, name, "TABLE");
  }

  /**
   * Writes the newest row of the history as it is, so that a second Flyway that does so in the same
   * moment fails with a conflict, instead of applying a migration twice.
   */
  @Override
  protected void doLock() throws SQLException {
    jdbcTemplate.execute(
        "UPDATE "
            + this
            + " SET \"success\" = \"success\" WHERE \"installed_rank\" ="
            + " (SELECT max(\"installed_rank\") FROM "
            + this
            + ")");
  }

  @Override
  protected void doDrop() throws SQLException {
    jdbcTemplate.execute("DROP TABLE " + this + " CASCADE");
  }
}
