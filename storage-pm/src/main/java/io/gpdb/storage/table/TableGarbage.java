package io.gpdb.storage.table;

import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.index.Index;

/**
 * How much of a table is provably garbage. A part of a table is rows, a dictionary or an index; it
 * has at most as many useful elements as there are live rows, because a column has not more
 * distinct strings than that, and an index not more keys.
 *
 * @param bytes what all parts take
 * @param garbageBytes what is garbage of the parts more than half of which are
 * @param overgrown whether some part has more than {@link #OVERGROWN} elements for each useful one
 */
public record TableGarbage(long bytes, long garbageBytes, boolean overgrown) {
  /** Elements for each useful one beyond which a part is overgrown. */
  public static final int OVERGROWN = 4;

  /** Parts with less garbage than this are never overgrown. */
  public static final long LITTLE_BYTES = 1 << 20;

  private static final TableGarbage NONE = new TableGarbage(0, 0, false);
  private static final int ENTRY_BYTES = 8;

  /** Judges the table as it is now; others may write meanwhile. */
  public static TableGarbage of(TableStore table) {
    return of(table, false);
  }

  /**
   * As {@link #of(TableStore)}.
   *
   * @param released whether strings are released while writers go on: then dictionaries are never
   *     overgrown
   */
  public static TableGarbage of(TableStore table, boolean released) {
    long live = 0;
    for (int t = 0; t < table.tabletCount(); t++) {
      live += table.tablet(t).liveCount();
    }
    long rowBits = 1;
    for (ColumnShape column : table.shape().columns()) {
      rowBits += column.type().bytes() * 8L;
    }
    TableGarbage all = part(table.rowLimit(), live, table.rowLimit() * rowBits / 8);
    for (Dictionary dictionary : table.dictionaries()) {
      long entryBytes = (long) dictionary.size() * ENTRY_BYTES;
      TableGarbage part = part(dictionary.usedCodes(), live, entryBytes + dictionary.bytesUsed());
      all = all.plus(released ? part.notOvergrown() : part);
    }
    for (int i = 0; i < table.indexCount(); i++) {
      Index index = table.index(i);
      long entries = index.entryCount();
      all = all.plus(part(entries, live, entries * index.entryBytes()));
    }
    return all;
  }

  private static TableGarbage part(long elements, long live, long bytes) {
    if (elements <= 2 * live) {
      return new TableGarbage(bytes, 0, false);
    }
    long garbage = (long) ((double) bytes * (elements - live) / elements);
    return new TableGarbage(bytes, garbage, garbage > LITTLE_BYTES && elements > OVERGROWN * live);
  }

  private TableGarbage notOvergrown() {
    return new TableGarbage(bytes, garbageBytes, false);
  }

  private TableGarbage plus(TableGarbage other) {
    return new TableGarbage(
        bytes + other.bytes, garbageBytes + other.garbageBytes, overgrown || other.overgrown);
  }

  /** That of a table that is not there. */
  public static TableGarbage none() {
    return NONE;
  }
}
