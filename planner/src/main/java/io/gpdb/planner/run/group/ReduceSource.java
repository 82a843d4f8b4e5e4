package io.gpdb.planner.run.group;

import io.gpdb.exec.Device;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.reduce.GridReduce;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchBinding;
import io.gpdb.planner.batch.BatchWindows;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.FailingRow;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.RowsBuilder;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.batch.StringRanks;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.planner.run.FewRows;
import io.gpdb.planner.run.HostRows;
import io.gpdb.planner.run.Materialized;
import io.gpdb.planner.run.RangedScan;
import io.gpdb.planner.run.group.AggregatePlan.AggregateCallSpec;
import io.gpdb.planner.run.group.AggregatePlan.Function;
import io.gpdb.planner.run.table.TableSource;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.TableReader;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Filter and aggregates without groups: one launch over a window of batches, one row at the end.
 */
public final class ReduceSource extends Source {
  /** 256 tablets: some milliseconds of a core where the kernel is compiled. */
  public static final long WINDOW_ROWS_MAX = 256L * Tablet.ROWS;

  /** A GPU reads them in less than a millisecond, and each window is waited for. */
  private static final long GPU_WINDOW_ROWS_MAX = 4096L * Tablet.ROWS;

  private final Source input;
  private final RangedScan scan;
  private final @Nullable RexNode filter;
  private final List<AggregateCallSpec> calls;
  private final Device device;
  private final RexBuilder rexBuilder;
  private final String name;
  private volatile @Nullable ByKernel byKernel;
  private final FailingRow failingRow;
  private final @Nullable HostAggregation host;
  private final long windowRowsMax;
  private final int hostRowsMax;

  /** Where a table is read as it is stored, by a device that is worth it. */
  private final @Nullable KeptReduction kept;

  /**
   * @param hostRows up to how many rows the host does it
   */
  public ReduceSource(
      Device device,
      RexBuilder rexBuilder,
      Source input,
      @Nullable RexNode filter,
      List<AggregateCallSpec> calls,
      List<SourceColumn> columns,
      String name,
      HostRows hostRows)
      throws NotCovered {
    super(columns);
    this.input = input;
    scan = new RangedScan(device, rexBuilder, input, filter);
    this.filter = filter;
    this.calls = List.copyOf(calls);
    this.device = device;
    this.rexBuilder = rexBuilder;
    this.name = name;
    failingRow = new FailingRow(input, rexBuilder, filter, AggregatePlan.nodes(calls));
    List<RexNode> nodes = HostAggregation.nodes(filter, List.of(), calls);
    hostRowsMax = hostRows.max(nodes);
    host =
        hostRowsMax > 0
            ? HostAggregation.of(rexBuilder, input.types(), failingRow, filter, List.of(), calls)
            : null;
    if (host == null || !HostRows.areWhole(nodes)) {
      byKernel = new ByKernel();
    }
    boolean isHosts = device.memory().isHosts();
    windowRowsMax = isHosts ? WINDOW_ROWS_MAX : GPU_WINDOW_ROWS_MAX;
    kept = isHosts || !readsNumbersOfTable() ? null : new KeptReduction();
  }

  /** The aggregates as a kernel computes them. */
  private final class ByKernel {
    final KernelExpressions expressions;
    final AggregatePlan plan;
    final GridReduce reduce;

    ByKernel() throws NotCovered {
      expressions = new KernelExpressions(input.types(), rexBuilder);
      LaneProgram condition = filter == null ? null : expressions.condition(filter).program();
      plan = new AggregatePlan(expressions, calls);
      reduce = new GridReduce(device, name, expressions.inputs(), condition, plan.aggregates());
    }

    BitSet read() {
      BitSet read = new BitSet();
      for (int column : expressions.columnsRead()) {
        read.set(column);
      }
      return read;
    }

    BatchBinding binding(Execution x) {
      return new BatchBinding(expressions, input.types(), x, device).with(plan.bound());
    }
  }

  /** Made here where it is sure that kernels cover everything. */
  private ByKernel kernel() {
    ByKernel known = byKernel;
    if (known == null) {
      try {
        known = new ByKernel();
      } catch (NotCovered e) {
        throw new IllegalStateException("some aggregates do not compile", e);
      }
      byKernel = known;
    }
    return known;
  }

  /** Whether all that it reads are a table's own columns, and none is of strings. */
  private boolean readsNumbersOfTable() {
    return input instanceof TableSource
        && kernel().expressions.inputs().tableCount() == 0
        && kernel().plan.bound().isEmpty()
        && Arrays.stream(kernel().expressions.columnsRead())
            .noneMatch(column -> input.types().get(column).kind().isString());
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    return kept != null && input instanceof TableSource table && table.isWhole(x)
        ? reduced(x, kept, table)
        : reduced(x, null);
  }

