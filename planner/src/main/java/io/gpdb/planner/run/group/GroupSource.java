package io.gpdb.planner.run.group;

import io.gpdb.exec.Device;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.group.GridGroupBy;
import io.gpdb.exec.library.group.Grouping;
import io.gpdb.exec.library.group.Groups;
import io.gpdb.exec.library.key.BoundRows;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.move.GridGather;
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
import io.gpdb.planner.batch.StringRanks;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.planner.expression.kernel.KernelExpression;
import io.gpdb.planner.run.FewRows;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.planner.run.HostRows;
import io.gpdb.planner.run.Materialized;
import io.gpdb.planner.run.RangedScan;
import io.gpdb.planner.run.SpilledParts;
import io.gpdb.planner.run.group.AggregatePlan.AggregateCallSpec;
import io.gpdb.planner.run.group.AggregatePlan.Function;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** Filter, GROUP BY and aggregates; without aggregates it is DISTINCT. */
public final class GroupSource extends Source {
  private static final double GROUPS_ASSUMED = 0.1;

  /** What a division takes for a key of a row: its word, and its share of the rows' parts. */
  private static final long KEY_BYTES = 16;

  /** How often rows are divided into parts before their groups are too many. */
  private static final int LEVELS_MAX = 4;

  private final Device device;
  private final Source input;
  private final RangedScan scan;
  private final @Nullable RexNode filter;
  private final List<RexNode> keyNodes;
  private final KernelExpressions expressions;
  private final List<KernelExpression> keys = new ArrayList<>();
  private final AggregatePlan plan;
  private final GridGroupBy kernel;
  private final GridGather gather;
  private final FailingRow failingRow;
  private final @Nullable HostAggregation host;
  private final int hostRowsMax;

  /**
   * @param hostRows up to how many rows the host does it
   */
  public GroupSource(
      Device device,
      RexBuilder rexBuilder,
      Source input,
      @Nullable RexNode filter,
      List<RexNode> keyNodes,
      List<AggregateCallSpec> calls,
      List<SourceColumn> columns,
      String name,
      HostRows hostRows)
      throws NotCovered {
    super(columns);
    this.device = device;
    this.input = input;
    scan = new RangedScan(device, rexBuilder, input, filter);
    this.filter = filter;
    this.keyNodes = List.copyOf(keyNodes);
    expressions = new KernelExpressions(input.types(), rexBuilder);
    LaneProgram condition = filter == null ? null : expressions.condition(filter).program();
    for (RexNode key : keyNodes) {
      keys.add(expressions.compile(key));
    }
    for (AggregateCallSpec call : calls) {
      if (call.function() == Function.SINGLE) {
        throw new NotCovered("SINGLE_VALUE by group");
      }
    }
    plan = new AggregatePlan(expressions, calls);
    List<RexNode> nodes = new ArrayList<>(keyNodes);
    nodes.addAll(plan.nodes());
    failingRow = new FailingRow(input, rexBuilder, filter, nodes);
    hostRowsMax = hostRows.ofGroups().max(HostAggregation.nodes(filter, keyNodes, calls));
    host =
        hostRowsMax > 0
            ? HostAggregation.of(rexBuilder, input.types(), failingRow, filter, keyNodes, calls)
            : null;
    gather = new GridGather(device);
    kernel =
        new GridGroupBy(
            device,
            name,
            expressions.inputs(),
            condition,
            keys.stream().map(KernelExpression::program).toList(),
            plan.aggregates());
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    BitSet read = new BitSet();
    for (int column : expressions.columnsRead()) {
      read.set(column);
    }
    Run run = new Run(x, read, 0, () -> scan.open(x, read));
    if (host == null || (input.canBeFused() && input.estimatedRows(x) > hostRowsMax)) {
      return grouped(run);
    }
    read.or(host.read());
    try (FewRows rows = FewRows.of(scan.open(x, read), hostRowsMax)) {
      return rows.areAll() ? host.run(rows, x, types()) : grouped(rows, run);
    }
  }

  /**
   * Rows that are grouped.
   *
   * @param read the fields that they have
   * @param level how often they were divided into parts
   * @param rows opens them, once more where it was done before
   */
  private record Run(Execution x, BitSet read, int level, Supplier<Batches> rows) {}

