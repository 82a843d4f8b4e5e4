package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import liquibase.Contexts;
import liquibase.Liquibase;
import liquibase.Scope;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.diff.DiffResult;
import liquibase.diff.compare.CompareControl;
import liquibase.diff.output.DiffOutputControl;
import liquibase.diff.output.changelog.DiffToChangeLog;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.DirectoryResourceAccessor;
import liquibase.resource.ResourceAccessor;
import liquibase.ui.LoggerUIService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Liquibase writes in gpDB's way; and a schema, generated as a change log, made again. */
class LiquibaseChangesTest {
  private static final String URL = "jdbc:gpdb:mem:LiquibaseChangesTest";

  @TempDir private Path folder;

  private static Database database(Connection connection) throws Exception {
    return DatabaseFactory.getInstance()
        .findCorrectDatabaseImplementation(new JdbcConnection(connection));
  }

  private static void update(String file, ResourceAccessor files, Database database)
      throws Exception {
    new Liquibase(file, files, database).update(new Contexts());
  }

  @Test
  void aGeneratedChangeLogMakesTheSameSchema() throws Exception {
    System.setProperty("liquibase.analytics.enabled", "false");
    try (Connection connection = DriverManager.getConnection(URL);
        Connection other = DriverManager.getConnection(URL + "2")) {
      Scope.child(Scope.Attr.ui, new LoggerUIService(), () -> run(connection, other));
    }
  }

  @SuppressWarnings("try") // its close() says that it may be interrupted
  private void run(Connection connection, Connection other) throws Exception {
    Database first = database(connection);
    update("liquibase/more.xml", new ClassLoaderResourceAccessor(), first);
    assertThat(ClientTest.rows(URL, "SELECT code, name FROM cities ORDER BY code"))
        .containsExactly("O|Oslo", "R|Roma");
    assertThat(ClientTest.rows(URL, "SELECT id, town FROM trip")).containsExactly("5|O");
    assertThat(
            ClientTest.rows(
                URL,
                "SELECT column_name, data_type, datetime_precision FROM information_schema.columns"
                    + " WHERE table_name = 'TOWN' AND column_name IN ('MARK', 'SEEN', 'MADE')"
                    + " ORDER BY column_name"))
        .containsExactly("MADE|TIMESTAMP|3", "MARK|UUID|null", "SEEN|TIMESTAMP WITH TIME ZONE|6");
    Database second = database(other);
    Files.writeString(folder.resolve("made.xml"), generated(first, second));
    try (DirectoryResourceAccessor files = new DirectoryResourceAccessor(folder)) {
      update("made.xml", files, second);
    }
    assertThat(generated(first, second)).doesNotContain("changeSet");
    assertThat(
            ClientTest.rows(
                URL + "2",
                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'"
                    + " AND table_name NOT LIKE 'DATABASE%' ORDER BY 1"))
        .containsExactly("CITIES", "TOWN", "TRIP");
  }

  /** The changes that make the second database what the first one is. */
  private static String generated(Database first, Database second) throws Exception {
    DiffResult difference =
        new Liquibase("", new ClassLoaderResourceAccessor(), first)
            .diff(first, second, new CompareControl());
    java.io.ByteArrayOutputStream text = new java.io.ByteArrayOutputStream();
    new DiffToChangeLog(difference, new DiffOutputControl(false, false, false, null))
        .print(new PrintStream(text, false, StandardCharsets.UTF_8));
    return text.toString(StandardCharsets.UTF_8);
  }
}
