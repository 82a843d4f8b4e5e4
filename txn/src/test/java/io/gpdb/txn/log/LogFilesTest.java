package io.gpdb.txn.log;

import static io.gpdb.txn.SampleDatabase.DEVICE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener.Act;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.TxnOptions;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Small log files that follow each other, are retired, used again and read. */
@Timeout(60)
class LogFilesTest {
  private static final TxnOptions SMALL = TxnOptions.standard().withLogFileBytes(8 << 10);

  private final CrashableDirectory directory = new CrashableDirectory();
  @TempDir Path temp;
  private int rows;

  @AfterEach
  void close() {
    directory.close();
  }

  private static TransactionManager open(StorageDirectory files) {
    return TransactionManager.open(files, DEVICE, SMALL);
  }

  private TransactionManager made() {
    return made(directory);
  }

  private static TransactionManager made(StorageDirectory files) {
    TransactionManager manager = open(files);
    Transaction tx = manager.begin();
    tx.createTable(SampleDatabase.TABLE, SampleDatabase.shape());
    tx.commit();
    return manager;
  }

  private void add(TransactionManager manager, int n) {
    Transaction tx = manager.begin();
    insert(tx, rows, n, id -> id);
    tx.commit();
    rows += n;
  }

  private static List<String> logFiles(StorageDirectory files) {
    return files.names().stream().filter(WalLayout::isFileName).toList();
  }

  private void assertAllThere(CrashableDirectory files) {
    try (TransactionManager again = open(files)) {
      assertThat(contents(again)).isEqualTo(expected(0, rows, id -> id));
    }
  }

