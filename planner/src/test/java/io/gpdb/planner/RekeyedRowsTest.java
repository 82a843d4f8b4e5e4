package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Statements and batches that change keys of many rows at once, against arrays of those keys. */
class RekeyedRowsTest {
  private static final int ROWS = 140_000; // three tablets

  private final long seed = Long.getLong("gpdb.seed", 20261126L);
  private final Random random = new Random(seed);

  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"REDO", "UNDO"})
  void keysOfSeveralTabletsGoIntoTheIndexesAtOnce(Protocol protocol) {
    TxnOptions options = TxnOptions.standard().withProtocol(protocol);
    try (CrashableDirectory directory = new CrashableDirectory()) {
      EndToEnd db = new EndToEnd(directory, EmulatedOptions.standard(), options);
      db.script("CREATE TABLE t (id INTEGER PRIMARY KEY, k BIGINT)");
      List<@Nullable Object[]> rows = new ArrayList<>();
      @Nullable Long[] keys = new @Nullable Long[ROWS];
      for (int id = 0; id < ROWS; id++) {
        keys[id] = (long) id;
        rows.add(new @Nullable Object[] {id, keys[id]});
      }
      db.batch("INSERT INTO t VALUES (?, ?)", rows);
      db.script("CREATE INDEX t_k ON t (k)", "CREATE INDEX t_h ON t (k) USING HASH");
      for (int round = 0; round < 4; round++) {
        List<@Nullable Object[]> batch = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
          int id = random.nextInt(ROWS);
          // No row of the first tablet has a NULL.
          keys[id] = id > 80_000 && random.nextInt(5) == 0 ? null : (long) random.nextInt(10_000);
          batch.add(new @Nullable Object[] {keys[id], id});
        }
        db.batch("UPDATE t SET k = ? WHERE id = ?", batch);
        requireKeys(db, keys);
      }
      db.abandon();
      db = new EndToEnd(directory, EmulatedOptions.standard(), options);
      requireKeys(db, keys);
      assertThat(db.transactions().check()).as("seed=%d", seed).isEmpty();
      db.close();
    }
  }

  private void requireKeys(EndToEnd db, @Nullable Long[] keys) {
    long low = random.nextInt(9_990);
    List<String> expected = new ArrayList<>();
    for (int id = 0; id < keys.length; id++) {
      Long k = keys[id];
      if (k != null && k >= low && k <= low + 9) {
        expected.add("%d|%d".formatted(id, k));
      }
    }
    String query = "SELECT id, k FROM t WHERE k BETWEEN ? AND ? ORDER BY id";
    assertThat(db.rows(query, low, low + 9)).as("seed=%d", seed).isEqualTo(expected);
    List<String> same = expected.stream().filter(row -> row.endsWith("|" + low)).toList();
    assertThat(db.rows("SELECT id, k FROM t WHERE k = ? ORDER BY id", low)).isEqualTo(same);
  }

  @Test
  void aStatementMayMoveUniqueKeysAmongItsRowsAndLeaveNoneTwice() {
    int n = 300;
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE t (id INTEGER PRIMARY KEY, u INTEGER UNIQUE, a INTEGER, b INTEGER,"
              + " UNIQUE (a, b))");
      List<@Nullable Object[]> rows = new ArrayList<>();
      int[] u = new int[n];
      int[] a = new int[n];
      for (int id = 0; id < n; id++) {
        u[id] = id;
        a[id] = id;
        rows.add(new @Nullable Object[] {id, id, id, 1});
      }
      db.batch("INSERT INTO t VALUES (?, ?, ?, ?)", rows);
      int refused = 0;
      for (int step = 0; step < 300; step++) {
        boolean first = random.nextBoolean();
        int from = random.nextInt(n);
        int to = from + random.nextInt(60);
        int[] keys = first ? u : a;
        int[] changed = keys.clone();
        int kind = random.nextInt(3);
        int by = random.nextInt(40) - 20;
        for (int id = from; id <= Math.min(to, n - 1); id++) {
          changed[id] =
              switch (kind) {
                case 0 -> keys[id] + by;
                case 1 -> from + to - keys[id];
                default -> by + 1000 * id;
              };
        }
        String column = first ? "u" : "a";
        String value =
            switch (kind) {
              case 0 -> column + " + ?";
              case 1 -> "? - " + column;
              default -> "? + 1000 * id";
            };
        String sql = "UPDATE t SET %s = %s WHERE id BETWEEN ? AND ?".formatted(column, value);
        Object parameter = kind == 1 ? from + to : by;
        Set<Integer> distinct = new HashSet<>();
        if (Arrays.stream(changed).allMatch(distinct::add)) {
          db.run(sql, parameter, from, to);
          System.arraycopy(changed, 0, keys, 0, n);
        } else {
          refused++;
          assertThat(db.state(sql, parameter, from, to))
              .as("seed=%d, step=%d", seed, step)
              .isEqualTo("23505");
        }
      }
      assertThat(refused).isBetween(10, 290);
      List<String> expected = new ArrayList<>();
      for (int id = 0; id < n; id++) {
        expected.add("%d|%d|%d".formatted(id, u[id], a[id]));
      }
      assertThat(db.rows("SELECT id, u, a FROM t ORDER BY id"))
          .as("seed=%d", seed)
          .isEqualTo(expected);
    }
  }
}
