package io.gpdb.txn;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import io.gpdb.txn.api.TxnOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/**
 * A table (id I32 unique, amount I64, weight F64, note CODE) and what tests do with it. A row with
 * id i has amount and weight as given, both NULL where the amount is {@link #NULL}, note "n" +
 * amount % 7.
 */
public final class SampleDatabase {
  public static final int TABLE = 16;

  /** The table's number after it was rewritten once. */
  static final int REWRITTEN = 17;

  static final long NULL = Long.MIN_VALUE;
  public static final int ID = 0;
  static final int AMOUNT = 1;
  static final int WEIGHT = 2;
  public static final int NOTE = 3;
  public static final Device DEVICE =
      new EmulatedDevice(new EmulatedOptions(EmulatedOptions.Mode.AUTO, 2, false));

  private static final int REWRITES_MAX = 32;

  private SampleDatabase() {}

  public static TableShape shape() {
    return new TableShape(
        List.of(
            new ColumnShape("ID", ElementType.I32),
            new ColumnShape("AMOUNT", ElementType.I64),
            new ColumnShape("WEIGHT", ElementType.F64),
            new ColumnShape("NOTE", ElementType.CODE)),
        List.of(new IndexShape(0, new int[] {ID}, true)));
  }

  public static TransactionManager open(StorageDirectory directory, Protocol protocol) {
    return TransactionManager.open(directory, DEVICE, TxnOptions.standard().withProtocol(protocol));
  }

  public static TransactionManager withTable(StorageDirectory directory, Protocol protocol) {
    TransactionManager manager = open(directory, protocol);
    Transaction tx = manager.begin();
    tx.createTable(TABLE, shape());
    tx.commit();
    return manager;
  }

  /** The number of the table: another one after each rewrite. */
  static int table(Transaction tx) {
    for (int number = TABLE; number < TABLE + REWRITES_MAX; number++) {
      try {
        tx.reader(number);
        return number;
      } catch (GpdbException e) {
        if (e.code() != ErrorCode.TABLE_NOT_FOUND) {
          throw e;
        }
      }
    }
    return TABLE;
  }

  static long rewrite(Transaction tx) {
    int old = table(tx);
    return tx.rewriteTable(old, old == TABLE ? REWRITTEN : TABLE);
  }

  /** Rewrites the table into a number that was never used. */
  static long rewriteAnew(Transaction tx) {
    int old = table(tx);
    return tx.rewriteTable(old, old + 1);
  }

  /** Inserts ids from..from+n-1 with amount(id). */
  public static long insert(Transaction tx, int from, int n, LongUnaryOperator amount) {
    try (Arena arena = Arena.ofConfined()) {
      return tx.writer(table(tx)).insert(rows(tx, arena, from, n, amount), n);
    }
  }

  static ColumnView[] rows(Transaction tx, Arena arena, int from, int n, LongUnaryOperator amount) {
    return rows(dictionary(tx), arena, from, n, amount);
  }

  private static CodedStrings dictionary(Transaction tx) {
    return tx.reader(table(tx)).strings(NOTE);
  }

  private static ColumnView[] rows(
      CodedStrings notesInUse, Arena arena, int from, int n, LongUnaryOperator amount) {
    MemorySegment ids = arena.allocate(Math.max(8, 4L * n), 8);
    MemorySegment amounts = arena.allocate(Math.max(8, 8L * n), 8);
    MemorySegment weights = arena.allocate(Math.max(8, 8L * n), 8);
    MemorySegment notes = arena.allocate(Math.max(8, 4L * n), 8);
    MemorySegment validity = arena.allocate(Math.max(8, Bitmaps.bytes(n)), 8);
    for (int i = 0; i < n; i++) {
      ids.setAtIndex(JAVA_INT, i, from + i);
      long a = amount.applyAsLong(from + i);
      amounts.setAtIndex(JAVA_LONG, i, a == NULL ? 0 : a);
      Bitmaps.set(validity, i, a != NULL);
      weights.setAtIndex(JAVA_DOUBLE, i, a == NULL ? 0 : a * 0.5);
      notes.setAtIndex(JAVA_INT, i, note(notesInUse, a));
    }
    return new ColumnView[] {
      ColumnView.mapped(HostMemory.INSTANCE, ElementType.I32, ids, null),
      ColumnView.mapped(HostMemory.INSTANCE, ElementType.I64, amounts, validity),
      ColumnView.mapped(HostMemory.INSTANCE, ElementType.F64, weights, validity),
      ColumnView.mapped(HostMemory.INSTANCE, ElementType.CODE, notes, null)
    };
  }

  private static int note(CodedStrings dictionary, long amount) {
    byte[] text = noteText(amount).getBytes(UTF_8);
    return dictionary.intern(text, 0, text.length);
  }

  static String noteText(long amount) {
    return amount == NULL ? "none" : "n" + Math.floorMod(amount, 7);
  }

