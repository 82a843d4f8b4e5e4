package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.planner.RandomQuery.Text;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random queries over random tables return the same rows, or the same SQLSTATE, with kernels, where
 * the host does what has few rows, and through the bridge. {@code -Dgpdb.seed=S} replays one round,
 * {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class KernelsAgreeWithBridgeTest {
  private static final int ROUNDS = 2;
  private static final int QUERIES = 24;
  private static final int[] ROW_COUNTS = {0, 1, 31, 33, 64, 65, 1000, 1025, 3000};
  private static final int SEVERAL_TABLETS = 66_000;

  /** The rows of a query as text, or its SQLSTATE. */
  private record Answer(List<List<String>> rows, String failure, String message) {}

  @Test
  void randomQueriesGiveTheSameAnswers() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  private static void round(long seed, List<String> problems) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      List<RandomTable> tables = new ArrayList<>();
      for (String name : List.of("a", "b", "c")) {
        boolean large = seed % 3 == 0 && name.equals("c");
        int rows = large ? SEVERAL_TABLETS : ROW_COUNTS[random.nextInt(ROW_COUNTS.length)];
        RandomTable table = RandomTable.of(random, name, rows);
        table.create(db, random);
        tables.add(table);
      }
      RandomQuery queries = new RandomQuery(random, tables);
      for (int i = 0; i < QUERIES; i++) {
        Text query = queries.next();
        String problem = problem(db, query);
        if (!problem.isEmpty()) {
          problems.add("-Dgpdb.seed=" + seed + ": " + problem + "\n    " + query.sql());
        }
      }
    }
  }

  private static String problem(EndToEnd db, Text query) {
    Answer kernels = answer(db, db.engine, query);
    String problem = difference(kernels, answer(db, db.unshared, query), "host");
    return problem.isEmpty()
        ? difference(kernels, answer(db, db.bridge, query), "bridge")
        : problem;
  }

  private static String difference(Answer kernels, Answer other, String name) {
    if (!kernels.failure.equals(other.failure)) {
      return "kernels: " + kernels.message + ", " + name + ": " + other.message;
    }
    if (kernels.rows.equals(other.rows)) {
      return "";
    }
    List<List<String>> onlyKernels = new ArrayList<>(kernels.rows);
    other.rows.forEach(onlyKernels::remove);
    List<List<String>> onlyOther = new ArrayList<>(other.rows);
    kernels.rows.forEach(onlyOther::remove);
    return kernels.rows.size()
        + " and "
        + other.rows.size()
        + " rows, kernels alone "
        + shortened(onlyKernels)
        + ", "
        + name
        + " alone "
        + shortened(onlyOther);
  }

  private static String shortened(List<List<String>> rows) {
    return rows.size() <= 4 ? rows.toString() : rows.subList(0, 4) + "…";
  }

  private static Answer answer(EndToEnd db, QueryEngine engine, Text query) {
    Transaction tx = db.begin();
    try {
      List<Kind> kinds =
          engine.prepare(query.sql(), tx).columns().stream().map(c -> c.type().kind()).toList();
      List<List<String>> rows = EndToEnd.table(engine, tx, query.sql());
      rows.forEach(row -> round(row, kinds));
      if (!query.ordered()) {
        rows.sort(Comparator.comparing(row -> String.join("\u0000", row)));
      }
      return new Answer(rows, "", rows.size() + " rows");
    } catch (GpdbException e) {
      return new Answer(List.of(), e.code().sqlState(), e.code() + " " + e.getMessage());
    } finally {
      tx.rollback();
    }
  }

  /** Floating point to the digits on which every order of addition agrees. */
  private static void round(List<String> row, List<Kind> kinds) {
    for (int i = 0; i < row.size(); i++) {
      int digits = kinds.get(i) == Kind.DOUBLE ? 9 : kinds.get(i) == Kind.REAL ? 5 : 0;
      String value = row.get(i);
      if (digits > 0 && !value.equals("NULL")) {
        double number = Double.parseDouble(value);
        row.set(
            i,
            Double.isFinite(number)
                ? new BigDecimal(number)
                    .round(new MathContext(digits))
                    .stripTrailingZeros()
                    .toString()
                : value);
      }
    }
  }
}
