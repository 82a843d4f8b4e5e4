package io.gpdb.bench.queries;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class QueriesTest {
  @TempDir private Path directory;

  private JsonNode report(int status, String peers, String... more) throws IOException {
    Path json = directory.resolve("report.json");
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--schema=" + directory.resolve("schema.sql"),
                "--data=" + directory,
                "--queries=" + directory.resolve("queries"),
                "--peers=" + peers,
                "--path=" + directory.resolve("dbs"),
                "--workers=2",
                "--rounds=1",
                "--json=" + json));
    arguments.addAll(List.of(more));
    int found = new CommandLine(new QueriesCommand()).execute(arguments.toArray(String[]::new));
    assertThat(found).isEqualTo(status);
    return new ObjectMapper().readTree(json.toFile()).get("queries");
  }

  private void write(String file, String... lines) throws IOException {
    Files.write(directory.resolve(file), List.of(lines));
  }

  @Test
  void answersOfTwoDatabasesAreCompared() throws IOException {
    write(
        "schema.sql",
        "CREATE TABLE a (id INTEGER PRIMARY KEY, x DOUBLE, s VARCHAR(9));",
        "create table b",
        "  (id INTEGER, d DATE);");
    write("a.txt", "1|0.1|one", "2|0.2|~", "3|0.3|'th|ree'");
    write("b.txt", "1|2000-01-01", "3|~");
    Files.createDirectories(directory.resolve("queries"));
    write("queries/q1.sql", "SELECT s, x FROM a ORDER BY x LIMIT 1;");
    write("queries/q2.sql", "SELECT SUM(x) FROM a JOIN b ON a.id = b.id");
    write("queries/q3.sql", "SELECT nothing FROM a");
    String[] format = {"--suffix=.txt", "--null=~", "--quote='", "--estimates", "--all-rows"};
    JsonNode queries = report(1, "gpdb,duckdb", format);
    assertThat(queries).hasSize(3);
    assertThat(queries.get(0).get("name").asText()).isEqualTo("q1");
    assertThat(queries.get(0).get("problem").asText()).isEmpty();
    assertThat(queries.get(0).get("rows").asInt()).as("without the limit").isEqualTo(3);
    assertThat(queries.get(1).get("problem").asText()).isEmpty();
    assertThat(queries.get(1).get("qErrors").size()).isGreaterThan(2);
    assertThat(queries.get(1).get("answers").get("duckdb").get("laterMillis").get("rounds").asInt())
        .isEqualTo(1);
    assertThat(queries.get(2).get("problem").asText()).startsWith("gpdb: 42");
    assertThat(report(0, "gpdb", "--suffix=.txt", "--null=~", "--quote='", "--only=q1,q2"))
        .hasSize(2);
  }

  /** Rows in another order, and numbers off by a little, are the same answer; all else is not. */
  @Test
  void answersAreEqualWhateverTheirOrder() {
    Random random = new Random(Long.getLong("gpdb.seed", 1));
    for (int i = 0; i < 200; i++) {
      List<List<String>> rows = new ArrayList<>();
      List<List<String>> near = new ArrayList<>();
      for (int row = random.nextInt(1, 20); row > 0; row--) {
        String text = "t" + random.nextInt(3);
        double number = random.nextInt(5) / 3.0;
        String missing = random.nextBoolean() ? "null" : "" + random.nextInt(2);
        rows.add(List.of(text, number + "E0", missing));
        near.add(List.of(text, number * (1 + 1e-9) + "E0", missing));
      }
      Collections.shuffle(near, random);
      assertThat(AnswerComparison.difference(near, rows)).isEmpty();
      int changed = random.nextInt(near.size());
      List<String> before = near.get(changed);
      near.set(changed, List.of(before.get(0), "17", before.get(2)));
      assertThat(AnswerComparison.difference(near, rows)).isNotEmpty();
      near.set(changed, List.of("other", before.get(1), before.get(2)));
      assertThat(AnswerComparison.difference(near, rows)).isNotEmpty();
      near.remove(changed);
      assertThat(AnswerComparison.difference(near, rows)).isNotEmpty();
    }
  }

  @Test
  void aFloatEqualsTheExactNumberItRoundsTo() {
    Random random = new Random(Long.getLong("gpdb.seed", 1));
    for (int i = 0; i < 500; i++) {
      double number = random.nextGaussian() * Math.pow(10, random.nextInt(4));
      int digits = random.nextInt(7);
      BigDecimal exact = BigDecimal.valueOf(number).setScale(digits, RoundingMode.HALF_UP);
      List<List<String>> floats =
          List.of(List.of(BigDecimal.valueOf(number).toPlainString() + "E0"));
      List<List<String>> rounded = List.of(List.of(exact.toPlainString()));
      assertThat(AnswerComparison.difference(rounded, floats)).isEmpty();
      assertThat(AnswerComparison.difference(floats, rounded)).isEmpty();
      List<List<String>> off =
          List.of(List.of(exact.add(exact.ulp()).add(exact.ulp()).toPlainString()));
      assertThat(AnswerComparison.difference(off, floats)).isNotEmpty();
      assertThat(AnswerComparison.difference(off, rounded)).isNotEmpty();
    }
    List<List<String>> shorter = List.of(List.of("1.5"));
    assertThat(AnswerComparison.difference(shorter, List.of(List.of("1.500")))).isEmpty();
  }
}
