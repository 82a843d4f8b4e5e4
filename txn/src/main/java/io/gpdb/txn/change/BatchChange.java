package io.gpdb.txn.change;

import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.library.change.BatchRows;
import io.gpdb.exec.library.change.GridApplyBatch;
import io.gpdb.exec.library.change.UpdateLog;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.memory.BumpMemory;
import io.gpdb.storage.table.Tablet;
import io.gpdb.txn.api.ColumnData;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.version.TableVersions;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * New values for rows of many tablets, computed by a kernel; the latches of all of them are held
 * exclusively.
 */
public final class BatchChange {
  private final TableVersions table;
  private final GridApplyBatch kernel;
  private final LaneBindings bindings;
  private final int[] columns;
  private final List<Part> parts = new ArrayList<>();

  /** Where the chunks lie that are set. */
  public interface Homes {
    /** Before the column's chunks are bound; the validity too where it is nullable. */
    void prepare(Tablet tablet, int column, boolean nullable);

    /** What makes the chunk durable. */
    PersistTarget target(Tablet tablet, ChunkKind kind, int column);
  }

  /** Of a working image in volatile memory. */
  private static final Homes NOWHERE =
      new Homes() {
        @Override
        public void prepare(Tablet tablet, int column, boolean nullable) {}

        @Override
        public PersistTarget target(Tablet tablet, ChunkKind kind, int column) {
          return PersistTarget.VOLATILE;
        }
      };

  /** The rows of one tablet. */
  public static final class Part {
    private final Tablet tablet;
    private final MemorySegment rows;
    private final MemorySegment positions;
    private final int n;
    private final MemorySegment[] oldValues;
    private final @Nullable MemorySegment[] oldValidity;
    private final Protocol[] protocols;
    private int columnsDone;

    Part(Tablet tablet, MemorySegment rows, MemorySegment positions, int n, int columns) {
      this.tablet = tablet;
      this.rows = rows;
      this.positions = positions;
      this.n = n;
      oldValues = new MemorySegment[columns];
      oldValidity = new MemorySegment[columns];
      protocols = new Protocol[columns];
      Arrays.fill(protocols, Protocol.REDO);
    }

    public Tablet tablet() {
      return tablet;
    }

    public MemorySegment rows() {
      return rows;
    }

    public int n() {
      return n;
    }

    public MemorySegment[] oldValues() {
      return oldValues;
    }

    /** By column; null where the column has no bitmap and gets none. */
    public @Nullable MemorySegment[] oldValidity() {
      return oldValidity;
    }

    /** By column, how the new values become durable. */
    public Protocol[] protocols() {
      return protocols;
    }

    /** The first so many columns are captured, and may be changed. */
    public int columnsDone() {
      return columnsDone;
    }

    /** The change of the c-th column to values without a bitmap of ones. */
    ColumnChange change(
        TransactionWrites writes, TableVersions table, int column, int c, ColumnData values) {
      boolean nullable = values.validity() != null || tablet.validity(column) != null;
      oldValues[c] = writes.versionMemory().allocate((long) n * values.type().bytes(), 8);
      oldValidity[c] = nullable ? writes.versionMemory().allocate(Bitmaps.bytes(n), 8) : null;
      return new ColumnChange(
          table,
          tablet,
          column,
          rows,
          n,
          values.values(),
          values.validity(),
          oldValues[c],
          oldValidity[c]);
    }

    /** Changes the c-th column, and nothing else at the same time. */
    void apply(int c, ColumnChange change, Function<ColumnChange, Protocol> update) {
      protocols[c] = update.apply(change);
      columnsDone = c + 1;
    }
  }

  public static int[] columnsOf(GridApplyBatch kernel) {
    return kernel.targets().stream().mapToInt(GridApplyBatch.Target::column).toArray();
  }

  /**
   * @param columns that the kernel sets, in the order of its targets
   */
  public BatchChange(
      TableVersions table, GridApplyBatch kernel, int[] columns, LaneBindings bindings) {
    this.table = table;
    this.kernel = kernel;
    this.columns = columns;
    this.bindings = bindings;
  }

  void add(Part part) {
    assert part.tablet().latch().isWriteLockedByCurrentThread() : "R3: batch without the latch";
    parts.add(part);
  }

  public void add(Tablet tablet, MemorySegment rows, MemorySegment positions, int n) {
    add(new Part(tablet, rows, positions, n, columns.length));
  }

  public TableVersions table() {
    return table;
  }

  public GridApplyBatch kernel() {
    return kernel;
  }

  public LaneBindings bindings() {
    return bindings;
  }

  public int[] columns() {
    return columns;
  }

  public List<Part> parts() {
    return parts;
  }

  /** All new values become durable in that way. */
  public void protocol(Protocol how) {
    parts.forEach(part -> Arrays.fill(part.protocols, how));
  }

  /** All old values are captured. */
  public void captured() {
    parts.forEach(part -> part.columnsDone = columns.length);
  }

  private BitSet readsWithNulls() {
    BitSet result = new BitSet();
    List<LaneInputs.Stored> reads = kernel.reads();
    for (int r = 0; r < reads.size(); r++) {
      for (Part part : parts) {
        result.set(r, result.get(r) || part.tablet.validity(reads.get(r).column()) != null);
      }
    }
    return result;
  }

