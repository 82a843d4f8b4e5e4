package io.gpdb.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShellTest {
  @TempDir private Path folder;

  private record Run(int status, String out, String err) {}

  private static Run gpdb(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = GpdbCommand.run(new PrintWriter(out), new PrintWriter(err, true), arguments);
    return new Run(status, out.toString(), err.toString());
  }

  /** The shell on a database in memory, one -c for each text. */
  private static Run shell(String... texts) {
    List<String> arguments = new ArrayList<>(List.of("shell"));
    for (String text : texts) {
      arguments.addAll(List.of("-c", text));
    }
    return gpdb(arguments.toArray(String[]::new));
  }

  private static final String TABLE =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(10), price DECIMAL(6,2), ok BOOLEAN);"
          + "INSERT INTO t VALUES (1, 'one', 1.5, TRUE), (20, NULL, NULL, FALSE),"
          + " (300, 'a,\"b\"', 1000, NULL), (4, '', 0, NULL)";

  @Test
  void resultsAreAlignedWithNumbersToTheRight() {
    Run run = shell(TABLE, "SELECT * FROM t ORDER BY id");
    assertThat(run.err).isEmpty();
    assertThat(run.status).isZero();
    assertThat(run.out)
        .contains(
            "  ID | NAME  |   PRICE | OK\n"
                + "-----+-------+---------+-------\n"
                + "   1 | one   |    1.50 | TRUE\n"
                + "   4 |       |    0.00 | NULL\n"
                + "  20 | NULL  |    NULL | FALSE\n"
                + " 300 | a,\"b\" | 1000.00 | NULL\n"
                + "(4 rows)\n");
  }

  @Test
  void aReadOnlyShellReadsAndWritesNothing() throws IOException {
    String place = folder.resolve("ro").toString();
    assertThat(gpdb("shell", place, "-c", TABLE).status).isZero();
    List<Path> before = files(Path.of(place));
    Run select =
        gpdb("shell", "--read-only", place, "--format", "csv", "-c", "SELECT count(*) AS n FROM t");
    assertThat(select.out).isEqualTo("N\n4\n");
    for (String change :
        List.of("DELETE FROM t", "CREATE TABLE u (a INT)", "VACUUM", "CHECKPOINT")) {
      Run refused = gpdb("shell", "--read-only", place, "-c", change);
      assertThat(refused.status).isEqualTo(1);
      assertThat(refused.err).as(change).startsWith("error 25006: ").hasLineCount(1);
    }
    assertThat(files(Path.of(place))).isEqualTo(before);
    assertThat(gpdb("shell", "--read-only", folder.resolve("none").toString()).err)
        .startsWith("error 58P01: no database at");
    assertThat(gpdb("shell", "--read-only").err)
        .isEqualTo("error: --read-only wants the PATH of a database\n");
  }

  @Test
  void aDirectoryWithoutWritePermissionIsReadAndNotWritten() throws IOException {
    Path place = folder.resolve("locked");
    assertThat(gpdb("shell", place.toString(), "-c", TABLE).status).isZero();
    Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      Assumptions.assumeFalse(Files.isWritable(place), "the superuser may do everything");
      Run refused = gpdb("shell", place.toString(), "-c", "SELECT 1");
      assertThat(refused.err).contains("no permission", "reading only").hasLineCount(1);
      Run read = gpdb("shell", "--read-only", place.toString(), "-c", "SELECT sum(id) AS s FROM t");
      assertThat(read.err).isEmpty();
      assertThat(read.out).contains("325");
      assertThat(gpdb("check", place.toString()).out).contains("no problem found");
    } finally {
      Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  @Test
  void csvAndJsonAreForPrograms() {
    String select = "SELECT id, name, price, ok FROM t ORDER BY id";
    Run csv = shell(TABLE, ".format csv\n" + select);
    assertThat(csv.out)
        .endsWith(
            "ID,NAME,PRICE,OK\n1,one,1.50,TRUE\n4,\"\",0.00,\n20,,,FALSE\n"
                + "300,\"a,\"\"b\"\"\",1000.00,\n");
    Run json = shell(TABLE, ".format json\n" + select, "SELECT 1 AS a FROM t WHERE id = 0");
    assertThat(json.out)
        .endsWith(
            "[\n{\"ID\":1,\"NAME\":\"one\",\"PRICE\":1.50,\"OK\":true},\n"
                + "{\"ID\":4,\"NAME\":\"\",\"PRICE\":0.00,\"OK\":null},\n"
                + "{\"ID\":20,\"NAME\":null,\"PRICE\":null,\"OK\":false},\n"
                + "{\"ID\":300,\"NAME\":\"a,\\\"b\\\"\",\"PRICE\":1000.00,\"OK\":null}\n]\n[]\n");
  }

  @Test
  void theFirstErrorEndsAScriptWithOneLineAndStatusOne() {
    Run run = shell(TABLE, "INSERT INTO t VALUES (1, 'x', 0, NULL); SELECT 42", "SELECT 43");
    assertThat(run.status).isEqualTo(1);
    assertThat(run.err).startsWith("error 23505: ").hasLineCount(1);
    assertThat(run.out).doesNotContain("42").doesNotContain("43");
    assertThat(shell("SELECT 'open").err)
        .isEqualTo("error: syntax error: a string is not closed at the end of the input\n");
    assertThat(shell(".nothing").err).startsWith("error: there is no command .nothing");
    assertThat(gpdb("shell", "-f", folder + "/none.sql").err).startsWith("error: there is no file");
  }

  @Test
  void filesAreRunAndMayReadOthers() throws IOException {
    Path inner = Files.writeString(folder.resolve("inner.sql"), "INSERT INTO f VALUES (1), (2);");
    Path outer =
        Files.writeString(
            folder.resolve("outer.sql"),
            "CREATE TABLE f (a INTEGER);\n.read " + inner + "\nSELECT sum(a) AS s FROM f;\n");
    Run run = gpdb("shell", "--format", "csv", "-f", outer.toString());
    assertThat(run.err).isEmpty();
    assertThat(run.out).isEqualTo("S\n3\n");
    Files.writeString(inner, ".read " + inner);
    assertThat(gpdb("shell", "-f", inner.toString()).err).contains("nested");
  }

  @Test
  void tablesAndTheirDefinitionsAreShown() {
    Run run =
        shell(
            "CREATE TABLE a (x INTEGER, y VARCHAR(5) DEFAULT 'no' NOT NULL, \"date\" TIMESTAMP,"
                + " d DECIMAL(5, 1), CONSTRAINT a_pk PRIMARY KEY (x), CONSTRAINT a_y UNIQUE (y));"
                + "CREATE TABLE b (z DOUBLE)",
            ".tables\n.schema a");
    assertThat(run.err).isEmpty();
    assertThat(run.out).contains("A\nB\nCREATE TABLE A (\n  X INTEGER NOT NULL,\n");
    assertThat(run.out).contains("\"date\" TIMESTAMP", "D DECIMAL(5, 1)", "DEFAULT 'no' NOT NULL");
    assertThat(run.out).contains("CONSTRAINT A_PK PRIMARY KEY (X)", "CONSTRAINT A_Y UNIQUE (Y)");
    String definition = run.out.substring(run.out.indexOf("CREATE TABLE A"));
    assertThat(shell(definition, ".schema A").out).endsWith(definition);
    String view = "CREATE VIEW V (X, \"day of\") AS\nSELECT x, \"date\" FROM a;\n";
    run = shell(definition, view, ".tables", ".schema v", ".export v " + folder.resolve("v.csv"));
    assertThat(run.err).isEmpty();
    assertThat(run.out).contains("A\nV\n" + view).contains("(0 rows written to ");
    assertThat(shell(".schema nothing").err).isEqualTo("error: there is no table NOTHING\n");
  }

  private Path gzip(String name, String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return Files.write(folder.resolve(name), bytes.toByteArray());
  }

  @Test
  void importMakesTheTableFromHeaderAndSample() throws IOException {
    Path file =
        gzip(
            "f.csv.gz",
            "date,delay,big,share,iata,zip,flag,day,free text\n"
                + "2001-01-01 00:01:00,33,3000000000,0.5,LAS,00501,true,2001-01-01,\"a, b\"\n"
                + "2001-01-01 00:02:00,-7,1,12,00M,10001,false,2001-01-02,\n");
    Run run = shell(".import " + file + " flights", ".schema flights", "SELECT * FROM flights");
    assertThat(run.err).isEmpty();
    assertThat(run.out)
        .contains("2 rows imported into FLIGHTS")
        .contains("\"DATE\" TIMESTAMP", "DELAY INTEGER", "BIG BIGINT", "SHARE DOUBLE")
        .contains("IATA VARCHAR", "ZIP VARCHAR", "FLAG BOOLEAN", "\"DAY\" DATE")
        .contains("\"free text\" VARCHAR")
        .contains("00501", "a, b");
  }

  @Test
  void importWidensATypeThatTheSampleGotWrong() throws IOException {
    StringBuilder text = new StringBuilder("a,b\n");
    for (int i = 0; i < 20_000; i++) {
      text.append(i).append(",x\n");
    }
    Path file = Files.writeString(folder.resolve("late.csv"), text + "20000.5,y\n");
    Run run =
        shell(
            ".import " + file + " late",
            ".format csv\nSELECT count(*) AS n, max(a) AS m FROM late");
    assertThat(run.err).isEmpty();
    assertThat(run.out).endsWith("N,M\n20001,20000.5\n");
  }

  @Test
  void aFailedImportLeavesNoTableAndNoRows() throws IOException {
    Path bad = Files.writeString(folder.resolve("bad.csv"), "a,b\n1,2\n3\n");
    Run run = shell(".import " + bad + " t");
    assertThat(run.status).isEqualTo(1);
    assertThat(run.err).isEqualTo("error 22P04: " + bad + ": line 3: 1 field where 2 belong\n");
    Path none = folder.resolve("none.csv");
    assertThat(shell(".import " + none + " t").err)
        .isEqualTo("error 58P01: there is no file " + none + "\n");
    Run into =
        shell(
            "CREATE TABLE t (a INTEGER, b INTEGER); BEGIN; INSERT INTO t VALUES (9, 9)",
            ".import " + bad + " t");
    assertThat(into.err).contains("22P04").contains("line 3");
    Path database = folder.resolve("db");
    gpdb("shell", database.toString(), "-c", ".import " + bad + " t");
    assertThat(gpdb("shell", database.toString(), "-c", ".tables").out).isEmpty();
  }

  @Test
  void exportWritesATableOrAQuery() {
    Path all = folder.resolve("all.csv");
    Path some = folder.resolve("so me.csv");
    Run run =
        shell(
            TABLE,
            ".export t " + all,
            ".export SELECT id FROM t WHERE id > 10 ORDER BY id '" + some + "'",
            ".import " + all + " copied",
            ".format csv\nSELECT count(*) AS n FROM copied");
    assertThat(run.err).isEmpty();
    assertThat(run.out).endsWith("N\n4\n");
    assertThat(some).hasContent("ID\n20\n300");
  }

  @Test
  void checkReadsADatabaseAndFindsDamage() throws IOException {
    Path database = folder.resolve("db");
    assertThat(gpdb("shell", database.toString(), "-c", TABLE).status).isZero();
    Run good = gpdb("check", database.toString());
    assertThat(good.out).isEqualTo(database + ": no problem found\n");
    assertThat(good.status).isZero();
    Path home = database.resolve("home.gpdb");
    byte[] bytes = Files.readAllBytes(home);
    Arrays.fill(bytes, 8192, bytes.length, (byte) 0x55);
    Files.write(home, bytes);
    Run damaged = gpdb("check", database.toString());
    assertThat(damaged.status).isEqualTo(1);
    assertThat(damaged.out).contains("home.gpdb").contains("cannot be opened: ");
    assertThat(damaged.out + damaged.err).doesNotContain("\tat ");
    Run missing = gpdb("check", folder.resolve("none").toString());
    assertThat(missing.status).isEqualTo(2);
    assertThat(missing.err).startsWith("error ").hasLineCount(1);
  }

  @Test
  void timingFormatAndHelpAnswer() {
    Run run = shell(".timing\n.timing on\n.timing\n.format\n.help");
    assertThat(run.out).startsWith("off\non\ntable\n").contains(".import FILE TABLE");
    assertThat(shell(".timing on\nSELECT 1 AS a").out).containsPattern("\\(1 row, [0-9.]+ ms\\)");
    assertThat(shell(".timing maybe").err).contains("usage: .timing on|off");
    assertThat(shell(".format xml").err).contains("table, csv or json");
    assertThat(shell(".quit\nSELECT 42 AS a", "SELECT 43 AS b").out).isEmpty();
  }

  @Test
  void wrongUseIsToldInOneLine() throws IOException {
    assertThat(gpdb("version").out).matches("gpDB \\d+\\..*\n");
    assertThat(gpdb("shell", "--nothing").status).isEqualTo(2);
    Path file = Files.writeString(folder.resolve("plain"), "x");
    Run run = gpdb("shell", file.toString(), "-c", "SELECT 1");
    assertThat(run.status).isEqualTo(1);
    assertThat(run.err).startsWith("error ").hasLineCount(1).contains(file.toString());
  }
}