  @Test
  void everyPlaceOfAFileHoldsARecordThatSurvives() {
    TransactionManager manager = made();
    while (logFiles(directory).size() < 2) {
      add(manager, 5);
    }
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing())) {
      assertAllThere(left);
    }
    manager.abandon();
  }

  /** Also those that are a little longer than what is read at once. */
  @Test
  void recordsOfEveryLengthAreRead() {
    TransactionManager manager = made();
    for (int n : new int[] {1, 2700, 2760, 2820, 2880, 5460, 5520}) {
      add(manager, n);
    }
    manager.abandon();
    try (TransactionManager again = open(directory)) {
      assertThat(again.recovery().replayedTransactions()).isEqualTo(8);
      assertThat(Objects.requireNonNull(again.table(SampleDatabase.TABLE)).rowLimit())
          .isEqualTo(rows);
    }
  }

  @Test
  void filesGivenUpAreUsedAgain() {
    TransactionManager manager = made();
    long[] grown = {0};
    for (int round = 0; round < 5; round++) {
      if (round == 2) {
        directory.listener(
            (act, memory, offset, bytes) ->
                grown[0] += act == Act.GROW && WalLayout.isFileName(memory) ? 1 : 0);
      }
      String newest = logFiles(directory).getLast();
      while (logFiles(directory).getLast().equals(newest)) {
        add(manager, 20);
      }
      manager.checkpoint();
    }
    directory.listener(null);
    assertThat(grown[0]).isZero();
    assertThat(logFiles(directory)).hasSize(2);
    manager.abandon();
    assertAllThere(directory);
  }

  /** The log is going to be as long again; where it is not, two files are kept. */
  @Test
  void asManyFilesAreKeptAsACheckpointGaveUp() {
    TransactionManager manager = made();
    while (logFiles(directory).size() < 5) {
      add(manager, 100);
    }
    manager.checkpoint();
    assertThat(logFiles(directory)).as("the newest, and four given up").hasSize(5);
    add(manager, 1);
    manager.checkpoint();
    assertThat(logFiles(directory)).as("the newest, and two of them").hasSize(3);
    manager.abandon();
    assertAllThere(directory);
  }

  @Test
  void openingDeletesFilesThatHoldNothingOfTheLog() {
    TransactionManager manager = made();
    while (logFiles(directory).size() < 4) {
      add(manager, 100);
    }
    manager.checkpoint();
    manager.abandon();
    directory.open(WalLayout.fileName(99), 8192).close();
    TransactionManager again = open(directory);
    assertThat(logFiles(directory)).hasSize(1).doesNotContain(WalLayout.fileName(99));
    add(again, 10);
    assertThat(logFiles(directory)).doesNotContain(WalLayout.fileName(99));
    again.abandon();
    assertAllThere(directory);
  }

  /** Whatever of the close has arrived when the power fails, all commits are there. */
  @Test
  void closingKeepsOneShortFile() {
    TransactionManager manager = made();
    add(manager, 4000); // a record that is longer than the first files
    assertThat(directory.open(logFiles(directory).getLast(), 0).sizeBytes()).isGreaterThan(8 << 10);
    List<CrashableDirectory> left = new ArrayList<>();
    directory.listener(
        (act, memory, offset, bytes) -> {
          left.add(directory.crash(CrashChoice.keepNothing()));
          left.add(directory.crash(CrashChoice.random(left.size())));
        });
    manager.close();
    directory.listener(null);
    assertThat(logFiles(directory)).hasSize(1);
    assertThat(directory.open(logFiles(directory).getLast(), 0).sizeBytes()).isEqualTo(8 << 10);
    left.add(directory.crash(CrashChoice.keepNothing()));
    assertThat(left).hasSizeGreaterThan(20);
    for (CrashableDirectory found : left) {
      try (found) {
        assertAllThere(found);
      }
    }
  }

  @Test
  void closingOnAFullDiskKeepsTheFileThatThereIs() {
    TransactionManager manager = made();
    add(manager, 4000);
    String newest = logFiles(directory).getLast();
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (act == Act.GROW && WalLayout.isFileName(memory)) {
            throw new GpdbException(ErrorCode.DISK_FULL, "as asked for");
          }
        });
    manager.close();
    directory.listener(null);
    assertThat(logFiles(directory)).contains(newest);
    assertAllThere(directory);
  }

  /** W4. Also where the log has no record since the checkpoint. */
  @Test
  void eachOpeningWritesRecordsOfAGreaterEpoch() {
    made().close();
    int before = 0;
    for (int opening = 0; opening < 4; opening++) {
      TransactionManager manager = open(directory);
      add(manager, 1);
      int epoch = newestEpoch();
      assertThat(epoch).isGreaterThan(before);
      before = epoch;
      if (opening % 2 == 0) {
        manager.close();
        directory.names().forEach(name -> directory.open(name, 0));
      } else {
        manager.abandon();
      }
    }
    assertAllThere(directory);
  }

  private int newestEpoch() {
    WalSegment last =
        Objects.requireNonNull(WalSegment.read(directory, logFiles(directory).getLast(), null));
    int epoch = 0;
    try (DatabaseMemory memory = new DatabaseMemory();
        WalReader reader = new WalReader(directory, memory.work(), last)) {
      for (WalRecord record = reader.nextHere(); record != null; record = reader.nextHere()) {
        epoch = record.epoch();
      }
    }
    return epoch;
  }

  /** W7. A process that was killed between a store and its drain leaves it to be seen. */
  @Test
  void whatRecoveryHasSeenOfTheLogSurvivesALossOfPower() {
    TransactionManager manager = made();
    add(manager, 5);
    CrashableDirectory[] killed = new CrashableDirectory[1];
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (act == Act.DRAIN && WalLayout.isFileName(memory) && killed[0] == null) {
            killed[0] = kill();
          }
        });
    add(manager, 7);
    directory.listener(null);
    manager.abandon();
    try (CrashableDirectory left = Objects.requireNonNull(killed[0])) {
      open(left).abandon();
      try (CrashableDirectory dark = left.crash(CrashChoice.keepNothing())) {
        assertAllThere(dark);
      }
    }
  }

  /** As {@link CrashableDirectory#crash}, but what was stored is not durable yet. */
  private CrashableDirectory kill() {
    CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
    for (String name : directory.names()) {
      PersistentMemory from = directory.open(name, 0);
      PersistentMemory to = left.open(name, from.sizeBytes());
      byte[] page = new byte[4096];
      for (long at = 0; at < from.sizeBytes(); at += page.length) {
        MemorySegment whole = MemorySegment.ofArray(page);
        from.load(at, whole);
        to.store(at, whole);
      }
    }
    return left;
  }

  /** The last record is short, and the last in its file: a longer one begins the next file. */
  @Test
  void aTransactionOfSeveralFilesIsReadAgainAcrossTheirBorders() {
    try (StorageDirectory files = FileDirectory.open(temp.resolve("db"), true)) {
      TransactionManager manager = made(files);
      add(manager, 1);
      add(manager, 200_000);
      add(manager, 400);
      add(manager, 3);
      manager.abandon();
      try (TransactionManager again = open(files)) {
        assertThat(Objects.requireNonNull(again.table(SampleDatabase.TABLE)).rowLimit())
            .isEqualTo(rows);
        assertThat(again.recovery().replayedTransactions()).isEqualTo(5);
        assertThat(again.check()).isEmpty();
      }
    }
  }
}
