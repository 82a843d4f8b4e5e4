package io.gpdb.sql.catalog;

import static io.gpdb.sql.catalog.OpenedCatalogs.device;
import static io.gpdb.sql.catalog.OpenedCatalogs.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.Device;
import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Numbers of sequences: each once, whatever becomes of who took it. */
class SequencesTest {
  private static final SequenceDef PLAIN =
      new SequenceDef(
          -1, "PUBLIC", "S", SqlTypeSpec.BIGINT, 1, 1, 1, Long.MAX_VALUE, false, 10, -1, 1, false);

  private static SequenceDef stepping(long increment, long minimum, long maximum, boolean cycles) {
    long start = increment > 0 ? minimum : maximum;
    return new SequenceDef(
        -1,
        "PUBLIC",
        "S",
        SqlTypeSpec.BIGINT,
        start,
        increment,
        minimum,
        maximum,
        cycles,
        3,
        -1,
        start,
        false);
  }

  private static void change(TransactionManager manager, Consumer<Transaction> change) {
    Transaction transaction = manager.begin();
    change.accept(transaction);
    transaction.commit();
  }

  private static SequenceDef created(TransactionManager manager, Catalog catalog, SequenceDef def) {
    change(manager, tx -> catalog.createSequence(tx, def));
    return found(manager, catalog, def.name());
  }

  private static SequenceDef found(TransactionManager manager, Catalog catalog, String name) {
    Transaction transaction = manager.begin();
    try {
      return Objects.requireNonNull(catalog.snapshot(transaction).sequence(name));
    } finally {
      transaction.rollback();
    }
  }

