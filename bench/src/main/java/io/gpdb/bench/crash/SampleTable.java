package io.gpdb.bench.crash;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table whose rows say whether they are whole: (ID I32 with a unique index, AMOUNT I64, WEIGHT
 * F64, NOTE CODE), with an ordered index over NOTE and AMOUNT. WEIGHT and NOTE follow from AMOUNT;
 * AMOUNT and WEIGHT are NULL for {@link #NULL}. Columns that are added to it, I64 and CODE by
 * turns, follow from AMOUNT too, or have what they were added with.
 */
final class SampleTable {
  static final long NULL = Long.MIN_VALUE;

  /** Amounts from here on have notes of 4 KiB. */
  static final long LONG_NOTE = 1L << 40;

  private static final String LONG_NOTE_END = " and so on".repeat(410);

  private static final int ID = 0;
  private static final int AMOUNT = 1;
  private static final int WEIGHT = 2;
  private static final int NOTE = 3;
  private static final int FIRST_ADDED = 4;

  /** What rows have in a column of numbers when it is added. */
  private static final long ADDED = 77;

  /** What they have in a column of strings. */
  private static final String ADDED_NOTE = "was here before";

  static final TableShape SHAPE =
      new TableShape(
          List.of(
              new ColumnShape("ID", ElementType.I32),
              new ColumnShape("AMOUNT", ElementType.I64),
              new ColumnShape("WEIGHT", ElementType.F64),
              new ColumnShape("NOTE", ElementType.CODE)),
          List.of(
              new IndexShape(0, new int[] {ID}, true),
              new IndexShape(
                  1,
                  IndexKind.ORDERED,
                  new int[] {NOTE, AMOUNT},
                  new boolean[] {false, true},
                  false)));

  private SampleTable() {}

  /**
   * The text of NOTE: few are equal, so that dictionaries grow; those of great amounts are long.
   */
  static String note(long amount) {
    String note = amount == NULL ? "none" : "note of " + Math.floorMod(amount, 1009);
    return amount < LONG_NOTE ? note : note + LONG_NOTE_END;
  }

  static void insert(Transaction tx, int table, SortedMap<Integer, Long> rows) {
    try (Arena arena = Arena.ofConfined()) {
      int[] ids = rows.keySet().stream().mapToInt(Integer::intValue).toArray();
      long[] amounts = rows.values().stream().mapToLong(Long::longValue).toArray();
      List<ColumnView> columns = new ArrayList<>(List.of(ids(arena, ids)));
      columns.addAll(values(tx, table, arena, amounts));
      tx.writer(table).insert(columns.toArray(ColumnView[]::new), ids.length);
    }
  }

  /** A column of numbers or of strings, for the rows that there are. */
  static void addColumn(Transaction tx, int table) {
    tx.fenceTable(table);
    int column = tx.reader(table).columnCount();
    boolean strings = isString(column);
    tx.addColumn(
        table,
        new ColumnShape("ADDED" + column, strings ? ElementType.CODE : ElementType.I64),
        ADDED,
        strings ? ADDED_NOTE.getBytes(UTF_8) : null,
        false);
  }

  private static boolean isString(int column) {
    return column == NOTE || (column >= FIRST_ADDED && column % 2 == 1);
  }

  /** An index of its own, of ids or of amounts, with the keys of the rows that there are. */
  static void addIndex(Transaction tx, int table, int indexId, boolean unique) {
    tx.fenceTable(table);
    int[] columns = {unique ? ID : AMOUNT};
    IndexKind kind = indexId % 2 == 0 ? IndexKind.HASH : IndexKind.ORDERED;
    tx.addIndex(table, new IndexShape(indexId, kind, columns, unique));
  }

  private static int[] columns(TableReader reader, int from) {
    return IntStream.range(from, reader.columnCount()).toArray();
  }

  /** The columns behind the first. */
  private static List<ColumnView> values(Transaction tx, int table, Arena arena, long[] amounts) {
    List<ColumnView> columns = new ArrayList<>();
    for (int c : columns(tx.reader(table), AMOUNT)) {
      columns.add(
          c == AMOUNT
              ? amounts(arena, amounts)
              : c == WEIGHT
                  ? weights(arena, amounts)
                  : isString(c)
                      ? notes(tx, table, c, arena, amounts)
                      : followers(arena, amounts, c));
    }
    return columns;
  }

  private static ColumnView followers(Arena arena, long[] amounts, int column) {
    MemorySegment values = values(arena, ElementType.I64, amounts.length);
    for (int i = 0; i < amounts.length; i++) {
      ElementType.I64.setRawAt(values, i, follower(amounts[i], column));
    }
    return ColumnView.mapped(HostMemory.INSTANCE, ElementType.I64, values, null);
  }

  private static long follower(long amount, int column) {
    return amount == NULL ? -column : amount + column;
  }

  private static MemorySegment values(Arena arena, ElementType type, int n) {
    return arena.allocate(Math.max(8, (long) n * type.bytes()), 8);
  }

  private static ColumnView ids(Arena arena, int[] ids) {
    MemorySegment values = values(arena, ElementType.I32, ids.length);
    MemorySegment.copy(ids, 0, values, JAVA_INT, 0, ids.length);
    return ColumnView.mapped(HostMemory.INSTANCE, ElementType.I32, values, null);
  }

  private static ColumnView amounts(Arena arena, long[] amounts) {
    MemorySegment values = values(arena, ElementType.I64, amounts.length);
    for (int i = 0; i < amounts.length; i++) {
      ElementType.I64.setRawAt(values, i, amounts[i] == NULL ? 0 : amounts[i]);
    }
    return ColumnView.mapped(
        HostMemory.INSTANCE, ElementType.I64, values, validity(arena, amounts));
  }

  private static ColumnView weights(Arena arena, long[] amounts) {
    MemorySegment values = values(arena, ElementType.F64, amounts.length);
    for (int i = 0; i < amounts.length; i++) {
      ElementType.F64.setRawAt(values, i, rawWeight(amounts[i]));
    }
    return ColumnView.mapped(
        HostMemory.INSTANCE, ElementType.F64, values, validity(arena, amounts));
  }

  private static long rawWeight(long amount) {
    return amount == NULL ? 0 : Double.doubleToRawLongBits(amount * 0.5);
  }

  private static @Nullable MemorySegment validity(Arena arena, long[] amounts) {
    MemorySegment words = arena.allocate((amounts.length + 31) / 32 * 4L, 8);
    boolean any = false;
    for (int i = 0; i < amounts.length; i++) {
      if (amounts[i] == NULL) {
        any = true;
      } else {
        words.setAtIndex(JAVA_INT, i >> 5, words.getAtIndex(JAVA_INT, i >> 5) | 1 << i);
      }
    }
    return any ? words : null;
  }

  private static ColumnView notes(
      Transaction tx, int table, int column, Arena arena, long[] amounts) {
    MemorySegment values = values(arena, ElementType.CODE, amounts.length);
    tx.usesCodes();
    CodedStrings dictionary = Objects.requireNonNull(tx.reader(table).strings(column));
    for (int i = 0; i < amounts.length; i++) {
      byte[] text = note(amounts[i]).getBytes(UTF_8);
      values.setAtIndex(JAVA_INT, i, dictionary.intern(text, 0, text.length));
    }
    return ColumnView.mapped(HostMemory.INSTANCE, ElementType.CODE, values, null);
  }

  /** Sets new amounts in the rows of these ids; one statement, a launch for each tablet. */
  static void update(Transaction tx, int table, SortedMap<Integer, Long> amounts) {
    for (Map.Entry<Integer, List<Row>> tablet : rowsOf(tx, table, amounts.keySet())) {
      List<Row> rows = tablet.getValue();
      long[] values = new long[rows.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = Objects.requireNonNull(amounts.get(rows.get(i).id));
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment places = places(arena, rows);
        tx.writer(table)
            .update(
                tablet.getKey(),
                HostMemory.INSTANCE.map(places),
                rows.size(),
                columns(tx.reader(table), AMOUNT),
                values(tx, table, arena, values).toArray(ColumnView[]::new));
      }
    }
    tx.writer(table).finishStatement();
  }

  /** Sets other ids in the rows of these ids. */
  static void rekey(Transaction tx, int table, SortedMap<Integer, Integer> newIds) {
    for (Map.Entry<Integer, List<Row>> tablet : rowsOf(tx, table, newIds.keySet())) {
      List<Row> rows = tablet.getValue();
      int[] ids = rows.stream().mapToInt(r -> Objects.requireNonNull(newIds.get(r.id))).toArray();
      try (Arena arena = Arena.ofConfined()) {
        ColumnView[] columns = {ids(arena, ids)};
        MemorySegment places = places(arena, rows);
        tx.writer(table)
            .update(
                tablet.getKey(),
                HostMemory.INSTANCE.map(places),
                ids.length,
                new int[] {ID},
                columns);
      }
    }
    tx.writer(table).finishStatement();
  }

  static void delete(Transaction tx, int table, Iterable<Integer> ids) {
    for (Map.Entry<Integer, List<Row>> tablet : rowsOf(tx, table, ids)) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment places = places(arena, tablet.getValue());
        tx.writer(table)
            .delete(tablet.getKey(), HostMemory.INSTANCE.map(places), tablet.getValue().size());
      }
    }
  }

  private record Row(int place, int id) {}

  private static MemorySegment places(Arena arena, List<Row> rows) {
    MemorySegment places = arena.allocate(rows.size() * 4L, 8);
    for (int i = 0; i < rows.size(); i++) {
      places.setAtIndex(JAVA_INT, i, rows.get(i).place);
    }
    return places;
  }

  private static Iterable<Map.Entry<Integer, List<Row>>> rowsOf(
      Transaction tx, int table, Iterable<Integer> ids) {
    Map<Integer, List<Row>> tablets = new TreeMap<>();
    for (int id : ids) {
      long row = tx.reader(table).findByKey(0, new long[] {id});
      if (row < 0) {
        throw new IllegalStateException("no row with id " + id + " in table " + table);
      }
      tablets
          .computeIfAbsent((int) (row / Tablet.ROWS), t -> new ArrayList<>())
          .add(new Row((int) (row % Tablet.ROWS), id));
    }
    return tablets.entrySet();
  }

  /**
   * id to amount of all rows that the transaction sees.
   *
   * @throws TornRow for a row that is not whole, is there twice, or is not found by its key
   */
  static SortedMap<Integer, Long> contents(Transaction tx, int table) {
    TableReader reader = tx.reader(table);
    SortedMap<Integer, Long> found = new TreeMap<>();
    int[] rest = columns(reader, NOTE);
    for (int t = 0; t < reader.tabletCount(); t++) {
      try (TabletView view = reader.open(t, columns(reader, ID))) {
        HostBuffer live = view.live().onHost();
        for (int r = 0; r < view.rowCount(); r++) {
          if (Bitmaps.test(live, r)) {
            take(reader, view, rest, (long) t * Tablet.ROWS + r, r, found);
          }
        }
      }
    }
    return found;
  }

  private static boolean isFollower(long value, long amount, int column) {
    return value == ADDED || value == follower(amount, column);
  }

  private static boolean isNote(
      TableReader reader, TabletView view, int r, int column, long amount) {
    CodedStrings dictionary = Objects.requireNonNull(reader.strings(column));
    int code = (int) view.column(column).raw(r);
    if (code < 0 || code >= dictionary.size()) {
      return false;
    }
    String text = dictionary.string(code);
    return text.equals(note(amount)) || (column >= FIRST_ADDED && text.equals(ADDED_NOTE));
  }

  /** A row that contradicts itself. */
  static final class TornRow extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TornRow(String message) {
      super(message);
    }
  }

  private static void take(
      TableReader reader,
      TabletView view,
      int[] rest,
      long row,
      int r,
      SortedMap<Integer, Long> found) {
    int id = (int) view.column(ID).raw(r);
    boolean present = !view.column(AMOUNT).isNull(r);
    long amount = present ? view.column(AMOUNT).raw(r) : NULL;
    boolean sameWeight =
        view.column(WEIGHT).isNull(r) != present
            && (!present || view.column(WEIGHT).raw(r) == rawWeight(amount));
    boolean sameRest = true;
    for (int c : rest) {
      sameRest &=
          isString(c)
              ? isNote(reader, view, r, c, amount)
              : isFollower(view.column(c).raw(r), amount, c) && !view.column(c).isNull(r);
    }
    if (!sameWeight || !sameRest) {
      throw new TornRow("row " + row + " is torn: id=" + id + ", amount=" + amount);
    }
    if (found.put(id, amount) != null) {
      throw new TornRow("id " + id + " is there twice, row " + row);
    }
    if (reader.findByKey(0, new long[] {id}) != row) {
      throw new TornRow("the index does not find id " + id + " at row " + row);
    }
  }
}
