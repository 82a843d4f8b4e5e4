package io.gpdb.txn.change;

import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.library.change.BatchRows;
import io.gpdb.exec.library.change.GridApplyBatch;
import io.gpdb.exec.library.change.UpdateLog;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.memory.BumpMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.UndoVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * New values for columns of rows of one tablet or many: computed by a kernel, or supplied by the
 * caller. Where supplied values change one tablet only, value i is that of row i, and the tablet is
 * changed column by column; where they change several, each row's position says where its values
 * are.
 */
public final class UpdateChange implements TableChange {
  private final TableVersions table;
  private final int[] columns;
  private final ColumnView @Nullable [] given;
  private final Supplier<Launch> launch;
  private final List<Part> parts;
  private @Nullable Launch bound;

  /** The kernel that computes the new values, and what it reads of the batch. */
  public record Launch(GridApplyBatch kernel, LaneBindings bindings) {}

  /** Changes one column of one part, whose new values are there in its order. */
  @FunctionalInterface
  public interface ColumnStep {
    /** Says of the part how the values become durable, when they are stored. */
    void store(Part part, int c, ColumnView values);
  }

  /** The rows of one tablet. */
  public static final class Part implements TableChange.Part {
    private final Tablet tablet;
    private final HostBuffer rows;
    private final @Nullable HostBuffer positions;
    private final int n;
    private final HostBuffer[] oldValues;
    private final @Nullable HostBuffer[] oldValidity;
    private final Protocol[] protocols;
    private int columnsDone;

    Part(Tablet tablet, HostBuffer rows, @Nullable HostBuffer positions, int n, int columns) {
      this.tablet = tablet;
      this.rows = rows;
      this.positions = positions;
      this.n = n;
      oldValues = new HostBuffer[columns];
      oldValidity = new HostBuffer[columns];
      protocols = new Protocol[columns];
      Arrays.fill(protocols, Protocol.REDO);
    }

    @Override
    public Tablet tablet() {
      return tablet;
    }

    public HostBuffer rows() {
      return rows;
    }

    @Override
    public int n() {
      return n;
    }

    /** Whether the c-th column has a validity bitmap, or gets one. */
    public boolean isNullable(int c) {
      return oldValidity[c] != null;
    }

    /** The c-th column, after all before it, is captured and stored. */
    void done(int c) {
      columnsDone = c + 1;
    }

    /** As {@link #done(int)}, in that way. */
    public void done(int c, Protocol how) {
      protocols[c] = how;
      done(c);
    }

    /** The c-th column was changed alone, or captured at least. */
    public void doneAlone(int c, UpdateChange alone) {
      Part part = alone.parts.getFirst();
      if (part.columnsDone == 1) {
        oldValues[c] = part.oldValues[0];
        oldValidity[c] = part.oldValidity[0];
        done(c, part.protocols[0]);
      }
    }

    /** The change of the c-th column to values without a bitmap of ones. */
    ColumnChange change(
        TransactionWrites writes, TableVersions table, int column, int c, ColumnView values) {
      boolean nullable = values.validity() != null || tablet.validity(column) != null;
      oldValues[c] = writes.versionMemory().buffer((long) n * values.type().bytes(), 8);
      oldValidity[c] = nullable ? writes.versionMemory().buffer(Bitmaps.bytes(n), 8) : null;
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
  }

  /** The columns that a kernel sets, in the order of its targets. */
  public static int[] columnsOf(GridApplyBatch kernel) {
    return kernel.targets().stream().mapToInt(GridApplyBatch.Target::column).toArray();
  }

  private UpdateChange(
      TableVersions table,
      int[] columns,
      ColumnView @Nullable [] given,
      Supplier<Launch> launch,
      List<Part> parts) {
    this.table = table;
    this.columns = columns;
    this.given = given;
    this.launch = launch;
    this.parts = parts;
  }

  /** Without parts yet, of values that the kernel computes. */
  public static UpdateChange computed(
      TableVersions table, GridApplyBatch kernel, LaneBindings bindings) {
    Launch launch = new Launch(kernel, bindings);
    return new UpdateChange(table, columnsOf(kernel), null, () -> launch, new ArrayList<>());
  }

