package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Savepoint;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random interleavings ({@link RandomSeeds}) of transactions that write children and take parents
 * away, with roll-backs to savepoints: whoever commits, no child is left without its parent.
 */
class ForeignKeyRaceTest {
  private static final int ROUNDS = 40;
  private static final int KEYS = 3;
  private static final String[] ACTIONS = {
    "",
    "ON DELETE RESTRICT ON UPDATE RESTRICT",
    "ON DELETE CASCADE ON UPDATE CASCADE",
    "ON DELETE SET NULL ON UPDATE SET NULL",
    "DEFERRABLE INITIALLY DEFERRED"
  };

  private int committed;
  private int conflicts;
  private int violations;

  @ParameterizedTest
  @EnumSource(IsolationLevel.class)
  void noChildIsLeftWithoutItsParent(IsolationLevel level) {
    RandomSeeds.of(ROUNDS).forEach(seed -> round(level, seed));
    assertThat(committed).as("committed").isPositive();
    if (Long.getLong("gpdb.seed") == null) {
      assertThat(conflicts).as("conflicts").isPositive();
      assertThat(violations).as("violations").isPositive();
    }
  }

  /** One of the transactions. */
  private final class Actor {
    private final EndToEnd database;
    private final Random random;
    private final @Nullable Transaction transaction;
    private @Nullable Savepoint savepoint;
    private boolean ended;

    Actor(EndToEnd database, IsolationLevel level, Random random) {
      this.database = database;
      this.random = random;
      this.transaction = database.transactions().begin(level);
    }

    void step() {
      Transaction tx = transaction;
      if (tx == null || ended) {
        return;
      }
      tx.beginStatement();
      try {
        int choice = random.nextInt(12);
        if (choice == 0) {
          tx.commit();
          ended = true;
          committed++;
        } else if (choice == 1) {
          savepoint = tx.savepoint();
        } else if (choice == 2 && savepoint != null) {
          tx.rollbackTo(savepoint);
        } else {
          database.run(tx, statement());
        }
      } catch (GpdbException e) {
        failed(tx, e);
      }
    }

    private String statement() {
      int key = 1 + random.nextInt(KEYS);
      int id = 1 + random.nextInt(6);
      return switch (random.nextInt(7)) {
        case 0, 1 -> "INSERT INTO c VALUES (" + (100 + random.nextInt(1000)) + ", " + key + ")";
        case 2 -> "UPDATE c SET p = " + key + " WHERE id = " + id;
        case 3 -> "DELETE FROM c WHERE id = " + id;
        case 4 -> "DELETE FROM p WHERE id = " + key;
        case 5 -> "UPDATE p SET id = " + (1 + random.nextInt(KEYS)) + " WHERE id = " + key;
        default ->
            random.nextBoolean()
                ? "INSERT INTO p VALUES (" + key + ", 0)"
                : "UPDATE p SET v = v + 1 WHERE id = " + key;
      };
    }

    private void failed(Transaction tx, GpdbException e) {
      if (e.code() == ErrorCode.SERIALIZATION_CONFLICT) {
        conflicts++;
      } else if (e.code().sqlState().equals("23503")) {
        violations++;
      } else {
        assertThat(e.code().sqlState()).as(e.getMessage()).isEqualTo("23505");
      }
      if (random.nextInt(4) == 0) {
        end(tx);
      }
    }

    private void end(Transaction tx) {
      ended = true;
      if (tx.isActive()) {
        tx.rollback();
      }
    }

    void finish() {
      Transaction tx = transaction;
      if (tx == null || ended) {
        return;
      }
      try {
        tx.commit();
        committed++;
      } catch (GpdbException e) {
        failed(tx, e);
      } finally {
        end(tx);
      }
    }
  }

  private void round(IsolationLevel level, long seed) {
    Random random = new Random(seed);
    String action = ACTIONS[random.nextInt(ACTIONS.length)];
    String unique = random.nextBoolean() ? "" : ", UNIQUE (p, id)";
    try (EndToEnd database = new EndToEnd()) {
      database.script(
          "CREATE TABLE p (id INTEGER PRIMARY KEY, v INTEGER)",
          "CREATE TABLE c (id INTEGER, p INTEGER REFERENCES p " + action + unique + ")",
          "INSERT INTO p VALUES (1, 0), (2, 0)",
          "INSERT INTO c VALUES (1, 1), (2, NULL), (3, 2)");
      List<Actor> actors = new ArrayList<>();
      for (int i = 0; i < 2 + random.nextInt(2); i++) {
        actors.add(new Actor(database, level, random));
      }
      for (int i = 0; i < 14; i++) {
        actors.get(random.nextInt(actors.size())).step();
      }
      actors.forEach(Actor::finish);
      assertThat(
              database.rows("SELECT * FROM c WHERE p IS NOT NULL AND p NOT IN (SELECT id FROM p)"))
          .as("orphans at %s, seed %d, %s", level, seed, action)
          .isEmpty();
    }
  }
}
