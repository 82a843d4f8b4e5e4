package io.gpdb.txn;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpdb.storage.Dictionary;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How much of each dictionary the log or the home image holds. A commit logs what is missing up to
 * the dictionary's present end, strings of other transactions included, so that codes in the log
 * have no gaps (invariant R6). The same strings may be logged twice by commits at one time.
 */
final class LoggedStrings {
  private static final int SECTION_BYTES_MAX = 1 << 20;

  private final Map<Column, Integer> durable = new ConcurrentHashMap<>();

  /** A column of a table. */
  record Column(TableVersions table, int column) {}

  /** All strings that the table has now are durable. */
  void takeAll(TableVersions table) {
    for (int c = 0; c < table.types().length; c++) {
      Dictionary dictionary = table.store().dictionary(c);
      if (dictionary != null) {
        durable.put(new Column(table, c), dictionary.size());
      }
    }
  }

  void forget(TableVersions table) {
    durable.keySet().removeIf(c -> c.table() == table);
  }

  int durable(Column column) {
    return durable.getOrDefault(column, 0);
  }

  /** The first {@code size} strings are durable. */
  void durable(Column column, int size) {
    durable.merge(column, size, Math::max);
  }

  /** Appends strings from {@code code} to at most {@code end}; returns the next one to append. */
  static int append(RecordBuffer record, TableVersions table, int column, int code, int end) {
    Dictionary dictionary = table.store().dictionary(column);
    if (dictionary == null) {
      return end;
    }
    int last = code;
    for (long bytes = 0; last < end && bytes < SECTION_BYTES_MAX; last++) {
      bytes += Integer.BYTES + dictionary.length(last);
    }
    record.section(SectionKind.DICTIONARY, 0, table.tableId(), -1, last - code, column, code);
    long bytes = 0;
    for (int c = code; c < last; c++) {
      bytes += Integer.BYTES + dictionary.length(c);
    }
    MemorySegment payload = record.reserve(bytes);
    long at = 0;
    for (int c = code; c < last; c++) {
      byte[] string = dictionary.bytes(c);
      payload.set(JAVA_INT.withByteAlignment(1), at, string.length);
      MemorySegment.copy(
          string, 0, payload, java.lang.foreign.ValueLayout.JAVA_BYTE, at + 4, string.length);
      at += Integer.BYTES + string.length;
    }
    return last;
  }
}