  private Batches grouped(Run run) {
    if (plan.bound().isEmpty()) {
      try {
        return grouped(scan.openForKernels(run.x, run.read), run);
      } catch (KernelTrap trap) {
        // of a row that the input's own rows will tell
      }
    }
    return grouped(run.rows.get(), run);
  }

  /** In memory, or, where the groups do not fit, in parts that are in a temporary file. */
  private Batches grouped(Batches opened, Run run) {
    Execution x = run.x;
    BatchBinding binding =
        new BatchBinding(expressions, input.types(), x, device).with(plan.bound());
    Grouping grouping = null;
    Batches settled =
        run.level == 0 ? Materialized.settled(input, opened, run.read, plan.bound()) : opened;
    try (BatchWindows windows = new BatchWindows(settled)) {
      windows.expectAll();
      List<Batch> window = windows.next(ReduceSource.WINDOW_ROWS_MAX);
      while (!window.isEmpty()) {
        if (grouping == null && hasRows(window)) {
          binding.bind(window.getFirst());
          grouping = kernel.start(limits(binding));
        }
        if (grouping != null) {
          add(window, grouping, binding, x);
        }
        window = windows.next(ReduceSource.WINDOW_ROWS_MAX);
      }
      return Batches.of(grouping == null ? null : result(grouping, binding));
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY
          || grouping == null
          || run.level == LEVELS_MAX
          || !MemoryAccount.current().canSpill()) {
        throw e;
      }
    } finally {
      if (grouping != null) {
        grouping.close();
      }
    }
    return new PartedGroups(run);
  }

  /** The groups of one part after the other; those of a part fit, or it is divided again. */
  private final class PartedGroups implements Batches {
    private final Run run;
    private final long rowBytes;
    private final SpilledParts parts;
    private int next;
    private Batches groups = Batches.of(null);

    PartedGroups(Run run) {
      this.run = run;
      parts = new SpilledParts(input.types(), run.read, gather);
      rowBytes = new HeldRows(input, run.read).rowBytes();
      BatchBinding binding =
          new BatchBinding(expressions, input.types(), run.x, device).with(plan.bound());
      try (Batches rows = run.rows.get()) {
        parts.addAll(
            input,
            rows,
            2 * rowBytes + KEY_BYTES * (1 + keys.size()),
            batch -> partsOf(batch, binding));
      } catch (RuntimeException | Error e) {
        parts.close();
        throw e;
      }
    }

    private int[] partsOf(Batch batch, BatchBinding binding) {
      return failingRow.launched(
          expressions,
          run.x,
          batch,
          () ->
              kernel.parts(
                  binding.bind(batch), batch.rows(), batch.live(), SpilledParts.COUNT, run.level));
    }

    @Override
    public @Nullable Batch next() {
      Batch batch = groups.next();
      while (batch == null && next < SpilledParts.COUNT) {
        groups.close();
        int part = next++;
        if (!parts.isEmpty(part)) {
          Supplier<Batches> rows = () -> parts.rows(part, rowBytes);
          groups = grouped(rows.get(), new Run(run.x, run.read, run.level + 1, rows));
          batch = groups.next();
        }
      }
      return batch;
    }

    @Override
    public void close() {
      groups.close();
      parts.close();
    }
  }

  private static boolean hasRows(List<Batch> window) {
    return window.stream().anyMatch(batch -> batch.rows() > 0);
  }

  private void add(List<Batch> window, Grouping grouping, BatchBinding binding, Execution x) {
    failingRow.launched(
        expressions,
        x,
        window,
        batches -> {
          grouping.add(
              batches.size(),
              i -> {
                Batch batch = batches.get(i);
                return new BoundRows(binding.bind(batch), batch.rows(), batch.live());
              });
          return grouping;
        });
  }

  /** Codes of a stored dictionary have a limit that holds for all rows that the query sees. */
  private int[] limits(BatchBinding binding) {
    int[] limits = new int[keys.size()];
    for (int i = 0; i < limits.length; i++) {
      StringDomain domain = keys.get(i).domain(binding);
      limits[i] = domain instanceof StringDomain.Stored ? domain.size() : GridGroupBy.UNKNOWN;
    }
    return limits;
  }

  private @Nullable Batch result(Grouping grouping, BatchBinding binding) {
    BatchMemory memory = new BatchMemory();
    try {
      Groups groups =
          Launching.translated(expressions, () -> grouping.finish(keyElements(), memory));
      if (groups.count() == 0) {
        memory.close();
        return null;
      }
      DenseBatch batch = new DenseBatch(groups.count(), columns().size(), memory);
      for (int i = 0; i < keys.size(); i++) {
        DenseColumn key = groups.keys().get(i);
        batch.set(i, key.values(), key.validity()).strings(i, keys.get(i).domain(binding));
      }
      for (int i = 0; i < plan.calls().size(); i++) {
        aggregate(batch, i, groups, binding, memory);
      }
      return batch;
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  private List<ElementType> keyElements() {
    return columns().stream().limit(keys.size()).map(c -> c.type().element()).toList();
  }

  private void aggregate(
      DenseBatch batch, int call, Groups groups, BatchBinding binding, BatchMemory memory) {
    DenseColumn column = groups.aggregates().get(call);
    int field = keys.size() + call;
    AggregateCallSpec spec = plan.calls().get(call);
    SqlTypeSpec type = spec.type();
    boolean wide = column.element().bytes() == Long.BYTES;
    DeviceBuffer values = narrowed(column.values(), wide, type.element(), groups.count(), memory);
    DeviceBuffer validity = column.validity();
    StringRanks ranks = plan.ranks(call);
    if (ranks != null) {
      StringRanks.Order order = binding.order(ranks);
      HostBuffer ofRanks = values.onHost();
      HostBuffer present = validity == null ? null : validity.onHost();
      HostBuffer codes = memory.pin((long) groups.count() << 2);
      for (int i = 0; i < groups.count(); i++) {
        boolean isNull = present != null && !Bitmaps.test(present, i);
        codes.setInt(i, isNull ? 0 : order.codes()[ofRanks.intAt(i)]);
      }
      values = codes;
      batch.strings(field, order.domain());
    } else if (type.kind().isString()) {
      batch.strings(field, new StringDomain.Made()); // the sum of an untyped NULL, which is NULL
    }
    if (type.kind() == SqlTypeSpec.Kind.DECIMAL && spec.function() != Function.COUNT) {
      HostBuffer sums = values.onHost();
      for (int i = 0; i < groups.count(); i++) {
        ReduceSource.fitting(sums.longAt(i), spec);
      }
    }
    batch.set(field, values, spec.function() == Function.SUM_OR_ZERO ? null : validity);
  }

  /** Elements of 4 or 8 bytes as elements of the column's width. */
  private static DeviceBuffer narrowed(
      DeviceBuffer source, boolean wide, ElementType element, int n, BatchMemory memory) {
    if (element.bytes() == (wide ? Long.BYTES : Integer.BYTES)) {
      return source;
    }
    HostBuffer wider = source.onHost();
    HostBuffer target = memory.pin((long) n * element.bytes());
    for (int i = 0; i < n; i++) {
      StopSignal.poll(i);
      element.setRawAt(target, i, wide ? wider.longAt(i) : wider.intAt(i));
    }
    return target;
  }

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  @Override
  public double estimatedRows(Execution x) {
    return Math.max(1, input.estimatedRows(x) * GROUPS_ASSUMED);
  }

  @Override
  public void explain(Outline outline) {
    List<String> names = input.columns().stream().map(SourceColumn::name).toList();
    StringBuilder text = new StringBuilder();
    text.append(plan.calls().isEmpty() ? "distinct " : "group by ");
    text.append(RexText.of(keyNodes, names));
    plan.calls().forEach(call -> text.append(' ').append(call.text()));
    if (filter != null) {
      text.append(", filter ").append(RexText.of(filter, names));
    }
    String where = "kernel " + kernel.kernel().name();
    outline.operator(
        text.toString(), host == null ? where : FewRows.orHost(hostRowsMax) + where, this);
    outline.below(input);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    kernels.add(kernel.kernel());
    input.kernels(kernels);
  }
}
