package io.gpdb.storage.table;

import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.index.SampleKeys;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A table of an indexed id, a string and a nullable number, filled with values that follow from the
 * row's number.
 */
public final class SampleTables {
  public static final TableShape SHAPE =
      new TableShape(
          List.of(
              new ColumnShape("ID", ElementType.I64),
              new ColumnShape("NAME", ElementType.CODE),
              new ColumnShape("SCORE", ElementType.I32)),
          List.of(new IndexShape(1, new int[] {0}, true)));

  private SampleTables() {}

  /** Appends live rows whose ids are {@code salt + row}; every third score is NULL. */
  public static void append(TableStore table, int rows, long salt) {
    long first = table.appendRows(rows);
    long[] ids = new long[rows];
    for (int i = 0; i < rows; i++) {
      long row = first + i;
      Tablet tablet = table.tablet((int) (row / Tablet.ROWS));
      int at = (int) (row % Tablet.ROWS);
      tablet.latch().writeLock().lock();
      try {
        put(table, tablet, at, salt + row);
        tablet.liveCountAdd(1);
      } finally {
        tablet.latch().writeLock().unlock();
      }
      ids[i] = salt + row;
    }
    table.index(0).insertAll(SampleKeys.keys(first, ids), null);
  }

  private static void put(TableStore table, Tablet tablet, int at, long id) {
    byte[] name = name(id).getBytes(StandardCharsets.UTF_8);
    int code = Objects.requireNonNull(table.dictionary(1)).intern(name, 0, name.length);
    tablet.writableValues(0).onHost().segment().set(ValueLayout.JAVA_LONG, at * 8L, id);
    tablet.writableValues(1).onHost().segment().set(ValueLayout.JAVA_INT, at * 4L, code);
    if (id % 3 == 0) {
      setBit(tablet.writableValidity(2).onHost().segment(), at, false);
    } else {
      tablet.writableValues(2).onHost().segment().set(ValueLayout.JAVA_INT, at * 4L, (int) id * 7);
    }
    setBit(tablet.writableLive().onHost().segment(), at, true);
  }

  public static String name(long id) {
    return "name-" + id % 50;
  }

  public static void setBit(MemorySegment bitmap, int row, boolean on) {
    long at = (row >> 5) * 4L;
    int word = bitmap.get(ValueLayout.JAVA_INT, at);
    int bit = 1 << (row & 31);
    bitmap.set(ValueLayout.JAVA_INT, at, on ? word | bit : word & ~bit);
  }

  public static boolean bit(MemorySegment bitmap, int row) {
    return (bitmap.get(ValueLayout.JAVA_INT, (row >> 5) * 4L) >>> (row & 31) & 1) != 0;
  }

  /** Live rows as text, and whether the index finds each of them. */
  public static List<String> contents(TableStore table) {
    List<String> rows = new ArrayList<>();
    for (int t = 0; t < table.tabletCount(); t++) {
      Tablet tablet = table.tablet(t);
      for (int at = 0; at < tablet.rowCount(); at++) {
        if (bit(tablet.live().onHost().segment(), at)) {
          rows.add(row(table, tablet, at));
        }
      }
    }
    return rows;
  }

  private static String row(TableStore table, Tablet tablet, int at) {
    long id = tablet.values(0).onHost().segment().get(ValueLayout.JAVA_LONG, at * 8L);
    int code = tablet.values(1).onHost().segment().get(ValueLayout.JAVA_INT, at * 4L);
    HostBuffer bits = DeviceBuffer.onHostOrNull(tablet.validity(2));
    MemorySegment validity = bits == null ? null : bits.segment();
    boolean isNull = validity != null && !bit(validity, at);
    Object score =
        isNull ? "NULL" : tablet.values(2).onHost().segment().get(ValueLayout.JAVA_INT, at * 4L);
    String name = Objects.requireNonNull(table.dictionary(1)).string(code);
    long row = (long) tablet.number() * Tablet.ROWS + at;
    boolean found = table.index(0).contains(new long[] {id}, row);
    return id + "|" + name + "|" + score + (found ? "" : "|not indexed");
  }

  /** What {@link #contents} returns after {@link #append} with that salt. */
  public static List<String> expected(int rows, long salt) {
    List<String> expected = new ArrayList<>();
    for (long id = salt; id < salt + rows; id++) {
      expected.add(
          id + "|" + name(id) + "|" + (id % 3 == 0 ? "NULL" : String.valueOf((int) id * 7)));
    }
    return expected;
  }
}
