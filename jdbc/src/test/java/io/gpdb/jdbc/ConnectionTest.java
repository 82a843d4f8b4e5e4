package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Properties;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionTest {
  @TempDir private Path folder;

  @Test
  void theDriverIsFoundAsAService() throws SQLException {
    assertThat(ServiceLoader.load(Driver.class).stream().map(ServiceLoader.Provider::type))
        .contains(GpdbDriver.class);
    Driver driver = DriverManager.getDriver("jdbc:gpdb:mem:");
    assertThat(driver.acceptsURL("jdbc:h2:mem:")).isFalse();
    assertThat(driver.connect("jdbc:h2:mem:", new Properties())).isNull();
    assertThat(driver.getPropertyInfo("jdbc:gpdb:mem:;protocol=undo", null))
        .extracting((DriverPropertyInfo p) -> p.name + "=" + p.value)
        .contains("protocol=undo", "log=null");
  }

  @Test
  void aMissingDirectoryIsMadeUnlessTheUrlForbidsIt() throws SQLException {
    Path path = folder.resolve("db");
    String url = "jdbc:gpdb:" + path;
    assertThatThrownBy(() -> DriverManager.getConnection(url + ";create=false"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(path.toString());
    assertThat(path).doesNotExist();
    DriverManager.getConnection(url).close();
    assertThat(path).isDirectory();
    DriverManager.getConnection(url + ";create=false").close();
  }

  @Test
  void connectionsToOnePathShareOneDatabase() throws Exception {
    Path real = Files.createDirectory(folder.resolve("real"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    Connection first = DriverManager.getConnection("jdbc:gpdb:" + real);
    Connection second = DriverManager.getConnection("jdbc:gpdb:" + link + "/../link/.");
    TestDatabase.execute(first, "CREATE TABLE t (a INTEGER)");
    TestDatabase.execute(second, "INSERT INTO t VALUES (1)");
    first.close();
    assertThat(TestDatabase.rows(second, "SELECT a FROM t")).containsExactly("1");
    second.close();
    try (Connection again = DriverManager.getConnection("jdbc:gpdb:" + real)) {
      assertThat(TestDatabase.rows(again, "SELECT a FROM t")).containsExactly("1");
    }
  }

  @Test
  void aNamedMemoryDatabaseLivesAsLongAsItsConnections() throws SQLException {
    String url = "jdbc:gpdb:mem:lives";
    try (Connection first = DriverManager.getConnection(url);
        Connection second = DriverManager.getConnection(url);
        Connection other = DriverManager.getConnection("jdbc:gpdb:mem:")) {
      TestDatabase.execute(first, "CREATE TABLE t (a INTEGER)");
      assertThat(TestDatabase.rows(second, "SELECT a FROM t")).isEmpty();
      assertThatThrownBy(() -> TestDatabase.rows(other, "SELECT a FROM t"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42S02"));
    }
    try (Connection later = DriverManager.getConnection(url)) {
      TestDatabase.execute(later, "CREATE TABLE t (a INTEGER)");
    }
  }

  @Test
  void wrongUrlsAreRefusedWithTheWordThatIsWrong() {
    assertRefused("jdbc:gpdb:", "names no database");
    assertRefused("jdbc:gpdb:mem:x;prtocol=undo", "prtocol");
    assertRefused(
        "jdbc:gpdb:mem:x;protocol=redoo",
        "auto, redo, undo, versioned, checksummed, cap-fs, cap-mm");
    assertRefused("jdbc:gpdb:mem:x;readonly=maybe", "maybe");
    assertRefused("jdbc:gpdb:mem:x;workers=0", "workers=0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "protocol=foo",
        "log=foo",
        "readonly=maybe",
        "create=maybe",
        "checkpoint_bytes=0",
        "commits_in_flight=none",
        "commits_in_flight=65",
        "auto_vacuum=maybe",
        "memory_limit=x",
        "host_rows=-1",
        "executor=foo",
        "workers=0",
        "workers=2147483648"
      })
  void aWrongOptionLeavesNothingBehind(String option) {
    assertRefused("jdbc:gpdb:" + folder.resolve("db") + ";" + option, option);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aWrongOptionIsRefusedOnASecondConnectionToo() throws SQLException {
    try (Connection first = DriverManager.getConnection("jdbc:gpdb:mem:second")) {
      assertRefused("jdbc:gpdb:mem:second;workers=0", "workers=0");
      assertThat(first.isValid(0)).isTrue();
    }
  }

  @Test
  void whatIsNoPathIsSaid() {
    assertRefused("jdbc:gpdb:a\0b", "is not a path");
  }

  private static void assertRefused(String url, String message) {
    assertThatThrownBy(() -> DriverManager.getConnection(url))
        .isInstanceOf(SQLNonTransientConnectionException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aPlainFileAndAForeignFolderAreNoDatabases() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "text");
    assertThatThrownBy(() -> DriverManager.getConnection("jdbc:gpdb:" + file))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(file.toString());
    Path foreign = Files.createDirectory(folder.resolve("foreign"));
    Files.writeString(foreign.resolve("letter.txt"), "text");
    assertThatThrownBy(() -> DriverManager.getConnection("jdbc:gpdb:" + foreign))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(foreign.toString());
    assertThat(foreign).isDirectoryContaining("glob:**letter.txt");
  }

  @Test
  void aSecondConnectionMayNotAskForAnotherProtocol() throws SQLException {
    String url = "jdbc:gpdb:mem:same";
    try (Connection first = DriverManager.getConnection(url + ";protocol=undo")) {
      assertThat(first.isValid(0)).isTrue();
      DriverManager.getConnection(url).close();
      assertThatThrownBy(() -> DriverManager.getConnection(url + ";protocol=redo"))
          .hasMessageContaining("other options");
    }
  }

  @Test
  void aReadOnlyConnectionChangesNothing() throws SQLException {
    String url = "jdbc:gpdb:" + folder.resolve("ro");
    try (Connection connection = DriverManager.getConnection(url)) {
      TestDatabase.execute(connection, "CREATE TABLE t (a INTEGER)");
      TestDatabase.execute(connection, "CREATE SEQUENCE s");
      connection.setReadOnly(true);
      assertChangeRefused(connection);
      connection.setReadOnly(false);
      TestDatabase.execute(connection, "INSERT INTO t VALUES (1)");
      assertThat(TestDatabase.rows(connection, "SELECT NEXT VALUE FOR s")).containsExactly("1");
    }
    try (Connection connection = DriverManager.getConnection(url + ";readonly=true")) {
      assertThat(connection.isReadOnly()).isTrue();
      assertChangeRefused(connection);
      assertThatThrownBy(() -> connection.setReadOnly(false)).hasMessageContaining("read only");
      assertThat(TestDatabase.rows(connection, "SELECT a FROM t")).containsExactly("1");
    }
  }

  private static void assertChangeRefused(Connection connection) {
    for (String sql : new String[] {"INSERT INTO t VALUES (7)", "SELECT NEXT VALUE FOR s"}) {
      assertThatThrownBy(() -> TestDatabase.rows(connection, sql))
          .as(sql)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25006"));
    }
  }

  @Test
  void aClosedConnectionSaysSo() throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:");
    connection.close();
    connection.close();
    assertThat(connection.isClosed()).isTrue();
    assertThat(connection.isValid(1)).isFalse();
    assertThatThrownBy(connection::createStatement)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08003"));
  }

  @Test
  void abortRollsBackAndCloses() throws SQLException {
    try (TestDatabase database = new TestDatabase("CREATE TABLE t (a INTEGER)")) {
      Connection connection = database.another();
      connection.setAutoCommit(false);
      TestDatabase.execute(connection, "INSERT INTO t VALUES (1)");
      connection.abort(Runnable::run);
      assertThat(connection.isClosed()).isTrue();
      assertThat(database.rows("SELECT a FROM t")).isEmpty();
    }
  }

  @Test
  void poolsGetWhatTheyAskFor() throws SQLException {
    try (Connection connection = new GpdbDataSource("jdbc:gpdb:mem:").getConnection("a", "b")) {
      connection.setNetworkTimeout(Runnable::run, 250);
      assertThat(connection.getNetworkTimeout()).isEqualTo(250);
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      assertThat(connection.getTransactionIsolation())
          .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
      connection.setSchema("public");
      assertThat(connection.getSchema()).isEqualTo("PUBLIC");
      connection.setCatalog("ignored");
      assertThat(connection.getCatalog()).isNull();
      connection.setClientInfo("ApplicationName", "test");
      assertThat(connection.getClientInfo("ApplicationName")).isEqualTo("test");
      connection.setClientInfo("Colour", "blue");
      assertThat(connection.getWarnings().getMessage()).contains("Colour");
      connection.clearWarnings();
      assertThat((Object) connection.getWarnings()).isNull();
      assertThat(connection.unwrap(GpdbConnection.class)).isSameAs(connection);
      assertThat(connection.isWrapperFor(String.class)).isFalse();
    }
  }
}
