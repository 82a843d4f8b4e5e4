package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.output.MigrateResult;
import org.flywaydb.core.api.output.ValidateResult;

/** Flyway 13: the plugin is found by its service. */
class FlywayTest extends ClientTest {
  private static Flyway flyway(String url, String... locations) {
    return Flyway.configure()
        .dataSource(url, null, null)
        .locations(locations)
        .cleanDisabled(false)
        .load();
  }

  @Override
  void run(String url) throws Exception {
    Flyway flyway = flyway(url, "classpath:db/migration");
    MigrateResult first = flyway.migrate();
    assertThat(first.success).isTrue();
    assertThat(first.migrationsExecuted).isEqualTo(3);
    assertThat(flyway.migrate().migrationsExecuted).isZero();
    ValidateResult valid = flyway.validateWithResult();
    assertThat(valid.validationSuccessful).isTrue();
    assertThat(rows(url, "SELECT * FROM titles ORDER BY 1"))
        .containsExactly("Miles|Kind of Blue", "Nina|Pastel Blues");
    assertThat(rows(url, "SELECT note FROM artist ORDER BY id"))
        .containsExactly("none; yet", "it's; done");
    assertThat(rows(url, "SELECT \"version\", \"success\" FROM \"flyway_schema_history\""))
        .contains("1|TRUE", "2|TRUE", "null|TRUE");
    aFailedMigrationLeavesNothing(url);
    aProcedureIsOneStatement(url);
    flyway.clean();
    assertThat(
            rows(
                url,
                "SELECT table_name FROM information_schema.tables"
                    + " WHERE table_schema = 'PUBLIC'"))
        .isEmpty();
    assertThat(flyway.migrate().migrationsExecuted).isEqualTo(3);
  }

  private static void aProcedureIsOneStatement(String url) throws Exception {
    Path folder = Files.createTempDirectory("migrations");
    Path script = folder.resolve("V3__procedure.sql");
    try {
      Files.writeString(
          script,
          "CREATE PROCEDURE rename (n INTEGER) BEGIN ATOMIC\n"
              + "  UPDATE artist SET note = CASE WHEN n > 0 THEN 'a;b' END WHERE id = n;\n"
              + "  UPDATE artist SET note = note || '!' WHERE id = n;\nEND;\n"
              + "CALL rename(1);\nCREATE TABLE extra (id INTEGER);\n");
      Flyway three = flyway(url, "classpath:db/migration", "filesystem:" + folder);
      assertThat(three.migrate().migrationsExecuted).isOne();
      assertThat(rows(url, "SELECT note FROM artist WHERE id = 1")).containsExactly("a;b!");
      Files.writeString(script, "-- changed");
      assertThat(three.validateWithResult().validationSuccessful).isFalse();
      three.repair();
      assertThat(three.validateWithResult().validationSuccessful).isTrue();
    } finally {
      Files.delete(script);
      Files.delete(folder);
    }
  }

  private static void aFailedMigrationLeavesNothing(String url) throws Exception {
    Path folder = Files.createTempDirectory("migrations");
    Path script = folder.resolve("V3__fails.sql");
    try {
      Files.writeString(
          script, "CREATE TABLE extra (id INTEGER);\nINSERT INTO album VALUES (1, 1, 'again');\n");
      Flyway failing = flyway(url, "classpath:db/migration", "filesystem:" + folder);
      assertThatThrownBy(failing::migrate)
          .isInstanceOf(FlywayException.class)
          .hasMessageContaining("23505");
    } finally {
      Files.delete(script);
      Files.delete(folder);
    }
    assertThat(
            rows(
                url,
                "SELECT count(*) FROM information_schema.tables" + " WHERE table_name = 'EXTRA'"))
        .containsExactly("0");
  }
}
