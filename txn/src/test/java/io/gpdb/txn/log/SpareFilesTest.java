package io.gpdb.txn.log;

import static io.gpdb.txn.SampleDatabase.DEVICE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.FaultyDirectory;
import io.gpdb.simulation.medium.FaultyDirectory.Fault;
import io.gpdb.simulation.medium.PersistListener.Act;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.LogFilesAhead;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The next file of the log, made before it is needed, and files that are taken again. */
@Timeout(60)
class SpareFilesTest {
  private static final int FILE_BYTES = 16 << 10;
  private static final int LITTLE = 10;
  private static final int MORE = 150;
  private static final int LONG = 2000; // a record longer than a file

  private final CrashableDirectory directory = new CrashableDirectory();
  private int rows;

  @AfterEach
  void close() {
    directory.listener(null);
    directory.close();
  }

  private static TransactionManager open(StorageDirectory files) {
    TxnOptions options =
        TxnOptions.standard().withLogFileBytes(FILE_BYTES).withLogFilesAhead(LogFilesAhead.AT_ONCE);
    return open(files, options);
  }

  private static TransactionManager open(StorageDirectory files, TxnOptions options) {
    TransactionManager manager = TransactionManager.open(files, DEVICE, options);
    if (manager.space().table(SampleDatabase.TABLE) == null) {
      Transaction tx = manager.begin();
      tx.createTable(SampleDatabase.TABLE, SampleDatabase.shape());
      tx.commit();
    }
    return manager;
  }

  private void add(TransactionManager manager, int n) {
    Transaction tx = manager.begin();
    try {
      insert(tx, rows, n, id -> id);
      tx.commit();
      rows += n;
    } catch (GpdbException e) {
      tx.rollback();
      throw e;
    }
  }

  private static List<String> logFiles(StorageDirectory files) {
    return files.names().stream().filter(WalLayout::isFileName).toList();
  }

  /** Commits until there is one file more than before. */
  private void addUntilAFileIsMade(TransactionManager manager, StorageDirectory files) {
    int before = logFiles(files).size();
    while (logFiles(files).size() == before) {
      add(manager, LITTLE);
    }
  }

  private boolean isWritten(String name) {
    return WalSegment.read(directory, name, null) != null;
  }

  @Test
  void theNextFileIsMadeHalfwayAndNothingElseWhereItBegins() {
    TransactionManager manager = open(directory);
    addUntilAFileIsMade(manager, directory);
    for (int file = 0; file < 3; file++) {
      long made = manager.logPosition();
      String next = logFiles(directory).getLast();
      assertThat(isWritten(next)).isFalse();
      List<Act> acts = new ArrayList<>();
      directory.listener((act, memory, offset, bytes) -> acts.add(act));
      while (!isWritten(next)) {
        acts.clear();
        add(manager, LITTLE);
      }
      directory.listener(null);
      assertThat(acts).doesNotContain(Act.GROW, Act.NAMES);
      assertThat(manager.logPosition() - made).isGreaterThan(FILE_BYTES / 4);
      addUntilAFileIsMade(manager, directory);
    }
    manager.abandon();
  }

  /** A long commit fills a half of it before the first of its records is there. */
  @Test
  void behindAFileOfFullLengthTheNextIsMadeAtOnce() {
    for (long bytes : new long[] {Wal.SEGMENT_BYTES_MAX / 2, Wal.SEGMENT_BYTES_MAX}) {
      try (CrashableDirectory files = new CrashableDirectory();
          Wal wal =
              new Wal(
                  files,
                  new UUID(1, 2),
                  List.of(),
                  0,
                  1,
                  1,
                  bytes,
                  LogFilesAhead.AT_ONCE,
                  SharedWork.ALONE)) {
        wal.openSegment(0);
        assertThat(logFiles(files)).hasSize(bytes == Wal.SEGMENT_BYTES_MAX ? 2 : 1);
      }
    }
  }

  /** All stores arrive, and of a growth the first page. */
  private static int storesWithoutSizes(String memory, long offset, int candidates) {
    return Math.min(candidates - 1, offset == CrashChoice.SIZE_OFFSET ? 1 : Integer.MAX_VALUE);
  }

