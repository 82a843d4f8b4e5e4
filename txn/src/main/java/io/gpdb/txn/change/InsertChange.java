package io.gpdb.txn.change;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.UndoVersion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** New rows, whose numbers are reserved: all columns of a batch of neighbours. */
public final class InsertChange implements TableChange {
  private final TableVersions table;
  private final ColumnView[] columns;
  private final List<Part> parts;

  /** Those in one tablet: {@code n} rows of the batch, from {@code batchFrom}. */
  public static final class Part implements TableChange.Part {
    private final Tablet tablet;
    private final int from;
    private final int n;
    private final int batchFrom;
    private Protocol protocol = Protocol.REDO;
    private boolean live;

    private Part(Tablet tablet, int from, int n, int batchFrom) {
      this.tablet = tablet;
      this.from = from;
      this.n = n;
      this.batchFrom = batchFrom;
    }

    @Override
    public Tablet tablet() {
      return tablet;
    }

    /** The first row in the tablet. */
    int from() {
      return from;
    }

    @Override
    public int n() {
      return n;
    }

    int batchFrom() {
      return batchFrom;
    }

    /** How the values become durable; AUTO leaves it to the commit. */
    public void protocol(Protocol how) {
      protocol = how;
    }

    /** From here on some of the rows may be live. */
    void begin() {
      live = true;
      tablet.liveCountAdd(n);
    }
  }

  private InsertChange(TableVersions table, ColumnView[] columns, List<Part> parts) {
    this.table = table;
    this.columns = columns;
    this.parts = parts;
  }

  /**
   * Rows from a number on, with a part for each tablet.
   *
   * @param columns all of the table's
   * @param first the number of the first row
   */
  public static InsertChange of(TableVersions table, ColumnView[] columns, long first, int n) {
    List<Part> parts = new ArrayList<>();
    for (long at = first, end = first + n; at < end; ) {
      int from = (int) (at % Tablet.ROWS);
      int count = (int) Math.min(Tablet.ROWS - from, end - at);
      Tablet tablet = table.store().tablet((int) (at / Tablet.ROWS));
      parts.add(new Part(tablet, from, count, (int) (at - first)));
      at += count;
    }
    return new InsertChange(table, columns, parts);
  }

  @Override
  public TableVersions table() {
    return table;
  }

  @Override
  public List<Part> parts() {
    return parts;
  }

  @Override
  public InsertChange only(List<? extends TableChange.Part> some) {
    return new InsertChange(table, columns, some.stream().map(Part.class::cast).toList());
  }

  int columnCount() {
    return columns.length;
  }

  ColumnView column(int column) {
    return columns[column];
  }

  /** The validity of the column's new values of a part; null where all are there. */
  @Nullable DeviceBuffer validity(Part part, int column) {
    DeviceBuffer given = columns[column].validity();
    boolean nulls = given != null && Bitmaps.count(given.onHost(), part.batchFrom, part.n) < part.n;
    return nulls ? given : null;
  }

  @Override
  public @Nullable UndoVersion undo(TransactionWrites writes, TableChange.Part of) {
    Part part = (Part) of;
    return part.live
        ? UndoVersion.insert(
            writes.stamp(), table, part.tablet.number(), part.from, part.n, part.protocol)
        : null;
  }
}
