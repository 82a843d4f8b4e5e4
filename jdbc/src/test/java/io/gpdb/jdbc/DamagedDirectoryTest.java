package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that were cut, deleted, or are another's: one clear error each, and nothing made worse. */
class DamagedDirectoryTest {
  private static final long SUM = 3000L * 2999 / 2 + 3000;
  private static final List<String> STATES = List.of("XX001", "08001", "58P01", "58030");

  @TempDir Path temp;
  private int copies;

  /** The files of a database as a kill leaves them, with commits in the log. */
  private Map<String, byte[]> killed(String protocol) throws SQLException, IOException {
    return killed(protocol, 1);
  }

  private Map<String, byte[]> killed(String protocol, int updates)
      throws SQLException, IOException {
    Path db = temp.resolve("db-" + protocol);
    try (Connection connection =
            DriverManager.getConnection("jdbc:gpdb:" + db + ";protocol=" + protocol);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INT PRIMARY KEY, v BIGINT)");
      StringBuilder rows = new StringBuilder("INSERT INTO t VALUES (0, 0)");
      for (int i = 1; i < 3000; i++) {
        rows.append(", (").append(i).append(", ").append(i).append(')');
      }
      statement.execute(rows.toString());
      statement.execute("CHECKPOINT");
      for (int i = 0; i < updates; i++) {
        statement.execute("UPDATE t SET v = v + 1");
      }
      return files(db);
    }
  }

  private static Map<String, byte[]> files(Path dir) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(dir)) {
      for (Path file : all.toList()) {
        files.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }
    files.put("gpdb.lock", new byte[0]);
    return files;
  }

  private Path copy(Map<String, byte[]> files) throws IOException {
    Path dir = Files.createDirectory(temp.resolve("copy" + copies++));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.write(dir.resolve(file.getKey()), file.getValue());
    }
    return dir;
  }

  /** The right answer, or one clear error that leaves the files as they are. */
  private static boolean isRefused(Path db, String what) throws IOException {
    Map<String, byte[]> before = files(db);
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + db + ";create=false");
        Statement statement = connection.createStatement();
        ResultSet sum = statement.executeQuery("SELECT sum(v) FROM t")) {
      sum.next();
      assertThat(sum.getLong(1)).as(what).isEqualTo(SUM);
      return false;
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as(what + ": " + e.getMessage()).isIn(STATES);
      Map<String, byte[]> after = files(db);
      assertThat(after.keySet()).as(what).isEqualTo(before.keySet());
      before.forEach((name, bytes) -> assertThat(after.get(name)).as(what).isEqualTo(bytes));
      return true;
    }
  }

  @Test
  void aKilledDatabaseIsWhole() throws SQLException, IOException {
    for (String protocol : List.of("redo", "undo")) {
      assertThat(isRefused(copy(killed(protocol)), protocol)).isFalse();
    }
  }

  @Test
  void aFileThatIsMissingIsSaidExceptTheLock() throws SQLException, IOException {
    Map<String, byte[]> whole = killed("redo");
    List<String> refused = new ArrayList<>();
    for (String name : whole.keySet()) {
      Map<String, byte[]> rest = new TreeMap<>(whole);
      rest.remove(name);
      if (isRefused(copy(rest), "without " + name)) {
        refused.add(name);
      }
    }
    assertThat(refused).contains("home.gpdb").anyMatch(n -> n.startsWith("wal-"));
    assertThat(refused).doesNotContain("gpdb.lock");
  }

  @Test
  void aFileThatIsCutIsSaid() throws SQLException, IOException {
    Map<String, byte[]> whole = killed("redo");
    for (String name : whole.keySet()) {
      int size = whole.get(name).length;
      for (int cut : new int[] {0, 100, 4096, 8192, size / 2, size - 4096}) {
        if (cut < size && cut >= 0) {
          Map<String, byte[]> files = new TreeMap<>(whole);
          files.put(name, Arrays.copyOf(whole.get(name), cut));
          String what = name + " cut to " + cut + " of " + size;
          assertThat(isRefused(copy(files), what)).as(what).isIn(true, name.startsWith("undo"));
        }
      }
    }
  }

  @Test
  void aFileThatIsOneByteLongerIsWhole() throws SQLException, IOException {
    for (String protocol : List.of("redo", "undo")) {
      Map<String, byte[]> whole = killed(protocol);
      for (String name : whole.keySet()) {
        Map<String, byte[]> files = new TreeMap<>(whole);
        files.put(name, Arrays.copyOf(whole.get(name), whole.get(name).length + 1));
        Path db = copy(files);
        assertThat(isRefused(db, name + " and a byte")).isFalse();
        goOn(db, protocol);
      }
    }
  }

  private static void goOn(Path db, String protocol) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:gpdb:" + db + ";protocol=" + protocol);
        Statement statement = connection.createStatement()) {
      for (int from = 3000; from < 48_000; from *= 2) {
        statement.execute("INSERT INTO t SELECT id + " + from + ", v FROM t");
      }
      statement.execute("CHECKPOINT");
      statement.execute("UPDATE t SET v = v + 1");
    }
    assertThat(DatabaseCheck.run(db)).isEmpty();
  }

  @Test
  void theNewestOfTwoLogFilesIsNeverTakenForUnused() throws SQLException, IOException {
    Map<String, byte[]> whole = killed("redo", 35);
    List<String> logs = whole.keySet().stream().filter(n -> n.startsWith("wal-")).toList();
    assertThat(logs).hasSize(2);
    String newest = logs.getLast();
    int size = whole.get(newest).length;
    for (int cut : new int[] {0, 1, 512, 4095, 4096, size / 2, size - 1}) {
      Map<String, byte[]> files = new TreeMap<>(whole);
      files.put(newest, Arrays.copyOf(whole.get(newest), cut));
      assertThat(isRefused(copy(files), newest + " cut to " + cut)).isTrue();
    }
    Map<String, byte[]> files = new TreeMap<>(whole);
    files.put(newest, new byte[size]);
    assertThat(isRefused(copy(files), newest + " of zeros")).isTrue();
  }

  @Test
  void aFileOfSomethingElseIsSaid() throws SQLException, IOException {
    Map<String, byte[]> whole = killed("redo");
    for (String name : whole.keySet()) {
      if (!name.equals("gpdb.lock") && !name.startsWith("undo")) {
        Map<String, byte[]> files = new TreeMap<>(whole);
        byte[] other = new byte[whole.get(name).length];
        Arrays.fill(other, (byte) 'x');
        files.put(name, other);
        assertThat(isRefused(copy(files), "foreign " + name)).isTrue();
      }
    }
  }

  @Test
  void aFileThatIsCutWhileItIsOpenIsAnErrorAndNoCrash() throws SQLException, IOException {
    Path db = copy(killed("redo"));
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + db + ";readonly=true");
        Statement statement = connection.createStatement()) {
      try (FileChannel home = FileChannel.open(db.resolve("home.gpdb"), StandardOpenOption.WRITE)) {
        home.truncate(8192);
      }
      assertThatThrownBy(() -> statement.executeQuery("SELECT sum(id) FROM t"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("58030"));
    }
  }

  @Test
  void aPathThatIsAFileIsSaid() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "mine");
    for (String options : List.of("", ";readonly=true", ";create=false")) {
      assertThatThrownBy(() -> DriverManager.getConnection("jdbc:gpdb:" + file + options).close())
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08001"));
    }
    assertThat(file).hasContent("mine");
  }
}
