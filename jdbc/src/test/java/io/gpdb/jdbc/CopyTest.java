package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyTest {
  @TempDir private Path folder;
  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(10), price DECIMAL(6, 2),"
                + " at TIMESTAMP, ok BOOLEAN DEFAULT TRUE)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private static final String ALL = "SELECT * FROM t ORDER BY id";

  private Path file(String name, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Files.write(folder.resolve(name), name.endsWith(".gz") ? gzip(bytes) : bytes);
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private long copy(String sql) throws SQLException {
    try (Statement statement = database.connection().createStatement()) {
      return statement.executeLargeUpdate(sql);
    }
  }

  private static String from(Path file, String options) {
    return "COPY t FROM '" + file + "' (FORMAT CSV" + options + ")";
  }

  @Test
  void columnsComeByPositionWithoutAHeader() throws Exception {
    Path file = file("a.csv", "1,one,1.5,2001-01-01 00:01:00,false\n2,,,,\n");
    assertThat(copy(from(file, ""))).isEqualTo(2);
    assertThat(database.rows(ALL))
        .containsExactly("1|one|1.50|2001-01-01 00:01:00|FALSE", "2|null|null|null|null");
  }

  @Test
  void aHeaderNamesColumnsInAnyOrderAndMayLeaveSomeToTheirDefault() throws Exception {
    Path file = file("a.csv", "Name,ID\r\n\"a,\"\"b\"\"\",1\r\n\"\",2\r\n,3\r\n");
    assertThat(copy(from(file, ", HEADER"))).isEqualTo(3);
    assertThat(database.rows(ALL))
        .containsExactly("1|a,\"b\"|null|null|TRUE", "2||null|null|TRUE", "3|null|null|null|TRUE");
  }

  @Test
  void aColumnListNamesWhatTheFileHolds() throws Exception {
    Path file = file("a.csv", "2,two\n");
    copy("COPY t (id, name) FROM '" + file + "' (FORMAT CSV)");
    assertThat(database.rows("SELECT id, name, ok FROM t")).containsExactly("2|two|TRUE");
  }

  @Test
  void delimiterAndNullTextAreChosen() throws Exception {
    Path file = file("a.txt", "1;-;2,5\n".replace("2,5", "2.5") + "2;\"-\";-\n");
    copy("COPY t (id, name, price) FROM '" + file + "' (FORMAT CSV, DELIMITER ';', NULL '-')");
    assertThat(database.rows("SELECT id, name, price FROM t ORDER BY id"))
        .containsExactly("1|null|2.50", "2|-|null");
  }

  @Test
  void gzipGoesByTheEndingOfTheName() throws Exception {
    Path file = file("a.csv.gz", "1,\"two\nlines\",,,\n\n");
    assertThat(copy(from(file, ""))).isEqualTo(1);
    assertThat(database.rows("SELECT name FROM t")).containsExactly("two\nlines");
  }

  @Test
  void aBadLineIsNamedAndNothingOfTheFileIsKept() throws Exception {
    database.execute("INSERT INTO t (id) VALUES (1000000)");
    String good = "%d,n,1,2001-01-01 00:00:00,true\n";
    StringBuilder text = new StringBuilder("id,name,price,at,ok\n");
    for (int i = 0; i < 70_000; i++) {
      text.append(String.format(good, i));
    }
    assertRefused(text + "70000,x,1,2001-02-30,t\n", "22007", "line 70002, column 4 (AT)");
    assertRefused(text + "70000,x,12345.00,,\n", "22003", "line 70002, column 3 (PRICE)");
    assertRefused(text + "70000,x\n", "22P04", "line 70002: 2 fields where 5 belong");
    assertRefused(text + "seven,x,,,\n", "22018", "line 70002, column 1 (ID): 'seven'");
    assertRefused(text + ",x,,,\n", "23502", "line 70002, column 1 (ID)");
    assertRefused(text + "5,x,,,\n", "23505", "line 70002");
    assertRefused(text + "70000,\"open,,,\n", "22P04", "line 70002, column 2 (NAME)");
    assertRefused(text + "70000,much too long,,,\n", "22001", "line 70002, column 2 (NAME)");
    assertRefused("id,colour\n1,red\n", "42S22", "line 1, column 2");
    assertRefused("id,Id\n1,1\n", "22P04", "line 1, column 2");
    assertRefused("", "22P04", "empty");
    assertRefused("name\nx\n", "23502", "ID");
    assertThat(copy(from(file("good.csv", text.toString()), ", HEADER"))).isEqualTo(70_000);
  }

  private void assertRefused(String text, String state, String message) throws Exception {
    for (String name : List.of("bad.csv", "bad.csv.gz")) {
      Path file = file(name, text);
      assertThatThrownBy(() -> copy(from(file, ", HEADER")))
          .hasMessageContaining(message)
          .hasMessageContaining(file.toString())
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
      assertThat(database.rows("SELECT count(*) FROM t")).containsExactly("1");
    }
  }

  @Test
  void aTruncatedOrForeignGzipFileIsAnError() throws Exception {
    byte[] whole = gzip("1,one,,,\n".repeat(50_000).getBytes(StandardCharsets.UTF_8));
    Path cut = Files.write(folder.resolve("cut.csv.gz"), Arrays.copyOf(whole, whole.length / 2));
    assertThatThrownBy(() -> copy("COPY t (name) FROM '" + cut + "' (FORMAT CSV)"))
        .isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> copy(from(cut, ""))).isInstanceOf(SQLException.class);
    Path foreign = Files.writeString(folder.resolve("plain.csv.gz"), "1,one,,,\n");
    assertThatThrownBy(() -> copy(from(foreign, ""))).hasMessageContaining("gzip");
    assertThatThrownBy(() -> copy(from(folder, ""))).hasMessageContaining("directory");
    assertThat(database.rows(ALL)).isEmpty();
  }

  @Test
  void inATransactionAFailedCopyUndoesOnlyItself() throws Exception {
    database.execute("BEGIN");
    database.execute("INSERT INTO t (id) VALUES (1)");
    Path file = file("a.csv", "2,,,,\n1,,,,\n");
    assertThatThrownBy(() -> copy(from(file, ""))).hasMessageContaining("line 2");
    assertThat(copy(from(file("b.csv", "3,,,,\n"), ""))).isEqualTo(1);
    database.execute("COMMIT");
    assertThat(database.rows("SELECT id FROM t ORDER BY id")).containsExactly("1", "3");
  }

  @Test
  void whatIsWrittenReadsBackTheSame() throws Exception {
    database.execute(
        "INSERT INTO t VALUES (1, 'a,b', 1.50, TIMESTAMP '2001-01-01 00:00:00.25', TRUE),"
            + " (2, '', NULL, NULL, FALSE), (3, NULL, -0.01, NULL, NULL), (4, '\"q\"', 0, NULL, NULL),"
            + " (5, 'x\ny', 0, NULL, NULL), (6, 'größer', 0, NULL, NULL)");
    List<String> before = database.rows(ALL);
    for (String name : List.of("out.csv", "out.csv.gz")) {
      Path file = folder.resolve(name);
      assertThat(copy("COPY t TO '" + file + "' (FORMAT CSV, HEADER)")).isEqualTo(6);
      database.execute("DELETE FROM t");
      assertThat(copy(from(file, ", HEADER"))).isEqualTo(6);
      assertThat(database.rows(ALL)).isEqualTo(before);
    }
    assertThat(Files.readString(folder.resolve("out.csv")))
        .startsWith(
            "ID,NAME,PRICE,AT,OK\n1,\"a,b\",1.50,2001-01-01 00:00:00.25,TRUE\n2,\"\",,,FALSE");
    Path query = folder.resolve("q.csv");
    assertThat(
            copy(
                "COPY (SELECT id * 2 AS twice FROM t WHERE id < 3 ORDER BY id) TO '" + query + "'"))
        .isEqualTo(2);
    assertThat(query).hasContent("2\n4");
  }

  @Test
  void aFailedExportLeavesNoFile() throws Exception {
    database.execute("INSERT INTO t (id) VALUES (0), (1)");
    Path file = Files.writeString(folder.resolve("kept.csv"), "before");
    assertThatThrownBy(() -> copy("COPY (SELECT 1 / id FROM t) TO '" + file + "' (FORMAT CSV)"))
        .isInstanceOf(SQLException.class);
    assertThat(file).hasContent("before");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
    Path nowhere = folder.resolve("no/where.csv");
    assertThatThrownBy(() -> copy("COPY t TO '" + nowhere + "' (FORMAT CSV)"))
        .hasMessageContaining(nowhere.toString());
  }

  @Test
  void progressIsToldAndCancelStopsACopy() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 400_000; i++) {
      text.append(i).append(",name,1.00,2001-01-01 00:00:00,t\n");
    }
    Path file = file("big.csv", text.toString());
    List<Long> seen = new ArrayList<>();
    GpdbConnection connection = database.connection().unwrap(GpdbConnection.class);
    try (Statement statement = connection.createStatement()) {
      connection.onCopyProgress(
          (rows, done, total) -> {
            seen.add(rows);
            try {
              statement.cancel();
            } catch (SQLException e) {
              throw new AssertionError(e);
            }
          });
      assertThatThrownBy(() -> statement.execute(from(file, "")))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
    }
    assertThat(seen).hasSize(1);
    assertThat(database.rows("SELECT count(*) FROM t")).containsExactly("0");
  }

  @Test
  void whatIsWrittenOfAViewCanBeReadAgain() throws Exception {
    database.execute(
        "CREATE TABLE g (a INTEGER, twice INTEGER GENERATED ALWAYS AS (a * 2), b VARCHAR(9))");
    database.execute("CREATE VIEW v (x, y, z) AS SELECT b, twice, a FROM g WHERE a < 5");
    database.execute("CREATE VIEW w AS SELECT z, y + 1 AS more FROM v");
    database.execute("INSERT INTO g (a, b) VALUES (1, 'one'), (2, NULL), (7, 'seven')");
    List<String> shown = database.rows("SELECT * FROM v ORDER BY z");
    for (String options : List.of("(HEADER)", "")) {
      Path file = folder.resolve("v.csv");
      assertThat(copy("COPY v TO '" + file + "' " + options)).isEqualTo(2);
      assertThat(Files.readString(file)).endsWith("one,1\n,2\n");
      database.execute("DELETE FROM v");
      assertThat(copy("COPY v FROM '" + file + "' " + options)).isEqualTo(2);
      assertThat(database.rows("SELECT * FROM v ORDER BY z")).isEqualTo(shown);
    }
    Path file = folder.resolve("w.csv"); // of no table's rows: all that it shows
    assertThat(copy("COPY w TO '" + file + "'")).isEqualTo(2);
    assertThat(Files.readString(file)).isEqualTo("1,3\n2,5\n");
  }
}