  /** Stores amount(id) in every row whose id passes. */
  public static int update(
      Transaction tx, java.util.function.IntPredicate chosen, LongUnaryOperator amount) {
    int changed = 0;
    CodedStrings notesInUse = dictionary(tx);
    for (Selected s : select(tx, chosen)) {
      try (Arena arena = Arena.ofConfined()) {
        int n = s.rows.size();
        MemorySegment rows = arena.allocate(4L * n, 8);
        for (int i = 0; i < n; i++) {
          rows.setAtIndex(JAVA_INT, i, s.rows.get(i));
        }
        ColumnView[] all = new ColumnView[4];
        for (int i = 0; i < n; i++) {
          ColumnView[] one = rows(notesInUse, arena, s.ids.get(i), 1, amount);
          for (int c = 0; c < 4; c++) {
            if (all[c] == null) {
              MemorySegment values = arena.allocate((long) n * one[c].type().bytes(), 8);
              MemorySegment validity =
                  one[c].validity() == null ? null : arena.allocate(Bitmaps.bytes(n), 8);
              all[c] = ColumnView.mapped(HostMemory.INSTANCE, one[c].type(), values, validity);
            }
            one[c].type().setRawAt(all[c].values().onHost(), i, one[c].raw(0));
            if (one[c].validity() != null) {
              Bitmaps.set(all[c].validity().onHost(), i, !one[c].isNull(0));
            }
          }
        }
        int[] columns = {AMOUNT, WEIGHT, NOTE};
        tx.writer(table(tx))
            .update(
                s.tablet,
                HostMemory.INSTANCE.map(rows),
                n,
                columns,
                new ColumnView[] {all[AMOUNT], all[WEIGHT], all[NOTE]});
        changed += n;
      }
    }
    tx.writer(table(tx)).finishStatement();
    return changed;
  }

  public static int delete(Transaction tx, java.util.function.IntPredicate chosen) {
    int deleted = 0;
    for (Selected s : select(tx, chosen)) {
      try (Arena arena = Arena.ofConfined()) {
        int n = s.rows.size();
        MemorySegment rows = arena.allocate(4L * n, 8);
        for (int i = 0; i < n; i++) {
          rows.setAtIndex(JAVA_INT, i, s.rows.get(i));
        }
        tx.writer(table(tx)).delete(s.tablet, HostMemory.INSTANCE.map(rows), n);
        deleted += n;
      }
    }
    return deleted;
  }

  /** Rows of one tablet. */
  private record Selected(int tablet, List<Integer> rows, List<Integer> ids) {}

  private static List<Selected> select(Transaction tx, java.util.function.IntPredicate chosen) {
    TableReader reader = tx.reader(table(tx));
    List<Selected> all = new ArrayList<>();
    for (int t = 0; t < reader.tabletCount(); t++) {
      Selected s = new Selected(t, new ArrayList<>(), new ArrayList<>());
      try (TabletView view = reader.open(t, new int[] {ID})) {
        for (int r = 0; r < view.rowCount(); r++) {
          int id = (int) view.column(0).raw(r);
          if (Bitmaps.test(view.live().onHost(), r) && chosen.test(id)) {
            s.rows.add(r);
            s.ids.add(id);
          }
        }
      }
      if (!s.rows.isEmpty()) {
        all.add(s);
      }
    }
    return all;
  }

  /** id to amount of all rows that the transaction sees; checks every other column against it. */
  static Map<Integer, Long> contents(Transaction tx) {
    TableReader reader = tx.reader(table(tx));
    CodedStrings dictionary = reader.strings(NOTE);
    Map<Integer, Long> found = new TreeMap<>();
    for (int t = 0; t < reader.tabletCount(); t++) {
      try (TabletView view = reader.open(t, new int[] {ID, AMOUNT, WEIGHT, NOTE})) {
        int live = 0;
        for (int r = 0; r < view.rowCount(); r++) {
          if (Bitmaps.test(view.live().onHost(), r)) {
            live++;
            check(view, r, dictionary, found, (long) t * Tablet.ROWS + r, reader);
          }
        }
        if (view.allLive() != (live == view.rowCount())) {
          throw new AssertionError("allLive of tablet " + t + " is wrong");
        }
      }
    }
    return found;
  }

  private static void check(
      TabletView view,
      int r,
      CodedStrings dictionary,
      Map<Integer, Long> found,
      long row,
      TableReader reader) {
    int id = (int) view.column(0).raw(r);
    boolean present = view.validity(1) == null || Bitmaps.test(view.validity(1).onHost(), r);
    long amount = present ? view.column(1).raw(r) : NULL;
    double weight = Double.longBitsToDouble(view.column(2).raw(r));
    boolean weighs = view.validity(2) == null || Bitmaps.test(view.validity(2).onHost(), r);
    String note = dictionary.string((int) view.column(3).raw(r));
    if (weighs != present
        || weight != (amount == NULL ? 0 : amount * 0.5)
        || !note.equals(noteText(amount))) {
      throw new AssertionError(
          "row "
              + row
              + " is torn: id="
              + id
              + " amount="
              + amount
              + " weight="
              + weight
              + " note="
              + note);
    }
    if (found.put(id, amount) != null) {
      throw new AssertionError("id " + id + " is there twice");
    }
    if (reader.findByKey(0, new long[] {id}) != row) {
      throw new AssertionError("index does not find id " + id + " at row " + row);
    }
  }

  public static Map<Integer, Long> contents(TransactionManager manager) {
    Transaction tx = manager.begin();
    try {
      return contents(tx);
    } finally {
      tx.commit();
    }
  }

  /** ids from..from+n-1 with amount(id). */
  public static Map<Integer, Long> expected(int from, int n, LongUnaryOperator amount) {
    Map<Integer, Long> rows = new TreeMap<>();
    for (int id = from; id < from + n; id++) {
      rows.put(id, amount.applyAsLong(id));
    }
    return rows;
  }
}
