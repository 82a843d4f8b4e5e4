package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GREATEST and LEAST of any number of operands, on the host and in kernels. */
class ExtremesTest {
  private static final List<String> COLUMNS = List.of("a", "b", "c");

  /** Few rows are the host's, many are a kernel's. */
  @ParameterizedTest
  @ValueSource(ints = {3, 3000})
  void ofRandomOperands(int rows) {
    Random random = new Random(rows);
    List<BigDecimal[]> values = new ArrayList<>();
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (i INTEGER, a INTEGER, b BIGINT, c DECIMAL(12, 2))");
      for (int i = 0; i < rows; i++) {
        values.add(row(random));
      }
      for (int from = 0; from < rows; from += 1000) {
        int first = from;
        db.run(
            IntStream.range(first, Math.min(rows, first + 1000))
                .mapToObj(i -> "(" + i + ", " + texts(values.get(i)) + ")")
                .collect(Collectors.joining(", ", "INSERT INTO t VALUES ", "")));
      }
      for (int operands : new int[] {1, 2, 3, 7, 300}) {
        int[] of = random.ints(operands, 0, COLUMNS.size()).toArray();
        int[] plus = random.ints(operands, -50, 50).toArray();
        String list =
            IntStream.range(0, operands)
                .mapToObj(k -> COLUMNS.get(of[k]) + " + " + plus[k])
                .collect(Collectors.joining(", ", "(", ")"));
        for (String function : new String[] {"GREATEST", "LEAST"}) {
          List<String> expected = new ArrayList<>();
          for (BigDecimal[] row : values) {
            List<BigDecimal> all = new ArrayList<>();
            for (int k = 0; k < operands; k++) {
              BigDecimal value = row[of[k]];
              all.add(value == null ? null : value.add(BigDecimal.valueOf(plus[k])));
            }
            expected.add(all.contains(null) ? "NULL" : text(extreme(function, all)));
          }
          assertThat(
                  db.rows(
                      "SELECT CAST(" + function + list + " AS DECIMAL(16, 2)) FROM t ORDER BY i"))
              .as(function + list)
              .isEqualTo(expected);
        }
      }
    }
  }

  private static BigDecimal extreme(String function, List<BigDecimal> values) {
    return function.equals("LEAST") ? Collections.min(values) : Collections.max(values);
  }

  private static BigDecimal[] row(Random random) {
    BigDecimal[] row = new BigDecimal[COLUMNS.size()];
    for (int k = 0; k < row.length; k++) {
      BigDecimal value = BigDecimal.valueOf(random.nextInt(-30_000, 30_000), k == 2 ? 2 : 0);
      row[k] = random.nextInt(9) == 0 ? null : value;
    }
    return row;
  }

  private static String texts(BigDecimal[] row) {
    List<String> texts = new ArrayList<>();
    for (BigDecimal value : row) {
      texts.add(value == null ? "NULL" : value.toPlainString());
    }
    return String.join(", ", texts);
  }

  private static String text(BigDecimal value) {
    return value.setScale(2).toPlainString();
  }
}