  /**
   * Without parts yet, of values that are there.
   *
   * @param values by column, n of each
   */
  public static UpdateChange given(
      TableVersions table, int[] columns, ColumnView[] values, int n, SuppliedValues kernels) {
    ColumnView[] given = new ColumnView[values.length];
    for (int c = 0; c < given.length; c++) {
      given[c] = values[c].withoutBitmapOfOnes(n);
    }
    return new UpdateChange(table, columns, given, () -> kernels.launch(given), new ArrayList<>());
  }

  /**
   * The rows (i32[n], distinct) of one tablet; they stay where they are.
   *
   * @param positions i32[n]; null where row i has value i, and there is no other tablet
   */
  public void add(Tablet tablet, HostBuffer rows, @Nullable HostBuffer positions, int n) {
    assert positions != null || parts.isEmpty() : "values in order for two tablets";
    parts.add(new Part(tablet, rows, positions, n, columns.length));
  }

  @Override
  public UpdateChange only(List<? extends TableChange.Part> some) {
    List<Part> own = some.stream().map(Part.class::cast).toList();
    return new UpdateChange(table, columns, given, launch, own);
  }

  /** One column of one part, by itself. */
  public UpdateChange alone(Part part, int c, ColumnView values, SuppliedValues kernels) {
    UpdateChange alone =
        given(table, new int[] {columns[c]}, new ColumnView[] {values}, part.n, kernels);
    alone.add(part.tablet, part.rows, null, part.n);
    return alone;
  }

  @Override
  public @Nullable UndoVersion undo(TransactionWrites writes, TableChange.Part of) {
    Part part = (Part) of;
    return part.columnsDone == 0
        ? null
        : UndoVersion.update(
            writes.stamp(),
            table,
            part.tablet.number(),
            part.rows,
            part.n,
            Arrays.copyOf(columns, part.columnsDone),
            part.oldValues,
            part.oldValidity,
            part.protocols);
  }

  @Override
  public TableVersions table() {
    return table;
  }

  private Launch launch() {
    Launch known = bound;
    if (known == null) {
      known = launch.get();
      bound = known;
    }
    return known;
  }

  public GridApplyBatch kernel() {
    return launch().kernel();
  }

  public LaneBindings bindings() {
    return launch().bindings();
  }

  /** Whether one kernel can set all of the columns. */
  public boolean fitsOneLaunch() {
    return given == null || columns.length <= SuppliedValues.COLUMNS_MAX;
  }

  /** Whether the new values are there already as {@link ColumnStep} takes them. */
  boolean isInOrder() {
    return given != null && parts.getFirst().positions == null;
  }

  public int[] columns() {
    return columns;
  }

  @Override
  public List<Part> parts() {
    return parts;
  }

  /** All new values become durable in that way. */
  public void protocol(Protocol how) {
    parts.forEach(part -> Arrays.fill(part.protocols, how));
  }

  /** All old values are captured. */
  public void captured() {
    parts.forEach(part -> part.done(columns.length - 1));
  }

  private BitSet readsWithNulls() {
    BitSet result = new BitSet();
    List<LaneInputs.Stored> reads = kernel().reads();
    for (int r = 0; r < reads.size(); r++) {
      for (Part part : parts) {
        result.set(r, result.get(r) || part.tablet.validity(reads.get(r).column()) != null);
      }
    }
    return result;
  }

  /**
   * The operands of a launch that captures and stores; columns that may become NULL get a bitmap. A
   * tablet without a bitmap lends itself one that says "all valid" where others of the launch have
   * one: the kernel reads ones from it and writes ones to it.
   */
  public List<BatchRows> operands(TransactionWrites writes, Homes homes) {
    BitSet readsWithNulls = readsWithNulls();
    BitSet mayBeNull = kernel().targetsWithNulls(bindings(), readsWithNulls);
    BitSet bitmaps = (BitSet) mayBeNull.clone();
    for (Part part : parts) {
      for (int c = 0; c < columns.length; c++) {
        bitmaps.set(c, bitmaps.get(c) || part.tablet.validity(columns[c]) != null);
      }
    }
    List<BatchRows> groups = new ArrayList<>(parts.size());
    for (Part part : parts) {
      BatchRows group = group(part, writes.device());
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
      bindReads(part, group, readsWithNulls, writes.device());
      groups.add(group);
    }
    return groups;
  }