  /** From the second time on that the table is seen as it is, without opening its tablets. */
  private Batches reduced(Execution x, KeptReduction kept, TableSource table) {
    TableReader reader = table.reader(x);
    ByKernel by = kernel();
    int[] columns = by.expressions.columnsRead();
    BatchBinding binding = new BatchBinding(by.expressions, input.types(), x, device);
    GridReduce.Partial again = kept.again(reader, columns, binding::bindParameters);
    if (again != null) {
      return Batches.of(row(again, by.plan, binding));
    }
    KeptReduction.Opening opening = kept.open(reader, columns);
    Batches result = reduced(x, opening);
    kept.close(opening);
    return result;
  }

  private Batches reduced(Execution x, KeptReduction.@Nullable Opening opening) {
    if (host == null || (input.canBeFused() && input.estimatedRows(x) > hostRowsMax)) {
      return launched(x, kernel().read(), opening);
    }
    BitSet read = (BitSet) host.read().clone();
    try (FewRows rows = FewRows.of(scan.open(x, read), hostRowsMax)) {
      return rows.areAll() ? host.run(rows, x, types()) : launched(rows, x, read, opening);
    }
  }

  private Batches launched(Execution x, BitSet read, KeptReduction.@Nullable Opening opening) {
    if (kernel().plan.bound().isEmpty()) {
      try {
        return launched(scan.openForKernels(x, read), x, read, opening);
      } catch (KernelTrap trap) {
        // of a row that the input's own rows will tell
      }
    }
    return launched(scan.open(x, read), x, read, opening);
  }

  private Batches launched(
      Batches opened, Execution x, BitSet read, KeptReduction.@Nullable Opening opening) {
    ByKernel by = kernel();
    BatchBinding binding = by.binding(x);
    GridReduce.Partial all = null;
    Batches settled = Materialized.settled(input, opened, read, by.plan.bound());
    try (BatchWindows windows = new BatchWindows(settled)) {
      windows.expectAll();
      List<Batch> window = windows.next(windowRowsMax);
      while (!window.isEmpty()) {
        all = launched(window, binding, all, x, opening);
        window = windows.next(windowRowsMax);
      }
    }
    return Batches.of(row(all == null ? by.reduce.empty() : all, by.plan, binding));
  }

  private GridReduce.Partial launched(
      List<Batch> window,
      BatchBinding binding,
      GridReduce.@Nullable Partial before,
      Execution x,
      KeptReduction.@Nullable Opening opening) {
    ByKernel by = kernel();
    return failingRow.launched(
        by.expressions,
        x,
        window,
        batches -> {
          GridReduce.Window together = by.reduce.start();
          for (Batch batch : batches) {
            together.add(binding.bind(batch), batch.rows(), batch.live());
          }
          GridReduce.Partial all = together.finish(before);
          if (opening != null) {
            opening.launched(together, batches);
          }
          return all;
        });
  }

  private Batch row(GridReduce.Partial result, AggregatePlan plan, BatchBinding run) {
    RowsBuilder row = new RowsBuilder(types());
    for (int i = 0; i < plan.calls().size(); i++) {
      AggregateCallSpec call = plan.calls().get(i);
      if (call.function() == Function.SINGLE && result.rows() > 1) {
        throw new GpdbException(
            SqlCondition.CARDINALITY,
            "a subquery used as a value returns " + result.rows() + " rows");
      }
      if (result.isNull(i)) {
        if (call.function() == Function.SUM_OR_ZERO) {
          row.setRaw(i, 0);
        } else {
          row.set(i, null);
        }
        continue;
      }
      long raw = result.raw(i);
      StringRanks ranks = plan.ranks(i);
      if (ranks != null) {
        StringRanks.Order order = run.order(ranks);
        raw = row.intern(i, order.domain().bytes(order.codes()[(int) raw]));
      }
      row.setRaw(i, fitting(raw, call));
    }
    row.endRow();
    return row.batch();
  }

  /** A decimal sum must have as many digits as its type. */
  static long fitting(long raw, AggregateCallSpec call) {
    SqlTypeSpec type = call.type();
    if (type.kind() == Kind.DECIMAL && Math.abs(raw) >= 1_000_000_000_000_000_000L) {
      throw new GpdbException(
          ErrorCode.NUMERIC_OUT_OF_RANGE, call.text() + " is out of range for " + type);
    }
    return raw;
  }

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  @Override
  public boolean isOneRow() {
    return true;
  }

  @Override
  public double estimatedRows(Execution x) {
    return 1;
  }

  @Override
  public void explain(Outline outline) {
    List<String> names = input.columns().stream().map(SourceColumn::name).toList();
    StringBuilder text = new StringBuilder("aggregate");
    calls.forEach(call -> text.append(' ').append(call.text()));
    if (filter != null) {
      text.append(", filter ").append(RexText.of(filter, names));
    }
    String where = "kernel " + kernel().reduce.kernel().name();
    outline.operator(
        text.toString(), host == null ? where : FewRows.orHost(hostRowsMax) + where, this);
    outline.below(input);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    kernels.add(kernel().reduce.kernel());
    input.kernels(kernels);
  }
}
