package io.gpdb.planner.run;

import io.gpdb.exec.Device;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.SelectedRows;
import io.gpdb.exec.library.join.KeyFilter;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.scan.GridFilterProject;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchBinding;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.BatchWindows;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.FailingRow;
import io.gpdb.planner.batch.Launching;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.planner.expression.kernel.KernelExpression;
import io.gpdb.sql.tree.Raising;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.tablet.Tablet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Filter and projection of each batch in one kernel, one for each set of outputs that somebody asks
 * for. Row ids come from the kernel's positions.
 */
public final class FilterProjectSource extends Source {
  private static final double SELECTIVITY_ASSUMED = 0.25;

  /** What the rows of a window may take while they are filtered. */
  private static final long WINDOW_BYTES_MAX = 32 << 20;

  /** On a GPU, where all rows are wanted: each window has launches that are waited for. */
  private static final long GPU_WINDOW_BYTES_MAX = 512 << 20;

  /** Into how many parts the memory left is divided, to take one: what passes takes as much. */
  private static final int SHARE_MEMORY_MAX = 8;

  private final Device device;
  private final RexBuilder rexBuilder;
  private final Source input;
  private final RangedScan scan;
  private final @Nullable RexNode filter;
  private final List<RexNode> outputs;
  private final String name;
  private final @Nullable HostProjection host;
  private final int hostRowsMax;
  private final boolean mayRaise;
  private volatile @Nullable Variant full;
  private final ConcurrentHashMap<BitSet, Variant> variants = new ConcurrentHashMap<>();

  /**
   * @param hostRows up to how many rows of a window the host does it
   */
  public FilterProjectSource(
      Device device,
      RexBuilder rexBuilder,
      Source input,
      @Nullable RexNode filter,
      List<RexNode> outputs,
      List<SourceColumn> columns,
      String name,
      HostRows hostRows)
      throws NotCovered {
    super(columns);
    this.device = device;
    this.rexBuilder = rexBuilder;
    this.input = input;
    scan = new RangedScan(device, rexBuilder, input, filter);
    this.filter = filter;
    this.outputs = List.copyOf(outputs);
    this.name = name;
    List<RexNode> nodes = new ArrayList<>(outputs);
    if (filter != null) {
      nodes.add(filter);
    }
    mayRaise = nodes.stream().anyMatch(Raising::mayRaise);
    hostRowsMax = outputs.stream().anyMatch(this::isRowId) ? 0 : hostRows.max(nodes);
    if (hostRowsMax == 0 || !HostRows.areWhole(nodes)) {
      full = new Variant(all());
    }
    host =
        hostRowsMax > 0
            ? new HostProjection(rexBuilder, input.types(), filter, this.outputs, types())
            : null;
  }

  /** The kernel that computes all outputs; made here where it is sure that there is one. */
  private Variant full() {
    Variant known = full;
    if (known == null) {
      known = variantOf(all());
      full = known;
    }
    return known;
  }

  private Variant variantOf(BitSet needed) {
    try {
      return new Variant(needed);
    } catch (NotCovered e) {
      throw new IllegalStateException("some outputs do not compile", e);
    }
  }

  /** The kernel that computes some of the outputs. */
  private final class Variant {
    final KernelExpressions expressions;
    final FailingRow failingRow;
    final int[] fields;
    final List<KernelExpression> compiled = new ArrayList<>();
    final int rowIdField;
    final GridFilterProject kernel;

