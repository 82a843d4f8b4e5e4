package io.gpdb.txn;

import static org.assertj.core.api.Assertions.fail;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletRows;
import io.gpdb.txn.api.TabletView;
import io.gpdb.txn.api.TxnOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random changes of rows of several tablets in one call, held against arrays. */
class TabletsTogetherTest {
  private static final int TABLE = 16;
  private static final int ROWS = Tablet.ROWS + 700;
  private static final int CHANGES = 3;
  private static final ElementType[] TYPES = {ElementType.I32, ElementType.I64, ElementType.F64};
  private static final int COLUMNS = TYPES.length;

  private Random random = new Random();
  private Rows rows = new Rows();
  private final List<HostBuffer> overwritten = new ArrayList<>();

  /** What the table holds: raw bits by column and row. */
  private static final class Rows {
    final long[][] raw = new long[COLUMNS][ROWS];
    final boolean[][] isNull = new boolean[COLUMNS][ROWS];
    final boolean[] isDead = new boolean[ROWS];

    Rows copy() {
      Rows copy = new Rows();
      for (int c = 0; c < COLUMNS; c++) {
        System.arraycopy(raw[c], 0, copy.raw[c], 0, ROWS);
        System.arraycopy(isNull[c], 0, copy.isNull[c], 0, ROWS);
      }
      System.arraycopy(isDead, 0, copy.isDead, 0, ROWS);
      return copy;
    }

    void require(Transaction tx, String when) {
      TableReader reader = tx.reader(TABLE);
      for (int t = 0; t < reader.tabletCount(); t++) {
        try (TabletView view = reader.open(t, new int[] {0, 1, 2})) {
          HostBuffer live = view.live().onHost();
          ColumnView[] columns = {view.column(0), view.column(1), view.column(2)};
          Arrays.setAll(columns, c -> columns[c].onHost());
          for (int r = 0; r < view.rowCount(); r++) {
            require(columns, Bitmaps.test(live, r), r, t * Tablet.ROWS + r, when);
          }
        }
      }
    }

    private void require(ColumnView[] columns, boolean live, int r, int row, String when) {
      boolean same = live != isDead[row];
      for (int c = 0; same && live && c < COLUMNS; c++) {
        boolean found = columns[c].isNull(r);
        same = found == isNull[c][row] && (found || columns[c].raw(r) == raw[c][row]);
      }
      if (!same) {
        fail(when + ": row " + row + " is not what was stored");
      }
    }
  }

  private static HostBuffer buffer(long bytes) {
    return HostBuffer.collected(Math.max(8, bytes));
  }

  private long value(int c) {
    int number = random.nextInt(1000);
    return TYPES[c] == ElementType.F64 ? Double.doubleToLongBits(number / 8.0) : number;
  }

  /** Values for n rows; some of them NULL where the seed says so. */
  private ColumnView values(int c, int n, boolean nulls) {
    HostBuffer values = buffer((long) n * TYPES[c].bytes());
    HostBuffer bits = buffer(Bitmaps.bytes(n));
    bits.fill((byte) -1);
    for (int i = 0; i < n; i++) {
      boolean isNull = nulls && random.nextInt(5) == 0;
      Bitmaps.set(bits, i, !isNull);
      TYPES[c].setRawAt(values, i, isNull ? 0 : value(c));
    }
    return new ColumnView(TYPES[c], values, nulls ? bits : null);
  }

  private void insert(Transaction tx) {
    ColumnView[] columns = new ColumnView[COLUMNS];
    Arrays.setAll(columns, c -> values(c, ROWS, c == 1));
    tx.writer(TABLE).insert(columns, ROWS);
    int[] all = IntStream.range(0, ROWS).toArray();
    for (int c = 0; c < COLUMNS; c++) {
      store(c, all, columns[c]);
    }
  }

  private void store(int c, int[] at, ColumnView values) {
    for (int i = 0; i < at.length; i++) {
      rows.isNull[c][at[i]] = values.isNull(i);
      rows.raw[c][at[i]] = values.isNull(i) ? 0 : values.raw(i);
    }
  }

  /** Live rows of a tablet: none, few, or many. */
  private int[] chosen(int tablet) {
    int first = tablet * Tablet.ROWS;
    int end = Math.min(ROWS, first + Tablet.ROWS);
    int step = new int[] {7, 20, 100, 5000, end}[random.nextInt(5)];
    int from = first + random.nextInt(step == end ? 1 : step + 1);
    return IntStream.iterate(from, r -> r < end, r -> r + step)
        .filter(r -> !rows.isDead[r])
        .toArray();
  }

