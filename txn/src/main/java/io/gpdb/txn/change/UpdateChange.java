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
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * New values for columns of rows of one tablet or many: computed by a kernel from the rows and from
 * values at the rows' positions, or supplied by the caller, each part with its own.
 */
public final class UpdateChange implements TableChange {
  private static final ColumnView[] NO_VALUES = {};

  private final TableVersions table;
  private final int[] columns;
  private final @Nullable SuppliedValues kernels;
  private final List<Part> parts;
  private @Nullable Launch launch;

  /** The kernel that computes the new values, and what it reads of the batch. */
  public record Launch(GridApplyBatch kernel, LaneBindings bindings) {}

  /** The rows of one tablet. */
  public static final class Part implements TableChange.Part {
    private final Tablet tablet;
    private final HostBuffer rows;
    private final @Nullable HostBuffer positions;
    private final int n;
    private final boolean ascends;
    private final HostBuffer[] oldValues;
    private final @Nullable HostBuffer[] oldValidity;
    private final Protocol[] protocols;
    private ColumnView[] newValues;
    private int columnsDone;

    Part(
        Tablet tablet,
        HostBuffer rows,
        @Nullable HostBuffer positions,
        int n,
        boolean ascends,
        int columns,
        ColumnView[] newValues) {
      this.tablet = tablet;
      this.rows = rows;
      this.positions = positions;
      this.n = n;
      this.ascends = ascends;
      this.newValues = newValues;
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

    /** Whether a scan has left the rows, in their order. */
    public boolean ascends() {
      return ascends;
    }

    /** How the new values of the c-th column become durable. */
    public Protocol protocol(int c) {
      return protocols[c];
    }

    public void protocol(int c, Protocol how) {
      protocols[c] = how;
    }

    /** Whether the c-th column has a validity bitmap, or gets one. */
    public boolean isNullable(int c) {
      return oldValidity[c] != null;
    }

    /** The c-th column, after all before it, is captured and stored. */
    void done(int c) {
      columnsDone = c + 1;
    }

    /** The change of the c-th column, whose new values are there. */
    ColumnChange change(TransactionWrites writes, TableVersions table, int column, int c) {
      ColumnView values = newValues[c];
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

  private UpdateChange(
      TableVersions table,
      int[] columns,
      @Nullable SuppliedValues kernels,
      @Nullable Launch launch,
      List<Part> parts) {
    this.table = table;
    this.columns = columns;
    this.kernels = kernels;
    this.launch = launch;
    this.parts = parts;
  }

  /** Without parts yet, of values that the kernel computes. */
  public static UpdateChange computed(
      TableVersions table, GridApplyBatch kernel, LaneBindings bindings) {
    Launch launch = new Launch(kernel, bindings);
    return new UpdateChange(table, kernel.columns(), null, launch, new ArrayList<>());
  }

  /** Without parts yet, of values that are there. */
  public static UpdateChange supplied(TableVersions table, int[] columns, SuppliedValues kernels) {
    return new UpdateChange(table, columns, kernels, null, new ArrayList<>());
  }

  /**
   * The rows (i32[n], distinct) of one tablet; they stay where they are.
   *
   * @param positions i32[n]: where in the batch the kernel finds each row's values
   */
  public void add(Tablet tablet, HostBuffer rows, HostBuffer positions, int n) {
    parts.add(new Part(tablet, rows, positions, n, false, columns.length, NO_VALUES));
  }

  /**
   * As above of values that are there.
   *
   * @param ascends whether the rows are in the order of a scan, so that the first and the last one
   *     say where they are
   * @param values by column, n of each, in the order of the rows
   */
  public void add(Tablet tablet, HostBuffer rows, int n, boolean ascends, List<ColumnView> values) {
    ColumnView[] kept = new ColumnView[values.size()];
    Arrays.setAll(kept, c -> values.get(c).withoutBitmapOfOnes(n));
    parts.add(new Part(tablet, rows, null, n, ascends, columns.length, kept));
  }

  @Override
  public UpdateChange only(List<? extends TableChange.Part> some) {
    List<Part> own = some.stream().map(Part.class::cast).toList();
    return new UpdateChange(table, columns, kernels, kernels == null ? launch : null, own);
  }

  /** One column of some parts, by itself; the values are there. */
  public UpdateChange alone(List<Part> some, int c) {
    List<Part> own = new ArrayList<>(some.size());
    for (Part part : some) {
      ColumnView[] values = {part.newValues[c]};
      own.add(new Part(part.tablet, part.rows, null, part.n, part.ascends, 1, values));
    }
    return new UpdateChange(table, new int[] {columns[c]}, kernels, null, own);
  }

  /** The c-th column of those parts was changed alone, or captured at least. */
  public static void doneAlone(List<Part> some, int c, UpdateChange alone) {
    for (int p = 0; p < some.size(); p++) {
      Part part = some.get(p);
      Part by = alone.parts.get(p);
      if (by.columnsDone == 1) {
        part.oldValues[c] = by.oldValues[0];
        part.oldValidity[c] = by.oldValidity[0];
        part.protocols[c] = by.protocols[0];
        part.done(c);
      }
    }
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
    Launch known = launch;
    if (known == null) {
      known = ownLaunch(parts.getFirst());
      launch = known;
    }
    return known;
  }

  /** The launch of values that are there, with those of one part. */
  private Launch ownLaunch(Part part) {
    return Objects.requireNonNull(kernels).launch(part.newValues);
  }

  public GridApplyBatch kernel() {
    return launch().kernel();
  }

  public LaneBindings bindings() {
    return launch().bindings();
  }

  /** Whether one kernel can set all of the columns. */
  public boolean fitsOneLaunch() {
    return !isSupplied() || columns.length <= SuppliedValues.COLUMNS_MAX;
  }

  /** Whether the new values are there already. */
  boolean isSupplied() {
    return kernels != null;
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
    captured(columns.length - 1);
  }

  /** Those of the c-th column, and of all before it. */
  void captured(int c) {
    parts.forEach(part -> part.done(c));
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
    if (isSupplied()) {
      lendBitmaps(writes.device());
    }
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

  /** In one launch a column's new values have a bitmap in all parts or in none. */
  private void lendBitmaps(DeviceMemory memory) {
    for (int c = 0; c < columns.length; c++) {
      int at = c;
      if (parts.stream().anyMatch(part -> part.newValues[at].validity() != null)) {
        parts.stream()
            .filter(part -> part.newValues[at].validity() == null)
            .forEach(part -> part.newValues[at] = allValid(part.newValues[at], memory));
      }
    }
  }

  private static ColumnView allValid(ColumnView values, DeviceMemory memory) {
    return new ColumnView(values.type(), values.values(), memory.map(AllValid.readable()));
  }

  private BatchRows group(Part part, DeviceMemory memory) {
    assert part.tablet.latch().isHeldExclusivelyByThisThread() : "R3: batch without the latch";
    HostBuffer positions = part.positions;
    BatchRows group =
        new BatchRows(
            part.rows,
            positions == null ? SuppliedValues.positionsInOrder(memory) : positions,
            part.n,
            columns.length,
            kernel().reads().size());
    return isSupplied() ? group.ownBindings(ownLaunch(part).bindings()) : group;
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

  /**
   * Hands the change on with its values there: supplied, or computed before by one launch, in
   * memory that is freed behind it. What is done to its parts is done to those of this change.
   */
  public void withValues(
      TransactionWrites writes, SuppliedValues store, Consumer<UpdateChange> carryOut) {
    if (isSupplied()) {
      carryOut.accept(this);
      return;
    }
    BumpMemory scratch = new BumpMemory(writes.memory());
    try {
      List<ColumnView[]> computed = compute(scratch, writes.device());
      for (int p = 0; p < parts.size(); p++) {
        parts.get(p).newValues = computed.get(p);
      }
      carryOut.accept(new UpdateChange(table, columns, store, null, parts));
    } finally {
      scratch.free();
    }
  }

  /** The c-th column of one part, whose values are there, with room for what is captured. */
  ColumnChange column(TransactionWrites writes, Part part, int c) {
    return part.change(writes, table, columns[c], c);
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
