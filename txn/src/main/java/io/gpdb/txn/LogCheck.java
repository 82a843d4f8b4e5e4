package io.gpdb.txn;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.storage.GpdbException;
import io.gpdb.storage.PrivateDirectory;
import io.gpdb.storage.StorageDirectory;
import io.gpdb.storage.TableSpace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the whole write-ahead log without applying it: segment headers, and in every segment the
 * records from its first one on, also those that the last checkpoint made superfluous.
 *
 * <p>The end of the log is no problem, and what lies behind it proves nothing by itself: recovery
 * tells damage from an unfinished write.
 */
final class LogCheck {
  private final StorageDirectory directory;
  private final long from;
  private final List<String> problems;

  /**
   * @param from the position up to which the home image holds all commits
   */
  LogCheck(StorageDirectory directory, long from, List<String> problems) {
    this.directory = directory;
    this.from = from;
    this.problems = problems;
  }

  /** Every problem of the logs in the directory. */
  static List<String> run(StorageDirectory directory) {
    List<String> problems = new ArrayList<>();
    new LogCheck(directory, TableSpace.checkpointedPosition(directory), problems).run();
    if (directory.exists(UndoLayout.FILE_NAME)) {
      PrivateDirectory copies = new PrivateDirectory(directory);
      try (copies;
          UndoLog undo = new UndoLog(copies, copies.open(UndoLayout.FILE_NAME, 0))) {
        undo.check(problems);
      } catch (GpdbException e) {
        problems.add(UndoLayout.FILE_NAME + ": " + e.getMessage());
      }
    }
    return problems;
  }

  private void run() {
    List<WalSegment> segments = new ArrayList<>();
    for (String name : directory.names()) {
      if (WalLayout.isFileName(name)) {
        read(name, segments);
      }
    }
    segments.sort(Comparator.comparingLong(WalSegment::start));
    for (int i = 0; i < segments.size(); i++) {
      long end = i + 1 < segments.size() ? segments.get(i + 1).start() : Long.MAX_VALUE;
      checkSegment(segments.get(i), end);
    }
  }

  private void read(String name, List<WalSegment> segments) {
    try {
      WalSegment segment = WalSegment.read(directory, name);
      if (segment == null) {
        problems.add("log segment without a whole header: file=" + name);
      } else {
        segments.add(segment);
      }
    } catch (GpdbException e) {
      problems.add(e.getMessage()); // it names the file
    }
  }

  /** Records follow each other at least to the next segment's start, or to the checkpoint. */
  private void checkSegment(WalSegment segment, long nextStart) {
    String file = WalLayout.fileName(segment.number());
    boolean last = nextStart == Long.MAX_VALUE;
    long needed = last ? Math.min(from, segment.limit()) : nextStart > from ? nextStart : 0;
    try (NativeChunks pool = new NativeChunks();
        WalReader reader = new WalReader(directory, pool, segment)) {
      long sequence = 0;
      for (WalRecord record = reader.nextHere(); record != null; record = reader.nextHere()) {
        sequence = checkRecord(record, sequence, file);
      }
      long next = segment.notedNext();
      if (last && next != 0) {
        problems.add(
            "log file missing: file=%s, which follows %s"
                .formatted(WalLayout.fileName(next), file));
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

  /** With the tables that the record tells of, as far as it can be read. */
  private static String place(WalRecord record, Set<Integer> tables, String file) {
    StringBuilder place =
        new StringBuilder("log record at position=%d, file=%s".formatted(record.position(), file));
    tables.forEach(table -> place.append(", table=").append(table));
    return place.toString();
  }
}
