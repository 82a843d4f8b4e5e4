package io.gpdb.bench.slt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SltRunnerTest {
  @TempDir private Path folder;

  private SltRunner run(String script) throws IOException, SQLException {
    Path file = Files.writeString(folder.resolve("a.slt"), script);
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:" + file)) {
      SltRunner runner = new SltRunner(connection);
      runner.run(SltRecord.read(file));
      return runner;
    }
  }

  @Test
  void wrongValuesStatementsAndLabelsAreFailures() throws Exception {
    SltRunner runner =
        run(
            """
            statement ok
            CREATE TABLE t (a INT)

            statement error
            SELECT 1

            query I
            SELECT 2
            ----
            3

            query I nosort l
            SELECT 1
            ----
            1

            query I nosort l
            SELECT 2
            ----
            2

            skipif gpdb
            query I
            SELECT 5
            ----
            6

            onlyif other
            statement ok
            NO SQL
            """);
    assertThat(runner.passed()).isEqualTo(2);
    assertThat(runner.failures())
        .satisfiesExactly(
            f -> assertThat(f).startsWith("line 4: should have failed"),
            f -> assertThat(f).startsWith("line 7: returned [2], not [3]"),
            f -> assertThat(f).startsWith("line 17: differs from an earlier query of label l"));
  }

  @Test
  void hashesAndSortModesAreCompared() throws Exception {
    SltRunner runner =
        run(
            """
            hash-threshold 2

            query II rowsort
            VALUES (2, 1), (1, 2)
            ----
            1
            2
            2
            1

            query II valuesort
            VALUES (2, 1), (1, 2)
            ----
            4 values hashing to 361619205d8fd52692717ea4890ccf94

            query TR
            SELECT '', 1.0 / 3
            ----
            (empty)
            0.333
            """);
    assertThat(runner.failures()).isEmpty();
    assertThat(runner.passed()).isEqualTo(3);
  }

  @Test
  void scriptsAreFoundByTheirEndings() throws Exception {
    for (String name : List.of("b.test", "a.slt", "c.txt", "d.test.gz")) {
      Files.writeString(folder.resolve(name), "");
    }
    assertThat(SltFiles.below(folder))
        .extracting(f -> f.getFileName().toString())
        .containsExactly("a.slt", "b.test", "d.test.gz");
  }

  @Test
  void anotherDatabaseRunsTheSameRecordsAndBothTellTheirEffort() throws Exception {
    String script = "statement ok\nCREATE TABLE t (a INT)\n\nquery I\nSELECT 1\n----\n1\n";
    Path file = Files.writeString(folder.resolve("b.slt"), script);
    Path json = folder.resolve("b.json");
    for (String url : List.of("", "jdbc:h2:mem:")) {
      int status =
          new CommandLine(new SltCommand())
              .execute("--url", url, "--json", json.toString(), file.toString());
      assertThat(status).as(url).isZero();
      assertThat(Files.readString(json)).containsPattern("\"threadSeconds\"\\s*:\\s*\\d");
    }
  }
}
