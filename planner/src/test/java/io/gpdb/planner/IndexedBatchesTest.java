package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A table with secondary indexes is changed by batches as one without, rolled back, checkpointed,
 * killed and recovered.
 */
class IndexedBatchesTest {
  private static final List<String> TABLES = List.of("t", "u");
  private static final int KEYS = 3000;

  private final long seed = Long.getLong("gpdb.seed", 20261126L);
  private final Random random = new Random(seed);

  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"REDO", "UNDO", "VERSIONED", "CHECKSUMMED", "AUTO"})
  void anIndexedTableIsChangedAsOneWithout(Protocol protocol) {
    TxnOptions options = TxnOptions.standard().withProtocol(protocol);
    try (CrashableDirectory directory = new CrashableDirectory()) {
      EndToEnd db = new EndToEnd(directory, EmulatedOptions.standard(), options);
      for (String table : TABLES) {
        db.script(
            "CREATE TABLE %s (id INTEGER PRIMARY KEY, k BIGINT, s VARCHAR(9), d DOUBLE)"
                .formatted(table));
      }
      db.script(
          "CREATE INDEX t_k ON t (k)",
          "CREATE INDEX t_sd ON t (s, d DESC)",
          "CREATE INDEX t_s ON t (s) USING HASH");
      for (int step = 0; step < 24; step++) {
        change(db);
        if (step % 8 == 5) {
          db.transactions().checkpoint();
        }
        if (step % 8 == 7) {
          requireSame(db);
          db.abandon();
          db = new EndToEnd(directory, EmulatedOptions.standard(), options);
          requireSame(db);
        }
      }
      assertThat(db.transactions().check()).as("seed=%d", seed).isEmpty();
      db.close();
    }
  }

  private void change(EndToEnd db) {
    List<String> statements = new ArrayList<>();
    List<List<@Nullable Object[]>> batches = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int n = random.nextInt(3) == 0 ? 1 + random.nextInt(40) : 100 + random.nextInt(900);
      List<@Nullable Object[]> batch = new ArrayList<>();
      int what = random.nextInt(6);
      for (int b = 0; b < n; b++) {
        batch.add(parameters(what));
      }
      statements.add(STATEMENTS.get(what));
      batches.add(batch);
    }
    Transaction tx = db.begin();
    for (String table : TABLES) {
      for (int i = 0; i < statements.size(); i++) {
        db.batch(tx, statements.get(i).formatted(table), batches.get(i));
      }
    }
    if (random.nextInt(4) == 0) {
      tx.rollback();
    } else {
      tx.commit();
    }
  }

  private static final List<String> STATEMENTS =
      List.of(
          "INSERT INTO %s VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET k = excluded.k",
          "UPDATE %s SET k = ? WHERE id = ?",
          "UPDATE %s SET s = ?, d = d + 1 WHERE id = ?",
          "UPDATE %s SET k = k + 1, d = ? WHERE id = ?",
          "DELETE FROM %s WHERE id = ?",
          "INSERT INTO %s VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING");

  private @Nullable Object[] parameters(int what) {
    int id = random.nextInt(KEYS);
    Long k = random.nextInt(10) == 0 ? null : (long) random.nextInt(500);
    String s = random.nextInt(10) == 0 ? null : "s" + random.nextInt(50);
    Double d = random.nextInt(10) == 0 ? null : random.nextInt(20) / 4.0;
    return switch (what) {
      case 1 -> new @Nullable Object[] {k, id};
      case 2 -> new @Nullable Object[] {s, id};
      case 3 -> new @Nullable Object[] {d, id};
      case 4 -> new @Nullable Object[] {random.nextInt(KEYS)};
      default -> new @Nullable Object[] {id, k, s, d};
    };
  }

  private void requireSame(EndToEnd db) {
    String s = "'s" + random.nextInt(50) + "'";
    for (String query :
        List.of(
            "SELECT id, k, s, d FROM %s ORDER BY id",
            "SELECT id, k FROM %s WHERE k = 77 ORDER BY id",
            "SELECT id, k FROM %s WHERE k BETWEEN 100 AND 104 ORDER BY k, id",
            "SELECT id FROM %s WHERE k IS NULL AND id < 900 ORDER BY id",
            "SELECT k FROM %s ORDER BY k DESC LIMIT 20",
            "SELECT d FROM %s WHERE s = " + s + " ORDER BY d DESC LIMIT 9",
            "SELECT id FROM %s WHERE s = " + s + " AND d > 2 ORDER BY id",
            "SELECT MIN(k), MAX(k) FROM %s",
            "UPDATE %s SET k = k + 7 WHERE k BETWEEN 20 AND 60 AND id < 40")) {
      if (query.startsWith("UPDATE")) {
        assertThat(db.run(query.formatted("t"))).isEqualTo(db.run(query.formatted("u")));
      } else {
        assertThat(db.rows(query.formatted("t")))
            .as("%s, seed=%d", query, seed)
            .isEqualTo(db.rows(query.formatted("u")));
      }
    }
  }
}
