package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Savepoint;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.IsolationLevel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random interleavings ({@link RandomSeeds}) of transactions that write the same keys of a
 * DEFERRABLE constraint, with roll-backs to savepoints: whoever commits, no key is there twice.
 */
class DeferrableKeyRaceTest {
  private static final int ROUNDS = 40;
  private static final int STEPS = 14;
  private static final List<String> CONSTRAINTS =
      List.of("UNIQUE DEFERRABLE", "UNIQUE INITIALLY DEFERRED", "PRIMARY KEY INITIALLY DEFERRED");

  private int conflicts;
  private int violations;

  @ParameterizedTest
  @EnumSource(IsolationLevel.class)
  void noKeyIsThereTwice(IsolationLevel level) {
    RandomSeeds.of(ROUNDS).forEach(seed -> round(level, seed));
    if (Long.getLong("gpdb.seed") == null) {
      assertThat(conflicts).as("conflicts").isPositive();
      assertThat(violations).as("violations").isPositive();
    }
  }

  private void round(IsolationLevel level, long seed) {
    Random random = new Random(seed);
    String constraint = CONSTRAINTS.get(random.nextInt(CONSTRAINTS.size()));
    try (EndToEnd database = new EndToEnd()) {
      database.script(
          "CREATE TABLE t (k VARCHAR(3) " + constraint + ", v INTEGER)",
          "INSERT INTO t VALUES ('k0', 0), ('k1', 1)");
      List<Transaction> actors =
          IntStream.range(0, 2 + random.nextInt(2))
              .mapToObj(_ -> database.transactions().begin(level))
              .toList();
      Map<Transaction, Savepoint> savepoints = new HashMap<>();
      for (int i = 0; i < STEPS; i++) {
        Transaction tx = actors.get(random.nextInt(actors.size()));
        if (tx.isActive()) {
          step(database, tx, savepoints, random);
        }
      }
      actors.stream().filter(Transaction::isActive).forEach(this::commit);
      assertThat(database.rows("SELECT k FROM t GROUP BY k HAVING COUNT(*) > 1"))
          .as("keys at %s, seed %d, %s", level, seed, constraint)
          .isEmpty();
    }
  }

  private void step(
      EndToEnd database, Transaction tx, Map<Transaction, Savepoint> savepoints, Random random) {
    Savepoint savepoint = savepoints.get(tx);
    int choice = random.nextInt(12);
    if (choice == 0) {
      commit(tx);
    } else if (choice == 1) {
      savepoints.put(tx, tx.savepoint());
    } else if (choice == 2 && savepoint != null) {
      tx.rollbackTo(savepoint);
    } else {
      tx.beginStatement();
      try {
        database.run(tx, statement(random));
      } catch (GpdbException e) {
        count(e);
      }
    }
  }

  private static String statement(Random random) {
    String key = "'k" + random.nextInt(4) + "'";
    return switch (random.nextInt(5)) {
      case 0, 1 -> "INSERT INTO t VALUES (" + key + ", 2)";
      case 2 -> "UPDATE t SET k = " + key + " WHERE v = " + random.nextInt(3);
      case 3 -> "UPDATE t SET v = v WHERE k = " + key;
      default -> "DELETE FROM t WHERE k = " + key;
    };
  }

  private void commit(Transaction tx) {
    try {
      tx.commit();
    } catch (GpdbException e) {
      count(e);
    } finally {
      if (tx.isActive()) {
        tx.rollback();
      }
    }
  }

  private void count(GpdbException e) {
    if (e.code() == ErrorCode.SERIALIZATION_CONFLICT) {
      conflicts++;
    } else {
      assertThat(e.code().sqlState()).as(e.getMessage()).isEqualTo("23505");
      violations++;
    }
  }
}