  private static List<Long> taken(SequenceDef definition, int n) {
    try (Device device = device();
        StorageDirectory directory = new VolatileDirectory("sequences");
        TransactionManager manager = open(directory, device)) {
      Catalog catalog = Catalog.open(manager);
      SequenceDef sequence = created(manager, catalog, definition);
      List<Long> numbers = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        numbers.add(catalog.sequences().take(sequence));
      }
      return numbers;
    }
  }

  @Test
  void numbersFollowTheIncrementAndTheBounds() {
    assertThat(taken(PLAIN, 3)).containsExactly(1L, 2L, 3L);
    assertThat(taken(stepping(5, 1, 11, false), 3)).containsExactly(1L, 6L, 11L);
    assertThat(taken(stepping(-4, -9, -1, true), 4)).containsExactly(-1L, -5L, -9L, -1L);
    assertThat(taken(stepping(5, 1, 12, true), 4)).containsExactly(1L, 6L, 11L, 1L);
    assertThat(taken(stepping(1, Long.MAX_VALUE - 1, Long.MAX_VALUE, true), 3))
        .containsExactly(Long.MAX_VALUE - 1, Long.MAX_VALUE, Long.MAX_VALUE - 1);
    assertThat(taken(stepping(Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, true), 4))
        .containsExactly(Long.MIN_VALUE, -1L, Long.MAX_VALUE - 1, Long.MIN_VALUE);
    assertThat(taken(stepping(Long.MIN_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, true), 3))
        .containsExactly(Long.MAX_VALUE, -1L, Long.MAX_VALUE);
    assertThatThrownBy(() -> taken(stepping(1, 1, 4, false), 5))
        .isInstanceOfSatisfying(
            GpdbException.class,
            e -> assertThat(e.code()).isEqualTo(SqlCondition.SEQUENCE_EXHAUSTED));
  }

  @Test
  void aSequenceGoesOnWhereTheClosedDatabaseLeftIt() {
    try (Device device = device();
        StorageDirectory directory = new CrashableDirectory()) {
      try (TransactionManager manager = open(directory, device)) {
        Catalog catalog = Catalog.open(manager);
        SequenceDef sequence = created(manager, catalog, PLAIN);
        catalog.sequences().take(sequence, new long[7]);
        catalog.close();
      }
      try (TransactionManager manager = open(directory, device)) {
        Catalog catalog = Catalog.open(manager);
        SequenceDef sequence = found(manager, catalog, "S");
        assertThat(catalog.sequences().take(sequence)).isEqualTo(8);
        assertThat(manager.check()).isEmpty();
      }
    }
  }

  @Test
  void restartIsUndoneByRollback() {
    try (Device device = device();
        StorageDirectory directory = new VolatileDirectory("sequences");
        TransactionManager manager = open(directory, device)) {
      Catalog catalog = Catalog.open(manager);
      SequenceDef sequence = created(manager, catalog, PLAIN);
      catalog.sequences().take(sequence, new long[5]);
      Transaction transaction = manager.begin();
      catalog.redefineSequence(transaction, sequence.restarted(100));
      SequenceDef inside = Objects.requireNonNull(catalog.snapshot(transaction).sequence("S"));
      assertThat(catalog.sequences().take(inside)).isEqualTo(100);
      transaction.rollback();
      assertThat(catalog.sequences().take(found(manager, catalog, "S"))).isEqualTo(6);
      change(manager, tx -> catalog.redefineSequence(tx, sequence.restarted(100)));
      assertThat(catalog.sequences().take(found(manager, catalog, "S"))).isEqualTo(100);
    }
  }

  @Test
  void anotherIncrementGoesOnFromTheLastNumber() {
    try (Device device = device();
        StorageDirectory directory = new VolatileDirectory("sequences");
        TransactionManager manager = open(directory, device)) {
      Catalog catalog = Catalog.open(manager);
      SequenceDef sequence = created(manager, catalog, PLAIN);
      catalog.sequences().take(sequence, new long[5]);
      SequenceDef wide =
          new SequenceDef(
              sequence.sequenceId(),
              "PUBLIC",
              "S",
              SqlTypeSpec.BIGINT,
              1,
              10,
              1,
              20,
              false,
              10,
              sequence.stateId(),
              1,
              false);
      assertThat(catalog.sequences().take(wide)).isEqualTo(15);
      assertThat(catalog.sequences().take(sequence)).isEqualTo(16);
    }
  }

  @Test
  void threadsShareNoNumber() throws InterruptedException {
    try (Device device = device();
        StorageDirectory directory = new VolatileDirectory("sequences");
        TransactionManager manager = open(directory, device)) {
      Catalog catalog = Catalog.open(manager);
      SequenceDef sequence = created(manager, catalog, PLAIN);
      Set<Long> all = ConcurrentHashMap.newKeySet();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int i = 0; i < 100; i++) {
                        long[] some = new long[1 + i % 7];
                        catalog.sequences().take(sequence, some);
                        for (long number : some) {
                          all.add(number);
                        }
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      int each = 0;
      for (int i = 0; i < 100; i++) {
        each += 1 + i % 7;
      }
      assertThat(all).hasSize(4 * each);
    }
  }

  /** Invariants S1 and S2: whatever a crash leaves, what was taken before is not taken again. */
  @Test
  void noNumberIsTakenTwiceOverCrashes() {
    long seed = Long.getLong("gpdb.seed", 20_261_125);
    System.out.println("SequencesTest: seed " + seed);
    for (int run = 0; run < 30; run++) {
      crashes(new Random(seed + run));
    }
  }

  private static void crashes(Random random) {
    Set<Long> all = new HashSet<>();
    CrashableDirectory directory = new CrashableDirectory();
    try (Device device = device()) {
      try (TransactionManager manager = open(directory, device)) {
        Catalog catalog = Catalog.open(manager);
        created(manager, catalog, PLAIN);
        manager.checkpoint();
      }
      for (int life = 0; life < 6; life++) {
        CrashableDirectory left;
        TransactionManager manager = open(directory, device);
        Catalog catalog = Catalog.open(manager);
        SequenceDef sequence = found(manager, catalog, "S");
        int calls = random.nextInt(12);
        Transaction unfinished = manager.begin();
        catalog.createSequence(unfinished, otherName(life));
        SequenceDef other =
            Objects.requireNonNull(catalog.snapshot(unfinished).sequence("S" + life));
        for (int i = 0; i < calls; i++) {
          long[] some = new long[1 + random.nextInt(15)];
          catalog.sequences().take(sequence, some);
          for (long number : some) {
            assertThat(all.add(number)).as("number " + number).isTrue();
          }
          assertThat(catalog.sequences().take(other)).isEqualTo(1 + i);
          if (random.nextInt(8) == 0) {
            manager.checkpoint();
          }
        }
        left = directory.crash(CrashChoice.random(random.nextLong()));
        manager.abandon();
        directory.close();
        directory = left;
      }
    } finally {
      directory.close();
    }
  }

  private static SequenceDef otherName(int life) {
    return new SequenceDef(
        -1, "PUBLIC", "S" + life, SqlTypeSpec.BIGINT, 1, 1, 1, 1000, false, 2, -1, 1, false);
  }
}