  private BatchRows group(Part part, DeviceMemory memory) {
    assert part.tablet.latch().isWriteLockedByCurrentThread() : "R3: batch without the latch";
    HostBuffer positions = part.positions;
    return new BatchRows(
        part.rows,
        positions == null ? SuppliedValues.positionsInOrder(memory) : positions,
        part.n,
        columns.length,
        kernel().reads().size());
  }

  private void target(
      TransactionWrites writes, Part part, BatchRows group, int c, boolean own, boolean bitmap) {
    Tablet tablet = part.tablet;
    int column = columns[c];
    DeviceMemory memory = writes.device();
    DeviceBuffer values = tablet.writableValues(column);
    DeviceBuffer validity =
        !bitmap ? null : own ? tablet.writableValidity(column) : memory.map(AllValid.writable(c));
    long width = table.type(column).bytes();
    part.oldValues[c] = writes.versionMemory().buffer(part.n * width, 8);
    HostBuffer old = bitmap ? writes.versionMemory().buffer(Bitmaps.bytes(part.n), 8) : null;
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
    long rowBytes = 0;
    for (int column : columns) {
      rowBytes += table.type(column).bytes();
    }
    return rows() * rowBytes;
  }

  private void bindReads(Part part, BatchRows group, BitSet readsWithNulls, DeviceMemory memory) {
    List<LaneInputs.Stored> reads = kernel().reads();
    for (int r = 0; r < reads.size(); r++) {
      int column = reads.get(r).column();
      DeviceBuffer validity = null;
      if (readsWithNulls.get(r)) {
        validity = part.tablet.validity(column);
        validity = validity == null ? memory.map(AllValid.readable()) : validity;
      }
      group.read(r, part.tablet.values(column), validity);
    }
  }

  /** Has the columns changed one after the other, computed before by one launch where need be. */
  public void forEachColumn(TransactionWrites writes, ColumnStep step) {
    ColumnView[] there = given;
    if (there != null && isInOrder()) {
      store(parts.getFirst(), there, step);
      return;
    }
    BumpMemory scratch = new BumpMemory(writes.memory());
    try {
      List<ColumnView[]> computed = compute(scratch, writes.device());
      for (int p = 0; p < parts.size(); p++) {
        store(parts.get(p), computed.get(p), step);
      }
    } finally {
      scratch.free();
    }
  }

  private void store(Part part, ColumnView[] values, ColumnStep step) {
    for (int c = 0; c < columns.length; c++) {
      step.store(part, c, values[c]);
    }
  }

  /** One column of one part, with room for what it captures. */
  public ColumnChange column(TransactionWrites writes, Part part, int c, ColumnView values) {
    return part.change(writes, table, columns[c], c, values);
  }

  private List<ColumnView[]> compute(BumpMemory scratch, DeviceMemory memory) {
    List<BatchRows> groups = new ArrayList<>(parts.size());
    List<ColumnView[]> computed = new ArrayList<>(parts.size());
    BitSet readsWithNulls = readsWithNulls();
    for (Part part : parts) {
      BatchRows group = group(part, memory);
      ColumnView[] values = new ColumnView[columns.length];
      for (int c = 0; c < columns.length; c++) {
        HostBuffer out = scratch.buffer((long) part.n * table.type(columns[c]).bytes(), 8);
        HostBuffer valid = scratch.buffer(Bitmaps.bytes(part.n), 8);
        values[c] = new ColumnView(table.type(columns[c]), out, valid);
        group.newValues(c, out, valid);
      }
      bindReads(part, group, readsWithNulls, memory);
      groups.add(group);
      computed.add(values);
    }
    kernel().compute(bindings(), groups);
    for (int p = 0; p < parts.size(); p++) {
      int n = parts.get(p).n;
      ColumnView[] values = computed.get(p);
      Arrays.setAll(values, c -> values[c].withoutBitmapOfOnes(n));
    }
    return computed;
  }
}
