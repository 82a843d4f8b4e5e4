package io.gpdb.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real shells that are interrupted while they work. */
class InterruptedShellTest {
  private static final int INTERRUPTED = 130;
  private static final String BEGIN =
      "CREATE TABLE d (i INTEGER); INSERT INTO d VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9);"
          + " CREATE TABLE t AS SELECT a.i FROM d a, d b, d c;"
          + " SELECT 'ready' FROM (VALUES (1)) AS x (y);";

  @TempDir Path directory;

  private Process start(String... arguments) throws IOException {
    // Where the tests run in the background, SIGINT is ignored, which children inherit.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Dslf4j.internal.verbosity=ERROR");
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(GpdbCommand.class.getName());
    command.add("shell");
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** Waits for the script's own word, lets it work for a while, and interrupts it. */
  private static int interrupted(Process shell) throws IOException, InterruptedException {
    try {
      return interruptedAtWork(shell);
    } finally {
      shell.destroyForcibly();
    }
  }

  private static int interruptedAtWork(Process shell) throws IOException, InterruptedException {
    StringBuilder said = new StringBuilder();
    while (said.indexOf("ready") < 0) {
      int c = shell.getInputStream().read();
      assertThat(c).as(said.toString()).isGreaterThanOrEqualTo(0);
      said.append((char) c);
    }
    Thread.sleep(300);
    new ProcessBuilder("kill", "-INT", Long.toString(shell.pid())).start().waitFor();
    String rest = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(rest).doesNotContain("Exception", "Error:");
    assertThat(shell.waitFor(20, TimeUnit.SECONDS)).as("ended").isTrue();
    return shell.exitValue();
  }

  private void requireWhole() throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(f -> f.getFileName().toString())).containsExactly("db");
    }
    try (Connection connection =
            DriverManager.getConnection("jdbc:gpdb:" + directory.resolve("db"));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM t")) {
      rows.next();
      assertThat(rows.getInt(1)).isEqualTo(1000);
    }
  }

  @Test
  void anInterruptedCopyLeavesNoFile() throws Exception {
    String copy =
        "COPY (SELECT a.i FROM t a, t b, t c) TO '"
            + directory.resolve("out.csv")
            + "' (FORMAT CSV)";
    Process shell = start(directory.resolve("db").toString(), "-c", BEGIN, "-c", copy);
    assertThat(interrupted(shell)).isEqualTo(INTERRUPTED);
    requireWhole();
  }

  @Test
  void anInterruptedQueryOfAnOpenedDatabaseEndsInOrder() throws Exception {
    assertThat(start(directory.resolve("db").toString(), "-c", BEGIN).waitFor()).isZero();
    String change = "INSERT INTO d VALUES (10)";
    String query = "SELECT COUNT(*) FROM t a, t b, t c WHERE a.i + b.i + c.i < 0";
    Process shell =
        start(
            directory.resolve("db").toString(),
            "-c",
            change,
            "-c",
            "SELECT 'ready' FROM (VALUES (1)) AS x (y)",
            "-c",
            query);
    assertThat(interrupted(shell)).isEqualTo(INTERRUPTED);
    requireWhole();
  }

  @Test
  void anInterruptedScriptUndoesItsStatement() throws Exception {
    Process shell = start(directory.resolve("db").toString());
    try (var input = shell.outputWriter()) {
      input.write(BEGIN + " INSERT INTO t SELECT a.i FROM t a, t b, t c;");
    }
    assertThat(interrupted(shell)).isEqualTo(INTERRUPTED);
    requireWhole();
  }
}
