package io.gpdb.txn.change;

import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.txn.log.SectionSink;
import io.gpdb.txn.log.StringSection;
import io.gpdb.txn.version.TableVersions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How far the log or the home image holds what happened to the codes of each dictionary. A commit
 * logs the events that are missing, those of other transactions included, so that events in the log
 * have no gaps (invariant R6). Commits at one time may log the same events; the first counts.
 */
public final class LoggedStrings {
  private static final int SECTION_BYTES_MAX = 1 << 20;
  private static final int SECTION_EVENTS_MAX = 1 << 14;

  private final Map<Column, Long> durable = new ConcurrentHashMap<>();

  /** A column of a table; every commit makes one, and looks for it. */
  @SuppressWarnings("ReferenceEquality") // a table is itself
  public record Column(TableVersions table, int column) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Column that && table == that.table && column == that.column;
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(table) + column;
    }
  }

  /** All that has happened to the table's strings is durable. */
  void takeAll(TableVersions table) {
    for (int c : table.stringColumns()) {
      Dictionary dictionary = table.store().dictionary(c);
      if (dictionary != null) {
        durable.put(new Column(table, c), dictionary.events());
      }
    }
  }

  void forget(TableVersions table) {
    durable.keySet().removeIf(c -> c.table() == table);
  }

  /** Events before this one are durable. */
  public long durable(Column column) {
    return durable.getOrDefault(column, 0L);
  }

  /** The events before {@code end} are durable. */
  public void durable(Column column, long end) {
    durable.merge(column, end, Math::max);
    Dictionary dictionary = column.table().store().dictionary(column.column());
    if (dictionary != null) {
      dictionary.eventsLogged(end);
    }
  }

  /** Appends events from one to at most {@code end}; returns the next one to append. */
  public static long append(
      SectionSink record, TableVersions table, int column, long from, long end) {
    Dictionary dictionary = table.store().dictionary(column);
    if (dictionary == null) {
      return end;
    }
    int[] codes = new int[(int) Math.min(SECTION_EVENTS_MAX, end - from)];
    // Where others have logged some meanwhile, these are durable, and before this record.
    long first = dictionary.copyEvents(from, end, codes);
    int copied = (int) Math.min(codes.length, end - first);
    if (copied == 0) {
      return end;
    }
    byte[][] strings = new byte[copied][];
    int n = 0;
    long bytes = 0;
    for (; n < copied && bytes < SECTION_BYTES_MAX; n++) {
      strings[n] = codes[n] < 0 ? null : dictionary.bytesOrNull(codes[n]);
      codes[n] = codes[n] < 0 ? ~codes[n] : codes[n];
      bytes += StringSection.Strings.bytes(strings[n]);
    }
    StringSection.Strings.write(record, table.tableId(), column, first, n, codes, strings);
    return first + n;
  }
}