  /** Left by a scan, or in memory that is used again behind the call. */
  private TabletRows part(Transaction tx, int tablet, int[] chosen, List<ColumnView> values) {
    boolean areLeft = random.nextBoolean();
    long bytes = 4L * chosen.length;
    HostBuffer rows = areLeft ? tx.writer(TABLE).memoryForRows(bytes) : buffer(bytes);
    inTablet(chosen, rows);
    if (!areLeft) {
      overwritten.add(rows);
    }
    return new TabletRows(tablet, rows, chosen.length, areLeft, values);
  }

  private static void inTablet(int[] chosen, HostBuffer buffer) {
    for (int i = 0; i < chosen.length; i++) {
      buffer.setInt(i, chosen[i] % Tablet.ROWS);
    }
  }

  private void change(Transaction tx) {
    boolean delete = random.nextInt(4) == 0;
    int[] columns =
        IntStream.range(0, COLUMNS).filter(c -> !delete && random.nextInt(3) > 0).toArray();
    List<TabletRows> parts = new ArrayList<>();
    for (int t = 0; t * Tablet.ROWS < ROWS; t++) {
      int[] chosen = chosen(t);
      List<ColumnView> values = new ArrayList<>();
      for (int column : columns) {
        values.add(values(column, chosen.length, random.nextBoolean()));
        store(column, chosen, values.getLast());
      }
      for (int row : chosen) {
        rows.isDead[row] = delete;
      }
      parts.add(part(tx, t, chosen, values));
    }
    if (delete) {
      tx.writer(TABLE).delete(parts);
    } else {
      tx.writer(TABLE).update(parts, columns);
    }
    overwritten.forEach(rows -> rows.fill((byte) -1));
    overwritten.clear();
  }

  private static TransactionManager open(CrashableDirectory directory, TxnOptions options) {
    return TransactionManager.open(directory, SampleDatabase.DEVICE, options);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"CHECKSUMMED", "CAP_FS"},
      mode = EnumSource.Mode.EXCLUDE)
  void aChangeOfManyTabletsIsThatOfEachOfThem(Protocol protocol) {
    random = new Random(Long.getLong("gpdb.seed", 20261126) + protocol.ordinal());
    LogKind log = random.nextInt(3) == 0 ? LogKind.CONVENTIONAL : LogKind.HCL;
    TxnOptions options = TxnOptions.standard().withProtocol(protocol).withLog(log);
    try (CrashableDirectory directory = new CrashableDirectory()) {
      TransactionManager manager = open(directory, options);
      Transaction tx = manager.begin();
      tx.createTable(
          TABLE,
          new TableShape(
              IntStream.range(0, COLUMNS)
                  .mapToObj(c -> new ColumnShape("C" + c, TYPES[c]))
                  .toList(),
              List.of()));
      insert(tx);
      tx.commit();
      Transaction old = manager.begin();
      Rows before = rows.copy();
      for (int i = 0; i < CHANGES; i++) {
        changeSomehow(manager, protocol.isBaseline() ? List.of(protocol) : MIXED);
      }
      before.require(old, "older snapshot");
      old.rollback();
      manager.abandon();
      try (CrashableDirectory after = directory.crash(CrashChoice.keepNothing());
          TransactionManager again = open(after, options)) {
        Transaction reader = again.begin();
        rows.require(reader, "after a loss of power");
        reader.rollback();
      }
    }
  }

  private static final List<Protocol> MIXED =
      List.of(Protocol.AUTO, Protocol.REDO, Protocol.UNDO, Protocol.VERSIONED);

  /** Commits, or rolls back a statement, or a transaction. */
  private void changeSomehow(TransactionManager manager, List<Protocol> protocols) {
    Transaction tx = manager.begin();
    tx.protocol(protocols.get(random.nextInt(protocols.size())));
    Rows begun = rows.copy();
    Savepoint statement = tx.savepoint();
    change(tx);
    switch (random.nextInt(4)) {
      case 0 -> {
        tx.rollback();
        rows = begun;
      }
      case 1 -> {
        tx.rollbackTo(statement);
        rows = begun;
        change(tx);
        tx.commit();
      }
      default -> {
        change(tx);
        tx.commit();
      }
    }
    Transaction reader = manager.begin();
    rows.require(reader, tx.protocol() + " " + statement);
    reader.rollback();
  }
}
