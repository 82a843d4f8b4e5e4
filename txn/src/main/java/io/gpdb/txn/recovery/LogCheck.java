package io.gpdb.txn.recovery;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.PrivateDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.txn.log.ArrivedValues;
import io.gpdb.txn.log.CheckpointState;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.log.WalReader;
import io.gpdb.txn.log.WalRecord;
import io.gpdb.txn.log.WalSegment;
import io.gpdb.txn.protocol.UndoLayout;
import io.gpdb.txn.protocol.UndoLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the whole write-ahead log without applying it: segment headers, and in every segment the
 * records from its first one on, also those that the last checkpoint made superfluous.
 *
 * <p>Whether the log ends where it may, and whether a file without a whole header was in use, is
 * judged as opening does, by {@link WalReader}: such a file that nothing notes is what a kill or a
 * loss of power leaves of one in the making.
 */
public final class LogCheck {
  private final StorageDirectory directory;
  private final @Nullable TableSpace space;
  private final DatabaseMemory memory;
  private final List<String> problems;

  /** Transactions whose commits the log holds. */
  private final Set<Long> finished = new HashSet<>();

  /** With which the log ends. */
  private long lastCommit;

  /**
   * @param space what the log goes on from; null when it cannot be read
   */
  private LogCheck(
      StorageDirectory directory,
      @Nullable TableSpace space,
      DatabaseMemory memory,
      List<String> problems) {
    this.directory = directory;
    this.space = space;
    this.memory = memory;
    this.problems = problems;
  }

  /** Every problem of the logs in the directory. */
  public static List<String> run(StorageDirectory directory) {
    return run(directory, HostMemory.INSTANCE);
  }

  /**
   * Every problem of the logs in the directory.
   *
   * @param hostMemory for what is read of them
   */
  public static List<String> run(StorageDirectory directory, DeviceMemory hostMemory) {
    List<String> problems = new ArrayList<>();
    try (StorageDirectory copies = new PrivateDirectory(directory);
        DatabaseMemory memory = new DatabaseMemory(hostMemory)) {
      try (TableSpace space = checkpointed(copies, hostMemory)) {
        LogCheck check = new LogCheck(copies, space, memory, problems);
        check.run();
        if (directory.exists(UndoLayout.FILE_NAME)) {
          check.checkUndoLog();
        }
      }
    }
    return problems;
  }

  /** Null when there is none that is whole; the check of the home file reports that. */
  private static @Nullable TableSpace checkpointed(
      StorageDirectory directory, DeviceMemory hostMemory) {
    try {
      return TableSpace.openToRecover(directory, true, hostMemory);
    } catch (GpdbException e) {
      return null;
    }
  }

  /** After the log was read: records of what it has committed need not be whole. */
  private void checkUndoLog() {
    UUID databaseId = space == null ? null : space.databaseId();
    PersistentMemory none = directory.open(UndoLayout.FILE_NAME, 0); // nothing is put back
    try (UndoLog undo = new UndoLog(directory, none, databaseId)) {
      undo.check(finished, lastCommit, problems);
    } catch (GpdbException e) {
      problems.add(UndoLayout.FILE_NAME + ": " + e.getMessage());
    }
  }

  private void run() {
    List<WalSegment> segments = new ArrayList<>();
    List<String> headless = new ArrayList<>();
    for (String name : directory.names()) {
      if (WalLayout.isFileName(name)) {
        read(name, segments, headless);
      }
    }
    TableSpace start = space;
    String damage = start == null ? "" : damageOf(start);
    if (start == null || !damage.isEmpty()) {
      headless.forEach(name -> problems.add("log segment without a whole header: file=" + name));
    }
    long from = start == null ? 0 : start.checkpointedWalPosition();
    segments.sort(Comparator.comparingLong(WalSegment::start));
    for (int i = 0; i < segments.size(); i++) {
      long end = i + 1 < segments.size() ? segments.get(i + 1).start() : Long.MAX_VALUE;
      checkSegment(segments.get(i), from, end);
    }
    if (!damage.isEmpty() && !problems.contains(damage)) {
      problems.add(damage);
    }
  }

  private void read(String name, List<WalSegment> segments, List<String> headless) {
    try {
      UUID databaseId = space == null ? null : space.databaseId();
      WalSegment segment = WalSegment.read(directory, name, databaseId);
      if (segment == null) {
        headless.add(name);
      } else {
        segments.add(segment);
      }
    } catch (GpdbException e) {
      problems.add(e.getMessage()); // it names the file
    }
  }

  /** Why opening refuses the log; empty where it does not. */
  private String damageOf(TableSpace start) {
    try {
      CheckpointState state = CheckpointState.decode(start.checkpointedState());
      lastCommit = state.sequence();
      int epoch = state.epoch();
      long from = start.checkpointedWalPosition();
      ArrivedValues arrived = new ArrivedValues(start);
      try (WalReader reader =
          new WalReader(directory, memory.work(), start.databaseId(), arrived, from, epoch)) {
        for (WalRecord record = reader.next(); record != null; record = reader.next()) {
          if (record.isLast()) {
            finished.add(record.transactionId());
            lastCommit = Math.max(lastCommit, record.sequence());
          }
        }
      }
      return "";
    } catch (GpdbException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Records follow each other at least to the next segment's start, or to the checkpoint. */
  private void checkSegment(WalSegment segment, long from, long nextStart) {
    String file = WalLayout.fileName(segment.number());
    boolean last = nextStart == Long.MAX_VALUE;
    long needed = last ? Math.min(from, segment.limit()) : nextStart > from ? nextStart : 0;
    try (WalReader reader = new WalReader(directory, memory.work(), segment)) {
      long sequence = 0;
      for (WalRecord record = reader.nextHere(); record != null; record = reader.nextHere()) {
        sequence = checkRecord(record, sequence, file);
      }
      if (reader.position() < needed) {
        problems.add(
            "log ends at position=%d, but goes on to %d, file=%s: %s"
                .formatted(reader.position(), needed, file, reader.tornTail()));
      }
    } catch (GpdbException e) {
      problems.add(file + ": " + e.getMessage());
    }
  }

  private long checkRecord(WalRecord record, long before, String file) {
    boolean known = record.kind() == WalLayout.KIND_COMMIT;
    Set<Integer> tables = new TreeSet<>();
    List<String> found = new ArrayList<>();
    try {
      record.forEachSection(section -> tables.add(section.tableId()));
      if (known) {
        checkOrder(record, before, found);
      }
    } catch (GpdbException e) {
      if (known) {
        found.add(e.getMessage());
      }
    }
    if (!known) {
      found.add("unknown kind=" + record.kind());
    }
    if (!found.isEmpty()) {
      String place = place(record, tables, file);
      found.forEach(problem -> problems.add(place + ": " + problem));
    }
    return known && record.isLast() ? Math.max(before, record.sequence()) : before;
  }

  private static void checkOrder(WalRecord record, long before, List<String> found) {
    if (record.isLast() && record.sequence() <= before) {
      found.add("sequence=%d after %d".formatted(record.sequence(), before));
    }
    long batchStart = record.content().get(JAVA_LONG, WalLayout.RECORD_BATCH_START_AT);
    if (batchStart > record.position()) {
      found.add("batch begins behind it, at " + batchStart);
    }
  }

  /** With the tables that the record changes, as far as it can be read. */
  private static String place(WalRecord record, Set<Integer> tables, String file) {
    StringBuilder place =
        new StringBuilder("log record at position=%d, file=%s".formatted(record.position(), file));
    tables.forEach(table -> place.append(", table=").append(table));
    return place.toString();
  }
}
