package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.FaultyDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.log.WalLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** BACKUP: a snapshot of what is committed, as a database of its own. */
class BackupTest {
  private static final int WRITERS = 2;
  private static final int ACCOUNTS = 40;
  private static final String UNFINISHED = "home.gpdb.backup";

  @TempDir Path temp;

  private static TransactionManager bank(StorageDirectory directory, Protocol protocol) {
    TransactionManager manager = SampleDatabase.withTable(directory, protocol);
    Transaction tx = manager.begin();
    insert(tx, 0, WRITERS * ACCOUNTS, id -> 0);
    tx.commit();
    return manager;
  }

  /** Moves amounts between the accounts of one writer, so that their sum stays 0. */
  private static void transfer(
      TransactionManager manager, int writer, AtomicBoolean stop, AtomicLongArray acknowledged) {
    for (long round = 1; !stop.get(); round++) {
      long amount = round;
      int first = writer * ACCOUNTS;
      Transaction tx = manager.begin();
      update(
          tx,
          id -> id / ACCOUNTS == writer,
          id -> id % 2 == 0 ? amount * (id - first + 1) : -amount * (id - first));
      tx.commit();
      acknowledged.set(writer, amount);
    }
  }

  @ParameterizedTest
  @EnumSource
  void underLoadItHoldsEveryTransactionWholeAndAllThatWereAcknowledgedBefore(Protocol protocol)
      throws ExecutionException, InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLongArray acknowledged = new AtomicLongArray(WRITERS);
    try (CrashableDirectory medium = new CrashableDirectory();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        TransactionManager manager = bank(medium, protocol)) {
      List<Future<?>> writers = new ArrayList<>();
      for (int w = 0; w < WRITERS; w++) {
        int writer = w;
        Callable<Void> work =
            () -> {
              transfer(manager, writer, stop, acknowledged);
              return null;
            };
        writers.add(threads.submit(work));
      }
      try {
        for (int i = 0; i < 6; i++) {
          long[] before = {acknowledged.get(0), acknowledged.get(1)};
          assertBackup(manager, before);
          if (i % 2 == 0) {
            manager.checkpoint();
          }
        }
      } finally {
        stop.set(true);
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      assertThat(manager.space().check()).isEmpty();
    }
  }

