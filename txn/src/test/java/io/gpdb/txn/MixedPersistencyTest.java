package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.NULL;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.shape;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Open transactions side by side, each statement by another protocol, crashed at stores, flushes
 * and drains: what is acknowledged is there, whole, and nothing else. {@code -Dgpdb.fuzz=N} runs N
 * mixtures.
 */
class MixedPersistencyTest {
  private static final Protocol[] PROTOCOLS = {
    Protocol.AUTO, Protocol.REDO, Protocol.UNDO, Protocol.VERSIONED, Protocol.CHECKSUMMED
  };
  private static final int OPEN_MAX = 3;
  private static final int STEPS = 60;

  private final Map<Integer, Long> committed = new TreeMap<>();
  private final Session[] sessions = new Session[OPEN_MAX];
  private int nextId;

  /** One open transaction; it writes only rows whose id modulo {@link #OPEN_MAX} is its place. */
  private static final class Session {
    final Transaction tx;
    final Map<Integer, Long> own;

    Session(Transaction tx, Map<Integer, Long> snapshot, int place) {
      this.tx = tx;
      this.own = new TreeMap<>(snapshot);
      own.keySet().removeIf(id -> id % OPEN_MAX != place);
    }
  }

  static Stream<Long> seeds() {
    Long given = Long.getLong("gpdb.seed");
    return given != null
        ? Stream.of(given)
        : LongStream.rangeClosed(1, Long.getLong("gpdb.fuzz", 2)).boxed();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyCrashLeavesWholeTransactionsOfAnyMixture(long seed) {
    Random random = new Random(seed);
    CrashRun run = new CrashRun(TxnOptions.standard().withProtocol(Protocol.AUTO), 29);
    TransactionManager manager = run.open();
    run.commit(manager, tx -> tx.createTable(TABLE, shape()));
    for (int step = 0; step < STEPS; step++) {
      int dice = random.nextInt(30);
      if (dice == 0) {
        endAll();
        manager.close();
        manager = run.open();
      } else if (dice <= 2) {
        manager.checkpoint();
      } else {
        act(run, manager, random, random.nextInt(OPEN_MAX));
      }
    }
    endAll();
    assertThat(SampleDatabase.contents(manager)).as("seed=" + seed).isEqualTo(committed);
    manager.close();
    run.rest();
    assertThat(run.states()).isGreaterThan(20);
  }

  private void endAll() {
    for (int i = 0; i < OPEN_MAX; i++) {
      if (sessions[i] != null) {
        sessions[i].tx.rollback();
        sessions[i] = null;
      }
    }
  }

  private void act(CrashRun run, TransactionManager manager, Random random, int place) {
    Session s = sessions[place];
    if (s == null) {
      s = new Session(manager.begin(), committed, place);
      sessions[place] = s;
    }
    s.tx.protocol(PROTOCOLS[random.nextInt(PROTOCOLS.length)]);
    switch (random.nextInt(9)) {
      case 0, 1 -> insert(s, random, place);
      case 2, 3, 4 -> update(s, random, place);
      case 5 -> delete(s, random, place);
      case 6 -> undone(s, random, place);
      case 7 -> {
        s.tx.rollback();
        sessions[place] = null;
      }
      default -> {
        Map<Integer, Long> after = new TreeMap<>(committed);
        after.keySet().removeIf(id -> id % OPEN_MAX == place);
        after.putAll(s.own);
        run.commit(s.tx, after);
        committed.clear();
        committed.putAll(after);
        sessions[place] = null;
      }
    }
  }

  private void insert(Session s, Random random, int place) {
    int n = 1 + random.nextInt(45);
    for (int i = 0; i < n; i++) {
      int id = nextId++ * OPEN_MAX + place;
      long amount = random.nextInt(8) == 0 ? NULL : random.nextInt(1000);
      SampleDatabase.insert(s.tx, id, 1, x -> amount);
      s.own.put(id, amount);
    }
  }

  private static void update(Session s, Random random, int place) {
    int modulus = 1 + random.nextInt(4);
    long base = random.nextInt(1000);
    SampleDatabase.update(
        s.tx, id -> chosen(id, place, modulus), id -> id % 5 == 0 ? NULL : base + id);
    s.own.replaceAll(
        (id, old) -> chosen(id, place, modulus) ? (id % 5 == 0 ? NULL : base + id) : old);
  }

  private static boolean chosen(int id, int place, int modulus) {
    return id % OPEN_MAX == place && id / OPEN_MAX % modulus == 0;
  }

  private static void delete(Session s, Random random, int place) {
    int rest = random.nextInt(7);
    SampleDatabase.delete(s.tx, id -> id % OPEN_MAX == place && id % 7 == rest);
    s.own.keySet().removeIf(id -> id % 7 == rest);
  }

  private void undone(Session s, Random random, int place) {
    Savepoint savepoint = s.tx.savepoint();
    Map<Integer, Long> before = new TreeMap<>(s.own);
    update(s, random, place);
    insert(s, random, place);
    s.tx.rollbackTo(savepoint);
    s.own.clear();
    s.own.putAll(before);
  }
}
