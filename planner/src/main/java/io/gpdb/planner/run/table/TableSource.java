package io.gpdb.planner.run.table;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.join.KeyFilter;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.query.ColumnRanges;
import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a stored table, a tablet a batch, read in place. */
public final class TableSource extends Source {
  /** Of fewer rows kernels make short work. */
  private static final long RANGED_ROWS_MIN = 4L * Tablet.ROWS;

  private final TableDef table;
  private final boolean withRowId;

  public TableSource(TableDef table, boolean withRowId) {
    super(columns(table, withRowId));
    this.table = table;
    this.withRowId = withRowId;
  }

  public static List<SourceColumn> columns(TableDef table, boolean withRowId) {
    List<SourceColumn> columns = new ArrayList<>();
    table.columns().forEach(c -> columns.add(new SourceColumn(c.name(), c.type(), c.nullable())));
    if (withRowId) {
      columns.add(new SourceColumn(GpTable.ROW_ID, SqlTypeSpec.BIGINT, false));
    }
    return columns;
  }

  public TableDef table() {
    return table;
  }

  public boolean hasRowId() {
    return withRowId;
  }

  @Override
  public TableDef storedTable() {
    return table;
  }

  @Override
  public int rowIdField() {
    return withRowId ? table.columns().size() : -1;
  }

  @Override
  public boolean hasDeadRows() {
    return true;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    BitSet stored = (BitSet) needed.clone();
    stored.clear(table.columns().size(), table.columns().size() + 1);
    return new Tablets(reader(x), stored, chosen(x));
  }

  @Override
  protected Batches startAmong(Execution x, BitSet needed, int field, KeyFilter keys) {
    BitSet read = (BitSet) needed.clone();
    read.set(field);
    return among(x, read, new RowTest.OfKeys(field, keys));
  }

  /**
   * All rows come where there are few, where row numbers or floats are read, as the order in which
   * floats are added up follows the places of rows.
   */
  @Override
  protected Batches startWithin(Execution x, BitSet needed, Device device, ColumnRanges ranges) {
    if (estimatedRows(x) < RANGED_ROWS_MIN
        || needed.get(table.columns().size())
        || readsFloats(needed)) {
      return start(x, needed);
    }
    List<ColumnRanges.Range> known = ranges.ranges(x.parameters());
    BitSet read = (BitSet) needed.clone();
    known.forEach(range -> read.set(range.column()));
    return among(x, read, RowTest.OfRanges.of(device, types(), known));
  }

  private boolean readsFloats(BitSet needed) {
    for (int field = needed.nextSetBit(0); field >= 0; field = needed.nextSetBit(field + 1)) {
      if (types().get(field).element().isFloat()) {
        return true;
      }
    }
    return false;
  }

  /** The rows that pass a test of fields that are read. */
  private Batches among(Execution x, BitSet read, RowTest test) {
    BatchesAmong.Fields copied =
        read.get(table.columns().size()) ? null : new BatchesAmong.Fields(types(), read);
    return new BatchesAmong(start(x, read), copied, test);
  }

  public TableReader reader(Execution x) {
    return x.transaction().reader(table.tableId());
  }

  /** Whether the execution reads all rows, and does not measure what that costs. */
  public boolean isWhole(Execution x) {
    return chosen(x) == null && x.measures() == null;
  }

  private @Nullable ChosenRows chosen(Execution x) {
    ChosenRows chosen = x.chosen();
    return chosen != null && chosen.tableId() == table.tableId() ? chosen : null;
  }

  /** One tablet alone. */
  public Batch open(Execution x, BitSet needed, int tablet) {
    BitSet stored = (BitSet) needed.clone();
    stored.clear(table.columns().size(), table.columns().size() + 1);
    Tablets tablets = new Tablets(reader(x), stored, chosen(x));
    return tablets.open(tablet);
  }

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  @Override
  public double estimatedRows(Execution x) {
    return reader(x).estimatedRows();
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("table " + table.name(), "tablets in place", this);
  }

  @Override
  public void kernels(List<Kernel> kernels) {}