  private static void assertBackup(TransactionManager manager, long[] before) {
    try (CrashableDirectory target = new CrashableDirectory()) {
      manager.backUp(target);
      try (CrashableDirectory durable = target.crash(CrashChoice.keepNothing());
          TransactionManager copy = SampleDatabase.open(durable, Protocol.REDO)) {
        Map<Integer, Long> rows = contents(copy);
        assertThat(rows).hasSize(WRITERS * ACCOUNTS);
        for (int w = 0; w < WRITERS; w++) {
          int first = w * ACCOUNTS;
          long round = rows.get(first);
          assertThat(round).isGreaterThanOrEqualTo(before[w]);
          for (int id = first; id < first + ACCOUNTS; id++) {
            long expected = id % 2 == 0 ? round * (id - first + 1) : -round * (id - first);
            assertThat(rows.get(id)).isEqualTo(expected);
          }
        }
        assertThat(rows.values().stream().mapToLong(Long::longValue).sum()).isZero();
        assertThat(copy.space().check()).isEmpty();
        assertThat(copy.space().databaseId()).isNotEqualTo(manager.space().databaseId());
        Transaction tx = copy.begin();
        insert(tx, 1_000_000, 3, id -> id);
        tx.commit();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void changesOfAnOpenTransactionAreNotInIt(Protocol protocol) {
    try (CrashableDirectory medium = new CrashableDirectory();
        TransactionManager manager = bank(medium, protocol);
        CrashableDirectory target = new CrashableDirectory()) {
      Map<Integer, Long> committed = contents(manager);
      Transaction open = manager.begin();
      insert(open, 500, 10, id -> id);
      update(open, id -> id % 3 == 0, id -> 77);
      manager.backUp(target);
      try (TransactionManager copy = SampleDatabase.open(target, Protocol.REDO)) {
        assertThat(contents(copy)).isEqualTo(committed);
        assertThat(copy.space().check()).isEmpty();
      }
      open.commit();
    }
  }

  @Test
  void aBackupWhoseLogWasDeletedIsRefused() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TransactionManager manager = bank(medium, Protocol.REDO);
        CrashableDirectory target = new CrashableDirectory()) {
      manager.backUp(target);
      TransactionManager copy = SampleDatabase.open(target, Protocol.REDO);
      Transaction tx = copy.begin();
      insert(tx, 1_000_000, 3, id -> id);
      tx.commit();
      copy.abandon();
      target.names().stream().filter(WalLayout::isFileName).toList().forEach(target::delete);
      assertThatThrownBy(() -> SampleDatabase.open(target, Protocol.REDO))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION))
          .hasMessageContaining("log file missing");
    }
  }

  @Test
  void aCrashAtAnyMomentLeavesACompleteDatabaseOrNone() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TransactionManager manager = bank(medium, Protocol.REDO);
        CrashableDirectory target = new CrashableDirectory()) {
      Map<Integer, Long> expected = contents(manager);
      List<CrashableDirectory> crashed = new ArrayList<>();
      target.listener((act, memory, offset, bytes) -> crashEachWay(target, crashed));
      manager.backUp(target);
      target.listener(null);
      crashEachWay(target, crashed);
      int complete = 0;
      for (CrashableDirectory left : crashed) {
        try (left) {
          complete += assertCompleteOrNone(left, expected) ? 1 : 0;
        }
      }
      assertThat(crashed).hasSizeGreaterThan(40);
      assertThat(complete).isBetween(3, 12);
    }
  }

  private static void crashEachWay(CrashableDirectory target, List<CrashableDirectory> crashed) {
    crashed.add(target.crash(CrashChoice.keepNothing()));
    crashed.add(target.crash(CrashChoice.keepAll()));
    crashed.add(target.crash(CrashChoice.random(crashed.size())));
  }

  private static boolean assertCompleteOrNone(
      CrashableDirectory left, Map<Integer, Long> expected) {
    if (left.exists("home.gpdb")) {
      try (TransactionManager copy = SampleDatabase.open(left, Protocol.REDO)) {
        assertThat(contents(copy)).isEqualTo(expected);
        assertThat(copy.space().check()).isEmpty();
        return true;
      }
    }
    if (!left.names().isEmpty()) {
      List<String> names = left.names();
      assertThat(names).startsWith(UNFINISHED).isSubsetOf(UNFINISHED, WalLayout.fileName(1));
      assertThatThrownBy(() -> SampleDatabase.open(left, Protocol.REDO))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANNOT_OPEN))
          .hasMessageContaining("cut short");
      assertThat(left.names()).isEqualTo(names);
    }
    return false;
  }

  @Test
  void aFailureAtAnyActLeavesNothingAndTheDatabaseGoesOn() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TransactionManager manager = bank(medium, Protocol.REDO)) {
      int failures = 0;
      boolean more = true;
      for (int k = 0; more; k++) {
        int failing = k;
        try (FaultyDirectory target = new FaultyDirectory(new CrashableDirectory())) {
          target.failWhen(act -> act.number() == failing);
          try {
            manager.backUp(target);
            more = target.acts() > failing; // a growth that fails is tried again with less
          } catch (GpdbException e) {
            assertThat(e.code()).isIn(ErrorCode.IO_ERROR, ErrorCode.DISK_FULL);
            assertThat(e.getSuppressed()).isEmpty();
            assertThat(target.names()).isEmpty();
            failures++;
          }
        }
      }
      assertThat(failures).isGreaterThan(10);
      Transaction tx = manager.begin();
      insert(tx, 700, 1, id -> id);
      tx.commit();
      assertThat(contents(manager)).hasSize(WRITERS * ACCOUNTS + 1);
    }
  }

  @Test
  void itGoesIntoANewOrAnEmptyDirectoryOnly() throws IOException {
    Path used = Files.createDirectory(temp.resolve("used"));
    Files.writeString(used.resolve("notes.txt"), "mine");
    Path file = Files.writeString(temp.resolve("file"), "mine");
    try (StorageDirectory own = FileDirectory.open(temp.resolve("db"), true);
        TransactionManager manager = bank(own, Protocol.REDO)) {
      assertRefused(manager, used, ErrorCode.FILE_EXISTS);
      assertRefused(manager, file, ErrorCode.CANNOT_OPEN);
      assertRefused(manager, temp.resolve("db"), ErrorCode.FILE_EXISTS);
      assertThat(Files.readString(used.resolve("notes.txt"))).isEqualTo("mine");
      assertThat(Files.readString(file)).isEqualTo("mine");
      manager.backUp(Files.createDirectory(temp.resolve("empty")));
      manager.backUp(temp.resolve("made"));
      assertRefused(manager, temp.resolve("made"), ErrorCode.FILE_EXISTS);
      assertRefused(manager, temp.resolve("a/b/c"), ErrorCode.CANNOT_OPEN);
      for (String made : List.of("empty", "made")) {
        try (StorageDirectory restored = FileDirectory.open(temp.resolve(made), false);
            TransactionManager copy = SampleDatabase.open(restored, Protocol.UNDO)) {
          assertThat(contents(copy)).isEqualTo(contents(manager));
        }
      }
    }
  }

  private static void assertRefused(TransactionManager manager, Path target, ErrorCode code) {
    assertThatThrownBy(() -> manager.backUp(target))
        .isInstanceOfSatisfying(GpdbException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  /** A log that is alone there may be all that is left of somebody's database. */
  @Test
  void aLogThatWasThereBeforeIsLeftAlone() {
    String log = WalLayout.fileName(1);
    try (CrashableDirectory medium = new CrashableDirectory();
        CrashableDirectory target = new CrashableDirectory();
        TransactionManager manager = bank(medium, Protocol.REDO)) {
      target.open(log, 4096).close();
      assertThatThrownBy(() -> manager.backUp(target))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_EXISTS));
      assertThat(target.names()).containsExactly(log);
    }
  }

  @Test
  void aDatabaseInMemoryIsBackedUpIntoFiles() {
    try (StorageDirectory memory = new VolatileDirectory("some");
        TransactionManager manager = bank(memory, Protocol.REDO)) {
      manager.backUp(temp.resolve("kept"));
      try (StorageDirectory restored = FileDirectory.open(temp.resolve("kept"), false)) {
        assertThat(TableSpace.checkFile(restored)).isEmpty();
        try (TransactionManager copy = SampleDatabase.open(restored, Protocol.REDO)) {
          assertThat(contents(copy)).isEqualTo(contents(manager));
        }
      }
    }
  }
}
