package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.TxnOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database killed after its home image was made and before the first commit of its catalog. */
class UnbornDatabaseTest {
  private static final String TABLES =
      "SELECT table_name FROM information_schema.tables" + " WHERE table_schema = 'PUBLIC'";

  @TempDir private Path folder;

  private Path killed(boolean withLog) throws IOException {
    Path path = folder.resolve("db");
    try (StorageDirectory directory = FileDirectory.open(path, true);
        Device device = new EmulatedDevice(EmulatedOptions.standard())) {
      TransactionManager.open(directory, device, TxnOptions.standard()).abandon();
    }
    if (!withLog) {
      for (Path file : files(path)) {
        if (!file.endsWith("home.gpdb") && !file.endsWith("gpdb.lock")) {
          Files.delete(file);
        }
      }
    }
    assertThat(files(path)).contains(path.resolve("home.gpdb"));
    return path;
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itsCheckFindsNoProblem(boolean withLog) throws SQLException, IOException {
    assertThat(DatabaseCheck.run(killed(withLog))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoReadsItFindsNoTables(boolean withLog) throws SQLException, IOException {
    Path path = killed(withLog);
    List<Path> before = files(path);
    try (Connection connection =
        DriverManager.getConnection("jdbc:gpdb:" + path + ";readonly=true")) {
      assertThat(TestDatabase.rows(connection, TABLES)).isEmpty();
      assertThat(TestDatabase.rows(connection, "SELECT 1 + 1")).containsExactly("2");
      assertThat(connection.unwrap(GpdbConnection.class).check()).isEmpty();
      assertThatThrownBy(() -> TestDatabase.rows(connection, "SELECT a FROM t"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42S02"));
      assertThatThrownBy(() -> TestDatabase.execute(connection, "CREATE TABLE t (a INTEGER)"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25006"));
    }
    assertThat(files(path)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itIsThereForWhoForbidsTheMakingOfOne(boolean withLog) throws SQLException, IOException {
    String url = "jdbc:gpdb:" + killed(withLog) + ";create=false";
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(TestDatabase.rows(connection, TABLES)).isEmpty();
      TestDatabase.execute(connection, "CREATE TABLE t (a INTEGER)");
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(TestDatabase.rows(connection, TABLES)).containsExactly("T");
    }
  }
}