  /** The tablets one after another. */
  private final class Tablets implements Batches {
    private final TableReader reader;
    private final int[] columns;
    private final int[] positions;
    private final @Nullable ChosenRows chosen;
    private final int[] tablets;
    private final int count;
    private int next;

    Tablets(TableReader reader, BitSet needed, @Nullable ChosenRows chosen) {
      this.reader = reader;
      this.chosen = chosen;
      this.tablets = chosen == null ? new int[0] : chosen.tablets();
      this.columns = needed.stream().toArray();
      this.positions = new int[table.columns().size() + 1];
      this.count = chosen == null ? reader.tabletCount() : tablets.length;
      for (int i = 0; i < columns.length; i++) {
        positions[columns[i]] = i;
      }
    }

    @Override
    public @Nullable Batch next() {
      if (next == count) {
        return null;
      }
      Batch batch = open(chosen == null ? next : tablets[next]);
      next++;
      return batch;
    }

    /** Tablets of one table are waited for in ascending order, so nobody waits in a circle. */
    @Override
    public @Nullable Batch nextTogether() {
      return next();
    }

    Batch open(int tablet) {
      BitSet rows = chosen == null ? null : chosen.of(tablet);
      return new View(reader, tablet, reader.open(tablet, columns), positions, rows);
    }

    @Override
    public void close() {}
  }

  /** One tablet. */
  private static final class View extends Batch {
    private final TableReader reader;
    private final int tablet;
    private final TabletView view;
    private final int[] positions;
    private final @Nullable BitSet chosen;
    private @Nullable HostBuffer rowIds;
    private @Nullable HostBuffer chosenLive;
    private @Nullable BatchMemory memory;

    View(
        TableReader reader, int tablet, TabletView view, int[] positions, @Nullable BitSet chosen) {
      this.chosen = chosen;
      this.reader = reader;
      this.tablet = tablet;
      this.view = view;
      this.positions = positions;
    }

    @Override
    public int rows() {
      return view.rowCount();
    }

    @Override
    public @Nullable DeviceBuffer live() {
      if (chosen != null) {
        return chosenLive(chosen);
      }
      return view.allLive() ? null : view.live();
    }

    private HostBuffer chosenLive(BitSet rows) {
      HostBuffer bits = chosenLive;
      if (bits == null) {
        bits = memory().bitmap(rows());
        HostBuffer live = view.live().onHost();
        for (int r = rows.nextSetBit(0); r >= 0 && r < rows(); r = rows.nextSetBit(r + 1)) {
          if (Bitmaps.test(live, r)) {
            Bitmaps.set(bits, r, true);
          }
        }
        chosenLive = bits;
      }
      return bits;
    }

    private BatchMemory memory() {
      BatchMemory own = memory;
      if (own == null) {
        own = new BatchMemory();
        memory = own;
      }
      return own;
    }

    /** Row ids and chosen rows, which are made when they are asked for, are not counted. */
    @Override
    public long copiedBytes() {
      return view.copiedBytes();
    }

    @Override
    public long storedBytes() {
      return view.columnBytes();
    }

    @Override
    public long rowBase() {
      return (long) tablet * Tablet.ROWS;
    }

    @Override
    public DeviceBuffer values(int field) {
      return field == positions.length - 1 ? rowIds() : view.values(positions[field]);
    }

    private HostBuffer rowIds() {
      HostBuffer ids = rowIds;
      if (ids == null) {
        ids = memory().pin((long) rows() * Long.BYTES);
        for (int i = 0; i < rows(); i++) {
          ids.setLong(i, rowBase() + i);
        }
        rowIds = ids;
      }
      return ids;
    }

    @Override
    public @Nullable DeviceBuffer validity(int field) {
      return field == positions.length - 1 ? null : view.validity(positions[field]);
    }

    @Override
    public StringDomain strings(int field) {
      CodedStrings dictionary = reader.strings(field);
      if (dictionary == null) {
        throw new IllegalStateException("field " + field + " has no strings");
      }
      return new StringDomain.Stored(dictionary);
    }

    @Override
    public void close() {
      view.close();
      if (memory != null) {
        memory.close();
      }
    }
  }
}
