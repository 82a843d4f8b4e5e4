package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.NULL;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.SpaceStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LongReaderTest {
  private static final int ROWS = 200;

  /** Amount, weight and note of a row, and its number. */
  private static final long TOUCHED_BYTES = 8 + 8 + 4 + 3 * 4 + 1;

  private final VolatileDirectory directory = new VolatileDirectory("long-reader");
  private TransactionManager manager;

  /** A reader and what it has to see. */
  private record Reader(Transaction transaction, Map<Integer, Long> expected) {}

  @BeforeEach
  void open() {
    manager = withTable(directory, Protocol.REDO);
  }

  @AfterEach
  void close() {
    assertThat(manager.space().check()).isEmpty();
    manager.close();
    directory.close();
  }

  private void commit(java.util.function.Consumer<Transaction> work) {
    Transaction tx = manager.begin();
    work.accept(tx);
    tx.commit();
  }

  private static long boundBytes(int snapshots) {
    long merged = (snapshots + 1L) * ROWS * TOUCHED_BYTES + (snapshots + 1L) * (1 << 20);
    return 2 * merged + (2 << 20);
  }

  @Test
  void aReaderHeldOverAThousandRewritesSeesItsStateInBoundedMemory() {
    commit(tx -> insert(tx, 0, ROWS, id -> id));
    Transaction first = manager.begin();
    long most = 0;
    for (int round = 1; round <= 1000; round++) {
      int factor = round;
      commit(tx -> update(tx, id -> true, id -> id * factor));
      most = Math.max(most, manager.spaceStatistics().versionBytes());
      if (round % 250 == 0) {
        assertThat(contents(first)).isEqualTo(expected(0, ROWS, id -> id));
      }
    }
    assertThat(most).isLessThan(boundBytes(1));
    SpaceStatistics space = manager.spaceStatistics();
    assertThat(space.newestSequence() - space.oldestSequence()).isEqualTo(1000);
    assertThat(space.oldestNanos()).isPositive();
    Transaction second = manager.begin();
    for (int round = 1; round <= 200; round++) {
      int factor = -round;
      commit(tx -> update(tx, id -> true, id -> id * factor));
    }
    assertThat(manager.spaceStatistics().versionBytes()).isLessThan(boundBytes(2));
    assertThat(contents(first)).isEqualTo(expected(0, ROWS, id -> id));
    assertThat(contents(second)).isEqualTo(expected(0, ROWS, id -> id * 1000));
    first.commit();
    assertThat(contents(second)).isEqualTo(expected(0, ROWS, id -> id * 1000));
    second.commit();
    assertThat(manager.spaceStatistics().versionBytes()).isZero();
    assertThat(manager.statistics().pinnedVersions()).isZero();
  }

  @Test
  void rowsThatCameAndWentUnderAReaderCostNothing() {
    commit(tx -> insert(tx, 0, ROWS, id -> id));
    Transaction reader = manager.begin();
    long most = 0;
    for (int round = 1; round <= 300; round++) {
      int from = round * ROWS;
      commit(tx -> delete(tx, id -> id < from));
      commit(tx -> insert(tx, from, ROWS, id -> id));
      most = Math.max(most, manager.spaceStatistics().versionBytes());
    }
    assertThat(most).isLessThan(boundBytes(1));
    assertThat(contents(reader)).isEqualTo(expected(0, ROWS, id -> id));
    reader.commit();
    assertThat(contents(manager)).isEqualTo(expected(300 * ROWS, ROWS, id -> id));
    assertThat(manager.spaceStatistics().versionBytes()).isZero();
  }

  @Test
  void tablesRewrittenUnderAReaderAreGivenBack() {
    commit(tx -> insert(tx, 0, 20 * ROWS, id -> id));
    Transaction reader = manager.begin();
    long afterTwo = 0;
    for (int round = 1; round <= 20; round++) {
      commit(SampleDatabase::rewriteAnew);
      if (round == 2) {
        afterTwo = manager.space().workingBytes();
      }
    }
    assertThat(manager.space().workingBytes()).isEqualTo(afterTwo);
    assertThat(contents(reader)).isEqualTo(expected(0, 20 * ROWS, id -> id));
    reader.commit();
    assertThat(manager.space().tables()).hasSize(1);
  }

  @Test
  void readersOfAllAgesSeeTheirStatesWhileVersionsAreMerged() {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    System.out.println("LongReaderTest seed=" + seed);
    Random random = new Random(seed);
    Map<Integer, Long> now = new TreeMap<>();
    List<Reader> readers = new ArrayList<>();
    commit(tx -> insert(tx, 0, 60, id -> id));
    now.putAll(expected(0, 60, id -> id));
    int nextId = 60;
    for (int step = 0; step < 500; step++) {
      Transaction unfinished = step % 3 == 0 ? manager.begin() : null;
      int untouched = random.nextInt(nextId);
      if (unfinished != null) {
        update(unfinished, id -> id == untouched, id -> -77);
      }
      Transaction tx = manager.begin();
      int modulus = 1 + random.nextInt(9);
      long value = random.nextInt(5) == 0 ? NULL : random.nextInt(1000);
      java.util.function.IntPredicate chosen =
          id -> id % modulus == 0 && (unfinished == null || id != untouched);
      switch (random.nextInt(4)) {
        case 0 -> {
          insert(tx, nextId, 5, id -> value);
          for (int i = 0; i < 5; i++) {
            now.put(nextId++, value);
          }
        }
        case 1 -> {
          delete(tx, id -> id % 13 == modulus && chosen.test(id));
          now.keySet().removeIf(id -> id % 13 == modulus && chosen.test(id));
        }
        default -> {
          update(tx, chosen, id -> value);
          now.replaceAll((id, old) -> chosen.test(id) ? value : old);
        }
      }
      if (unfinished != null) {
        unfinished.rollback();
      }
      tx.commit();
      if (random.nextInt(20) == 0 && readers.size() < 6) {
        readers.add(new Reader(manager.begin(), new TreeMap<>(now)));
      }
      if (random.nextInt(40) == 0 && !readers.isEmpty()) {
        check(readers.remove(random.nextInt(readers.size())), seed).commit();
      }
    }
    readers.forEach(reader -> check(reader, seed).commit());
    assertThat(contents(manager)).as("seed " + seed).isEqualTo(now);
    assertThat(manager.spaceStatistics().versionBytes()).isZero();
  }

  private static Transaction check(Reader reader, long seed) {
    assertThat(contents(reader.transaction())).as("seed " + seed).isEqualTo(reader.expected());
    return reader.transaction();
  }
}