  /** As {@link #operands(TransactionWrites, Homes)}, in volatile memory. */
  List<BatchRows> operands(TransactionWrites writes) {
    return operands(writes, NOWHERE);
  }

  /**
   * The operands of a launch that captures and stores; columns that may become NULL get a bitmap. A
   * tablet without a bitmap lends itself one that says "all valid" where others of the launch have
   * one: the kernel reads ones from it and writes ones to it.
   */
  public List<BatchRows> operands(TransactionWrites writes, Homes homes) {
    BitSet readsWithNulls = readsWithNulls();
    BitSet mayBeNull = kernel.targetsWithNulls(bindings, readsWithNulls);
    BitSet bitmaps = (BitSet) mayBeNull.clone();
    for (Part part : parts) {
      for (int c = 0; c < columns.length; c++) {
        bitmaps.set(c, bitmaps.get(c) || part.tablet.validity(columns[c]) != null);
      }
    }
    List<BatchRows> groups = new ArrayList<>(parts.size());
    for (Part part : parts) {
      BatchRows group = group(part);
      for (int c = 0; c < columns.length; c++) {
        boolean own = mayBeNull.get(c) || part.tablet.validity(columns[c]) != null;
        homes.prepare(part.tablet, columns[c], own);
        target(writes, part, group, c, own, bitmaps.get(c));
        PersistTarget values = homes.target(part.tablet, ChunkKind.VALUES, columns[c]);
        group.targets(
            c,
            values,
            own
                ? homes.target(part.tablet, ChunkKind.VALIDITY, columns[c])
                : PersistTarget.VOLATILE);
      }
      bindReads(part, group, readsWithNulls);
      groups.add(group);
    }
    return groups;
  }

  private BatchRows group(Part part) {
    return new BatchRows(part.rows, part.positions, part.n, columns.length, kernel.reads().size());
  }

  private void target(
      TransactionWrites writes, Part part, BatchRows group, int c, boolean own, boolean bitmap) {
    Tablet tablet = part.tablet;
    int column = columns[c];
    MemorySegment values = tablet.writableValues(column);
    MemorySegment validity =
        !bitmap ? null : own ? tablet.writableValidity(column) : AllValid.writable(c);
    long width = table.type(column).bytes();
    part.oldValues[c] = writes.versionMemory().allocate(part.n * width, 8);
    MemorySegment old = bitmap ? writes.versionMemory().allocate(Bitmaps.bytes(part.n), 8) : null;
    part.oldValidity[c] = own ? old : null;
    group.column(c, values, validity).captureInto(c, part.oldValues[c], old);
  }

  /** Gives each column of each group its log, in this order. */
  public void giveLogs(List<BatchRows> groups, List<UpdateLog> logs) {
    for (int g = 0; g < groups.size(); g++) {
      for (int c = 0; c < columns.length; c++) {
        groups.get(g).log(c, logs.get(g * columns.length + c));
      }
    }
  }

  /** Of all new values. */
  public long newBytes() {
    long rows = 0;
    for (Part part : parts) {
      rows += part.n;
    }
    long rowBytes = 0;
    for (int column : columns) {
      rowBytes += table.type(column).bytes();
    }
    return rows * rowBytes;
  }

  private void bindReads(Part part, BatchRows group, BitSet readsWithNulls) {
    List<LaneInputs.Stored> reads = kernel.reads();
    for (int r = 0; r < reads.size(); r++) {
      int column = reads.get(r).column();
      MemorySegment validity = null;
      if (readsWithNulls.get(r)) {
        validity = part.tablet.validity(column);
        validity = validity == null ? AllValid.readable() : validity;
      }
      group.read(r, part.tablet.values(column), validity);
    }
  }

  /**
   * Computes by one launch, then changes column by column: for protocols with stores of their own.
   */
  public void applyByColumn(TransactionWrites writes, Function<ColumnChange, Protocol> update) {
    BumpMemory scratch = new BumpMemory(writes.pool());
    try {
      List<ColumnData[]> computed = compute(scratch);
      for (int p = 0; p < parts.size(); p++) {
        Part part = parts.get(p);
        for (int c = 0; c < columns.length; c++) {
          ColumnData values = computed.get(p)[c];
          part.apply(c, part.change(writes, table, columns[c], c, values), update);
        }
      }
    } finally {
      scratch.free();
    }
  }

  private List<ColumnData[]> compute(BumpMemory scratch) {
    List<BatchRows> groups = new ArrayList<>(parts.size());
    List<ColumnData[]> computed = new ArrayList<>(parts.size());
    BitSet readsWithNulls = readsWithNulls();
    for (Part part : parts) {
      BatchRows group = group(part);
      ColumnData[] values = new ColumnData[columns.length];
      for (int c = 0; c < columns.length; c++) {
        MemorySegment out = scratch.allocate((long) part.n * table.type(columns[c]).bytes(), 8);
        MemorySegment valid = scratch.allocate(Bitmaps.bytes(part.n), 8);
        values[c] = new ColumnData(table.type(columns[c]), out, valid);
        group.newValues(c, out, valid);
      }
      bindReads(part, group, readsWithNulls);
      groups.add(group);
      computed.add(values);
    }
    kernel.compute(bindings, groups);
    for (int p = 0; p < parts.size(); p++) {
      int n = parts.get(p).n;
      ColumnData[] values = computed.get(p);
      Arrays.setAll(values, c -> values[c].withoutBitmapOfOnes(n));
    }
    return computed;
  }
}
