package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQL writes into no database's directory, follows no link, and keeps to its file_access. */
final class FileAccessTest {
  @TempDir private Path temp;
  private Path database;
  private Path inside;
  private Path outside;

  @BeforeEach
  void make() throws IOException, SQLException {
    temp = temp.toRealPath();
    database = temp.resolve("db");
    inside = Files.createDirectory(temp.resolve("inside"));
    outside = Files.createDirectory(temp.resolve("outside"));
    Files.writeString(outside.resolve("in.csv"), "7\n");
    Files.writeString(inside.resolve("in.csv"), "8\n");
    try (Connection connection = open("")) {
      TestDatabase.execute(connection, "CREATE TABLE t (a INTEGER)");
      TestDatabase.execute(connection, "INSERT INTO t VALUES (1), (2)");
    }
  }

  private Connection open(String options) throws SQLException {
    return DriverManager.getConnection("jdbc:gpdb:" + database + options);
  }

  private static String copyTo(Path file) {
    return "COPY t TO '" + file + "' (FORMAT CSV)";
  }

  private static String copyFrom(Path file) {
    return "COPY t FROM '" + file + "' (FORMAT CSV)";
  }

  private static void refused(Connection connection, String state, String sql) {
    assertThatThrownBy(() -> TestDatabase.execute(connection, sql))
        .as(sql)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).as("%s", e).isEqualTo(state));
  }

  private List<String> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void nothingIsWrittenIntoADatabasesDirectory() throws Exception {
    Path other = temp.resolve("other");
    DriverManager.getConnection("jdbc:gpdb:" + other).close();
    Path link = Files.createSymbolicLink(temp.resolve("link"), database);
    Files.createSymbolicLink(temp.resolve("turn"), Files.createDirectory(database.resolve("sub")));
    byte[] homeOfOther = Files.readAllBytes(other.resolve("home.gpdb"));
    Path hard = Files.createLink(outside.resolve("hard.csv"), other.resolve("home.gpdb"));
    try (Connection connection = open("")) {
      List<String> before = files(database);
      for (Path file :
          List.of(
              database.resolve("home.gpdb"),
              database.resolve("new.csv"),
              other.resolve("home.gpdb"),
              other.resolve("gpdb.lock"),
              link.resolve("new.csv"),
              link.resolve("sub/new.csv"),
              temp.resolve("turn/../new.csv"),
              inside.resolve("../db/new.csv"),
              inside.resolve("home.gpdb"),
              inside.resolve("gpdb.lock"))) {
        refused(connection, "42501", copyTo(file));
      }
      refused(connection, "08001", "BACKUP TO '" + link.resolve("backup") + "'");
      refused(connection, "08001", "BACKUP TO '" + temp.resolve("turn/backup") + "'");
      refused(connection, "08001", "BACKUP TO '" + temp.resolve("turn/../backup") + "'");
      refused(connection, "58P02", "BACKUP TO '" + other + "'");
      TestDatabase.execute(connection, copyTo(hard));
      assertThat(files(database)).isEqualTo(before);
      assertThat(Files.readAllBytes(other.resolve("home.gpdb"))).isEqualTo(homeOfOther);
      assertThat(hard).hasContent("1\n2\n");
      assertThat(TestDatabase.rows(connection, "SELECT count(*) FROM t")).containsExactly("2");
    }
  }

  @Test
  void aLinkIsReplacedAndNotFollowed() throws Exception {
    Path victim = Files.writeString(outside.resolve("victim"), "kept");
    Path link = Files.createSymbolicLink(inside.resolve("out.csv"), victim);
    String part = ".out.csv." + ProcessHandle.current().pid() + "-";
    for (int i = 0; i < 200; i++) {
      Files.createSymbolicLink(inside.resolve(part + i + ".part"), victim);
    }
    try (Connection connection = open("")) {
      TestDatabase.execute(connection, copyTo(link));
      refused(connection, "58P02", copyTo(Path.of("/dev/null")));
    }
    assertThat(victim).hasContent("kept");
    assertThat(Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
    assertThat(link).hasContent("1\n2\n");
    assertThat(files(inside)).hasSize(202);
  }

  @Test
  void lockAndProbeFollowNoLink() throws Exception {
    Path victim = Files.writeString(outside.resolve("victim"), "kept");
    Files.createSymbolicLink(database.resolve("gpdb.probe"), victim);
    open("").close();
    assertThat(victim).hasContent("kept");
    Files.delete(database.resolve("gpdb.lock"));
    Files.createSymbolicLink(database.resolve("gpdb.lock"), victim);
    assertThatThrownBy(() -> open("")).isInstanceOf(SQLException.class);
    Files.delete(database.resolve("gpdb.lock"));
    Files.createLink(database.resolve("gpdb.lock"), victim);
    assertThatThrownBy(() -> open("")).isInstanceOf(SQLException.class);
    assertThat(victim).hasContent("kept");
  }

  @Test
  void filesAndDirectoriesAreTheirOwnersAlone() throws Exception {
    try (Connection connection = open("")) {
      TestDatabase.execute(connection, copyTo(inside.resolve("out.csv")));
      TestDatabase.execute(connection, "BACKUP TO '" + temp.resolve("backup") + "'");
    }
    for (Path directory : List.of(database, temp.resolve("backup"))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
          .isEqualTo("rwx------");
      for (String file : files(directory)) {
        assertThat(
                PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(directory.resolve(file))))
            .as(file)
            .isEqualTo("rw-------");
      }
    }
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(inside.resolve("out.csv"))))
        .isEqualTo("rw-------");
  }

  @Test
  void withoutFileAccessNoStatementReadsOrWritesFiles() throws Exception {
    try (Connection connection = open(";file_access=none")) {
      refused(connection, "42501", copyTo(inside.resolve("out.csv")));
      refused(connection, "42501", copyFrom(inside.resolve("in.csv")));
      refused(connection, "42501", copyFrom(inside.resolve("missing.csv")));
      refused(connection, "42501", "BACKUP TO '" + temp.resolve("backup") + "'");
      refused(connection, "42501", "SET file_access = 'all'");
      refused(connection, "42501", "SET file_access = '" + inside + "'");
      TestDatabase.execute(connection, "SET file_access = none");
      assertThat(TestDatabase.rows(connection, "SHOW file_access")).containsExactly("none");
    }
    assertThat(files(inside)).containsExactly("in.csv");
  }

  @Test
  void aDirectoryHoldsWhatIsBelowItAfterLinks() throws Exception {
    Files.createSymbolicLink(inside.resolve("away"), outside);
    Files.createSymbolicLink(inside.resolve("away.csv"), outside.resolve("in.csv"));
    Files.createSymbolicLink(temp.resolve("home"), inside);
    try (Connection connection = open(";file_access=" + temp.resolve("home"))) {
      TestDatabase.execute(connection, copyTo(inside.resolve("out.csv")));
      TestDatabase.execute(connection, copyFrom(temp.resolve("home/in.csv")));
      TestDatabase.execute(connection, "BACKUP TO '" + inside.resolve("backup") + "'");
      for (Path file :
          List.of(
              outside.resolve("in.csv"),
              inside.resolve("away/in.csv"),
              inside.resolve("away.csv"),
              inside.resolve("../outside/in.csv"),
              inside)) {
        refused(connection, "42501", copyFrom(file));
        refused(connection, "42501", copyTo(file));
      }
      refused(connection, "42501", "BACKUP TO '" + inside.resolve("away/backup") + "'");
      refused(connection, "42501", "SET file_access = '" + temp + "'");
      refused(connection, "22023", "SET file_access = '" + temp.resolve("missing") + "'");
      TestDatabase.execute(connection, "SET file_access = '" + inside.resolve("backup") + "'");
      refused(connection, "42501", copyFrom(inside.resolve("in.csv")));
      refused(connection, "42501", "SET file_access = '" + inside + "'");
      TestDatabase.execute(connection, "SET file_access = none");
      assertThat(TestDatabase.rows(connection, "SELECT count(*) FROM t")).containsExactly("3");
    }
    assertThat(files(outside)).containsExactly("in.csv");
    assertThatThrownBy(() -> open(";file_access=/no/such/directory"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08001"));
  }

  @Test
  void whoeverOnlyReadsWritesNoFiles() throws Exception {
    try (Connection connection = open(";readonly=true")) {
      refused(connection, "25006", copyTo(inside.resolve("out.csv")));
      refused(connection, "25006", "BACKUP TO '" + temp.resolve("backup") + "'");
    }
    try (Connection connection = open("")) {
      connection.setReadOnly(true);
      refused(connection, "25006", copyTo(inside.resolve("out.csv")));
    }
    assertThat(files(inside)).containsExactly("in.csv");
  }
}