  /** Files are made ahead, taken again under another name, and given up. */
  @Test
  void aLossOfPowerAtAnyActLosesNoCommitAndKeepsNoPart() {
    TransactionManager manager = open(directory);
    List<CrashableDirectory> left = new ArrayList<>();
    List<Integer> acknowledged = new ArrayList<>();
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (act != Act.FLUSH && (WalLayout.isFileName(memory) || act == Act.NAMES)) {
            for (CrashChoice choice :
                List.of(CrashChoice.keepNothing(), SpareFilesTest::storesWithoutSizes)) {
              left.add(directory.crash(choice));
              acknowledged.add(rows);
            }
          }
        });
    while (logFiles(directory).size() < 4) {
      add(manager, MORE);
    }
    manager.checkpoint();
    int end = rows * 2;
    while (rows < end) {
      add(manager, MORE);
    }
    directory.listener(null);
    manager.abandon();
    for (int i = 0; i < left.size(); i++) {
      try (CrashableDirectory found = left.get(i);
          TransactionManager again = open(found)) {
        Map<Integer, Long> there = contents(again);
        assertThat(there.size()).isIn(acknowledged.get(i), acknowledged.get(i) + MORE);
        assertThat(there).isEqualTo(expected(0, there.size(), id -> id));
      }
    }
  }

  @Test
  void aFullDiskFailsTheCommitThatNeedsTheFileAndNoneBefore() {
    FaultyDirectory faulty = new FaultyDirectory(directory);
    TransactionManager manager = open(faulty);
    for (boolean atOpening : new boolean[] {true, false}) {
      int before = logFiles(directory).size();
      int[] grown = {0};
      faulty.failWhen(
          act ->
              act.fault() == Fault.GROW
                  && WalLayout.isFileName(act.memory())
                  && (atOpening || grown[0]++ % 2 == 1));
      long start = manager.logPosition();
      assertThatThrownBy(
              () -> {
                while (rows < 10_000) {
                  add(manager, LITTLE);
                }
              })
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL));
      assertThat(manager.logPosition() - start).isGreaterThan(FILE_BYTES / 4);
      assertThat(logFiles(directory)).as("nothing of the new file stays").hasSize(before);
      faulty.failWhen(act -> false);
      addUntilAFileIsMade(manager, directory);
    }
    manager.abandon();
    try (TransactionManager again = open(directory)) {
      assertThat(contents(again)).isEqualTo(expected(0, rows, id -> id));
    }
  }

  @Test
  void aFullDiskTakesTheFilesThatAreKept() {
    FaultyDirectory faulty = new FaultyDirectory(directory);
    TransactionManager manager = open(faulty);
    for (boolean commits : new boolean[] {true, false}) {
      while (logFiles(directory).size() < 5) {
        add(manager, MORE);
      }
      manager.checkpoint();
      add(manager, LITTLE);
      assertThat(logFiles(directory)).hasSizeGreaterThan(3);
      faulty.failWhen(act -> act.fault() == Fault.GROW && act.memory().equals("home.gpdb"));
      assertThatThrownBy(() -> fillHome(manager, commits))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL));
      assertThat(logFiles(directory)).as("commits=%s", commits).hasSizeLessThan(3);
      faulty.failWhen(act -> false);
    }
    manager.close();
  }

  /** Writes to the home file by commits or by checkpoints until one fails. */
  private void fillHome(TransactionManager manager, boolean commits) {
    for (int i = 0; i < 100; i++) {
      Transaction tx = manager.begin();
      try {
        tx.protocol(commits ? Protocol.CHECKSUMMED : Protocol.REDO);
        insert(tx, rows, LONG, id -> id);
        tx.commit();
      } catch (GpdbException e) {
        tx.rollback();
        throw e;
      }
      rows += LONG;
      if (!commits) {
        manager.checkpoint();
      }
    }
  }

  /** A5. What the medium holds is not known then, though no commit waited for it. */
  @Test
  void aFailedSyncOfAFileMadeAheadPoisonsTheCommitThatNeedsIt() {
    FaultyDirectory faulty = new FaultyDirectory(directory);
    TransactionManager manager = open(faulty);
    String first = logFiles(directory).getLast();
    int[] failed = {0};
    faulty.failWhen(
        act ->
            act.fault() == Fault.DRAIN
                && WalLayout.isFileName(act.memory())
                && !act.memory().equals(first)
                && failed[0]++ == 0);
    assertThatThrownBy(
            () -> {
              while (rows < 10_000) {
                add(manager, LITTLE);
              }
            })
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.POISONED));
    assertThatThrownBy(manager::begin).isInstanceOf(GpdbException.class);
    manager.abandon();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = open(left)) {
      assertThat(contents(again)).isEqualTo(expected(0, rows, id -> id));
    }
  }

  @Test
  void aRecordThatIsLongerThanTheFileMadeAheadGetsOneOfItsOwn() {
    TransactionManager manager = open(directory);
    addUntilAFileIsMade(manager, directory);
    String made = logFiles(directory).getLast();
    add(manager, LONG);
    assertThat(logFiles(directory)).hasSize(3).doesNotContain(made);
    manager.abandon();
    try (TransactionManager again = open(directory)) {
      assertThat(contents(again)).isEqualTo(expected(0, rows, id -> id));
    }
  }

  @Test
  void openingDeletesAFileThatWasMadeAhead() {
    TransactionManager manager = open(directory);
    addUntilAFileIsMade(manager, directory);
    manager.abandon();
    assertThat(logFiles(directory)).hasSize(2);
    open(directory).abandon();
    assertThat(logFiles(directory)).hasSize(1);
  }

  @Test
  void closingDeletesIt() {
    TransactionManager manager = open(directory);
    addUntilAFileIsMade(manager, directory);
    manager.close();
    assertThat(logFiles(directory)).hasSize(1);
  }

  /** Files of the usual size; whoever needs the file before it is made waits for that. */
  @Test
  void aThreadMakesTheNextFileWhileCommitsGoOn() {
    TransactionManager manager = open(directory, TxnOptions.standard());
    Thread writer = Thread.currentThread();
    AtomicBoolean ended = new AtomicBoolean();
    Set<String> growing = ConcurrentHashMap.newKeySet();
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (act == Act.GROW && WalLayout.isFileName(memory)) {
            growing.add(Thread.currentThread().getName());
            while (Thread.currentThread() != writer
                && writer.getState() != Thread.State.WAITING
                && !ended.get()) {
              Thread.yield();
            }
          }
        });
    while (manager.logPosition() < TxnOptions.DEFAULT_LOG_FILE_BYTES) {
      add(manager, LONG);
    }
    ended.set(true);
    manager.abandon();
    directory.listener(null);
    assertThat(growing).containsExactly("gpdb-log-file");
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = open(left)) {
      assertThat(contents(again)).isEqualTo(expected(0, rows, id -> id));
    }
  }
}