    Variant(BitSet needed) throws NotCovered {
      expressions = new KernelExpressions(input.types(), rexBuilder);
      failingRow = new FailingRow(input, rexBuilder, filter, outputs, needed);
      LaneProgram condition = filter == null ? null : expressions.condition(filter).program();
      List<GridFilterProject.Output> kernelOutputs = new ArrayList<>();
      List<Integer> given = new ArrayList<>();
      int ids = -1;
      for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
        if (ids < 0 && isRowId(outputs.get(i))) {
          ids = i;
          continue;
        }
        KernelExpression output = expressions.compile(outputs.get(i));
        given.add(i);
        compiled.add(output);
        kernelOutputs.add(
            new GridFilterProject.Output(
                Launching.element(columns().get(i).type()), output.program()));
      }
      fields = given.stream().mapToInt(Integer::intValue).toArray();
      rowIdField = ids;
      kernel =
          new GridFilterProject(
              device, name, expressions.inputs(), condition, kernelOutputs, ids >= 0);
    }
  }

  private boolean isRowId(RexNode output) {
    return output instanceof RexInputRef ref && ref.getIndex() == input.rowIdField();
  }

  private Variant variant(BitSet needed) {
    BitSet wanted = (BitSet) needed.clone();
    wanted.and(all());
    return wanted.cardinality() == outputs.size()
        ? full()
        : variants.computeIfAbsent(wanted, this::variantOf);
  }

  private BitSet all() {
    BitSet all = new BitSet();
    all.set(0, outputs.size());
    return all;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    boolean numbered = needed.stream().anyMatch(i -> i < outputs.size() && isRowId(outputs.get(i)));
    BitSet read = read(needed);
    return new Filtered(x, needed, numbered ? input.open(x, read) : scan.open(x, read));
  }

  /** A row that is left out before it is filtered raises no error. */
  @Override
  protected Batches startAmong(Execution x, BitSet needed, int field, KeyFilter keys) {
    return !mayRaise && outputs.get(field) instanceof RexInputRef column && !isRowId(column)
        ? new Filtered(x, needed, input.openAmong(x, read(needed), column.getIndex(), keys))
        : start(x, needed);
  }

  /** The fields of the input that are read. */
  private BitSet read(BitSet needed) {
    if (host != null) {
      return host.read(needed);
    }
    BitSet read = new BitSet();
    for (int column : variant(needed).expressions.columnsRead()) {
      read.set(column);
    }
    return read;
  }

  /** The most rows of a window whose results take no more than these bytes. */
  private long windowRowsMax(BitSet needed, long bytesMax) {
    int rowBytes = 0;
    for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
      rowBytes += Launching.element(columns().get(i).type()).bytes() + 1;
    }
    long left = MemoryAccount.current().availableBytes() / SHARE_MEMORY_MAX;
    return Math.min(left, bytesMax) / Math.max(1, rowBytes);
  }

  /**
   * The rows of each batch of the input that pass, window by window. Windows begin small, so that
   * whoever needs only the first rows does not wait for many.
   */
  private final class Filtered implements Batches {
    private final Execution x;
    private final BitSet needed;
    private final BatchWindows windows;
    private @Nullable ByKernel kernel;
    private final ArrayDeque<Batch> ready = new ArrayDeque<>();
    private long windowRows = 1;
    private long windowBytesMax = WINDOW_BYTES_MAX;
    private boolean expectsAll;
    private @Nullable LongFunction<HostBuffer> rowMemory;
    private @Nullable GpdbException failure;

    /** What the kernel needs, made when it is first needed. */
    private record ByKernel(Variant variant, BatchBinding binding) {}

    Filtered(Execution x, BitSet needed, Batches batches) {
      this.x = x;
      this.needed = needed;
      windows = new BatchWindows(batches);
    }

    private ByKernel kernel() {
      ByKernel known = kernel;
      if (known == null) {
        Variant variant = variant(needed);
        known =
            new ByKernel(variant, new BatchBinding(variant.expressions, input.types(), x, device));
        kernel = known;
      }
      return known;
    }

    @Override
    public @Nullable Batch next() {
      if (ready.isEmpty()) {
        if (failure != null) {
          throw failure;
        }
        List<Batch> window = windows.next(windowRows);
        if (window.isEmpty()) {
          return null;
        }
        if (!onHost(window)) {
          filter(window, kernel());
        }
        windows.release();
        windowRows =
            Math.min(2 * Math.max(windowRows, Tablet.ROWS), windowRowsMax(needed, windowBytesMax));
        return next();
      }
      return ready.poll();
    }

    @Override
    public @Nullable Batch nextTogether() {
      return expectsAll ? ready.poll() : null;
    }

    @Override
    public void expectAll() {
      expectsAll = true;
      if (!device.memory().isHosts()) {
        windowBytesMax = GPU_WINDOW_BYTES_MAX;
      }
      windowRows = Math.max(1, windowRowsMax(needed, windowBytesMax));
      windows.expectAll();
    }

    @Override
    public void leaveRows(LongFunction<HostBuffer> memory) {
      rowMemory = memory;
    }

    /** Leaves the batches in the queue if the rows are few and none fails; else nothing. */
    private boolean onHost(List<Batch> window) {
      if (host == null || window.stream().mapToLong(Batch::rows).sum() > hostRowsMax) {
        return false;
      }
      for (Batch batch : window) {
        DenseBatch done = host.run(batch, x, needed);
        if (done == null) {
          ready.forEach(Batch::close);
          ready.clear();
          return false;
        }
        ready.add(done);
      }
      return true;
    }

    /** Leaves the batches in the queue: all, or those before the first row that fails. */
    private void filter(List<Batch> window, ByKernel by) {
      Variant variant = by.variant;
      BatchBinding binding = by.binding;
      if (window.size() > 1) {
        try {
          ready.addAll(filtered(variant, window, binding, rowMemory));
          return;
        } catch (KernelTrap trap) {
          // A trap does not say in which batch it was.
        }
      }
      for (Batch batch : window) {
        try {
          ready.addAll(
              variant.failingRow.launched(
                  variant.expressions,
                  x,
                  batch,
                  () -> filtered(variant, List.of(batch), binding, rowMemory)));
        } catch (GpdbException e) {
          failure = e;
          if (ready.isEmpty()) {
            throw e;
          }
          return;
        }
      }
    }

    @Override
    public void close() {
      ready.forEach(Batch::close);
      ready.clear();
      windows.close();
    }
  }

  /**
   * @param rowMemory where row numbers are to be left; null for the batches' own memory
   */
  private List<DenseBatch> filtered(
      Variant variant,
      List<Batch> window,
      BatchBinding binding,
      @Nullable LongFunction<HostBuffer> rowMemory) {
    BatchMemory memory = new BatchMemory();
    List<DenseBatch> results = List.of();
    try {
      GridFilterProject.Window together = variant.kernel.start();
      for (Batch batch : window) {
        together.add(binding.bind(batch), batch.rows(), batch.live());
      }
      List<SelectedRows> selected =
          together.finish(memory, rowMemory == null ? memory::pin : rowMemory);
      int[] counts = selected.stream().mapToInt(SelectedRows::count).toArray();
      results = DenseBatch.sharing(memory, counts, outputs.size());
      for (int i = 0; i < counts.length; i++) {
        fill(results.get(i), variant, selected.get(i), window.get(i).rowBase(), binding);
        if (rowMemory != null) {
          results.get(i).leavesRows();
        }
      }
      return results;
    } catch (RuntimeException | Error e) {
      if (results.isEmpty()) {
        memory.close();
      } else {
        results.forEach(Batch::close);
      }
      throw e;
    }
  }

  private static void fill(
      DenseBatch result, Variant variant, SelectedRows rows, long rowBase, BatchBinding binding) {
    for (int i = 0; i < variant.fields.length; i++) {
      DenseColumn dense = rows.columns().get(i);
      int field = variant.fields[i];
      result.set(field, dense.values(), dense.validity());
      result.strings(field, variant.compiled.get(i).domain(binding));
    }
    if (variant.rowIdField >= 0) {
      DeviceBuffer positions = rows.rowIds();
      if (positions == null) {
        throw new IllegalStateException("the kernel returns no positions");
      }
      result.rowIds(variant.rowIdField, positions, rowBase);
    }
  }

  @Override
  public boolean hasSettledStrings() {
    return input.hasSettledStrings();
  }

  @Override
  public boolean isOneRow() {
    return input.isOneRow();
  }

  @Override
  public double estimatedRows(Execution x) {
    double rows = input.estimatedRows(x);
    return filter == null ? rows : Math.max(1, rows * SELECTIVITY_ASSUMED);
  }

  @Override
  public void explain(Outline outline) {
    List<String> names = input.columns().stream().map(SourceColumn::name).toList();
    String text = RexText.projection(filter, outputs, names);
    String where = "kernel " + full().kernel.kernel().name();
    outline.operator(text, host == null ? where : FewRows.orHost(hostRowsMax) + where, this);
    outline.below(input);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    kernels.add(full().kernel.kernel());
    input.kernels(kernels);
  }
}
