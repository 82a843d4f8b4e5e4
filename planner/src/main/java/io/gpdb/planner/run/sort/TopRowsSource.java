package io.gpdb.planner.run.sort;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.exec.library.sort.GridTopN;
import io.gpdb.exec.library.sort.SortKey;
import io.gpdb.exec.library.sort.Top;
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
import io.gpdb.planner.batch.RowLimit;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.batch.StringRanks;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.planner.expression.kernel.KernelExpression;
import io.gpdb.planner.run.FilterProjectSource;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.planner.run.HostRows;
import io.gpdb.planner.run.Materialized;
import io.gpdb.planner.run.group.ReduceSource;
import io.gpdb.planner.run.table.TableSource;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.tablet.Tablet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * The first rows of an order, in the order of their numbers: what ORDER BY with LIMIT sorts instead
 * of all rows. Below a {@link SortSource}. Where memory has no room for so many, all rows that pass
 * the filter come: the sort above spills them.
 */
public final class TopRowsSource extends Source {
  /** What the rows of a window may take while they are compared. */
  private static final long WINDOW_BYTES_MAX = 32 << 20;

  /** A window may take one part in this many of the memory left: what passes takes as much. */
  private static final int SHARE_MEMORY_MAX = 8;

  /** What is held may take one part in one more than so many of the memory left. */
  private static final int HELD_SHARE = 3;

  /** Rows are left out when there are more than so many for each that is wanted. */
  private static final int KEPT_ROWS_SHARE = 2;

  private final Device device;
  private final RexBuilder rexBuilder;
  private final Source input;
  private final @Nullable RexNode filter;
  private final RowLimit limit;
  private final KernelExpressions expressions;
  private final List<StringRanks> ranks = new ArrayList<>();
  private final GridTopN kernel;
  private final FailingRow failingRow;
  private final GridGather gather;
  private final @Nullable TableSource table;
  private volatile @Nullable Source allRows;

  /** The order is by {@code keys}, which belong to the fields of {@code order} in turn. */
  public TopRowsSource(
      Device device,
      RexBuilder rexBuilder,
      Source input,
      @Nullable RexNode filter,
      List<RexNode> keys,
      List<RelFieldCollation> order,
      RowLimit limit)
      throws NotCovered {
    super(input.columns());
    this.device = device;
    this.rexBuilder = rexBuilder;
    this.input = input;
    this.table = input instanceof TableSource stored ? stored : null;
    this.filter = filter;
    this.limit = limit;
    expressions = new KernelExpressions(input.types(), rexBuilder);
    LaneProgram condition = filter == null ? null : expressions.condition(filter).program();
    List<SortKey> sortKeys = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      KernelExpression key = expressions.compile(keys.get(i));
      RelFieldCollation direction = order.get(i);
      sortKeys.add(
          new SortKey(
              program(key),
              direction.getDirection().isDescending(),
              RowOrder.nullsFirst(direction)));
    }
    failingRow = new FailingRow(input, rexBuilder, filter, keys);
    kernel = new GridTopN(device, "top", expressions.inputs(), condition, sortKeys);
    gather = new GridGather(device);
  }

  private static long windowRowsMax(Top top) {
    long left = MemoryAccount.current().availableBytes() / SHARE_MEMORY_MAX;
    return Math.min(
        ReduceSource.WINDOW_ROWS_MAX, Math.min(left, WINDOW_BYTES_MAX) / top.bytesPerRow());
  }

  private LaneProgram program(KernelExpression key) {
    if (!key.type().kind().isString()) {
      return key.program();
    }
    StringRanks order = new StringRanks(expressions.inputs(), key);
    ranks.add(order);
    return order.program();
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    long fetch = limit.fetch(x);
    long rows = limit.offset(x) + Math.min(fetch, Long.MAX_VALUE / 2);
    if (fetch == 0) {
      return Batches.of(null);
    }
    First first = first(x, needed, (int) Math.min(HeldRows.ROWS_MAX, rows));
    return first == null ? allRows().open(x, needed) : first;
  }

  /** The first rows; null where memory has no room for them and the sort can spill. */
  private @Nullable First first(Execution x, BitSet needed, int rows) {
    try {
      First first = new First(x, needed, rows);
      return first.isFound ? first : null;
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || !MemoryAccount.current().canSpill()) {
        throw e;
      }
      return null;
    }
  }

  /** The rows that pass the filter, made where memory has no room for the first of them. */
  private Source allRows() {
    Source known = allRows;
    if (known == null) {
      known = filter == null && !input.hasDeadRows() ? input : filtered();
      allRows = known;
    }
    return known;
  }

  private Source filtered() {
    List<RexNode> fields = new ArrayList<>();
    for (SourceColumn column : columns()) {
      RelDataType type = GpTypes.relType(column.type(), column.nullable());
      fields.add(rexBuilder.makeInputRef(type, fields.size()));
    }
    try {
      return new FilterProjectSource(
          device, rexBuilder, input, filter, fields, columns(), "scan", new HostRows(0, 0));
    } catch (NotCovered e) {
      throw new IllegalStateException("the filter was compiled before: " + filter, e);
    }
  }

  /**
   * One execution: first all batches are searched for the numbers of the rows, then the rows are
   * taken from the batches that have some. Tablets are opened again for that, other batches are
   * kept in memory; where memory has no room for more, what may be among the first of them.
   */
  private final class First implements Batches {
    private final Execution x;
    private final BitSet needed;
    private final List<Batch> held = new ArrayList<>();
    private final List<Long> starts = new ArrayList<>();
    private final int wanted;

    /** Whether memory had room for all of them; else there is nothing here. */
    private final boolean isFound;

    private long[] numbers = {};
    private int batch;
    private int at;

    First(Execution x, BitSet needed, int rows) {
      this.x = x;
      this.needed = needed;
      this.wanted = rows;
      try {
        BitSet read = table == null ? (BitSet) needed.clone() : new BitSet();
        for (int column : expressions.columnsRead()) {
          read.set(column);
        }
        try (Top top = offered(read)) {
          isFound = top != null;
          if (top != null) {
            numbers = first(top);
          }
        }
      } catch (RuntimeException | Error e) {
        close();
        throw e;
      }
    }

    /** The numbers of the first rows, in their order. */
    private long[] first(Top top) {
      try (BatchMemory scratch = new BatchMemory()) {
        DeviceBuffer first = Launching.translated(expressions, () -> top.finish(scratch));
        long[] found = new long[(int) (first.bytes() / Long.BYTES)];
        first.onHost().read(0, found, 0, found.length);
        Arrays.sort(found);
        return found;
      }
    }

    /** What has the first rows; null where there are more than memory has room for. */
    private @Nullable Top offered(BitSet read) {
      BatchBinding binding = new BatchBinding(expressions, input.types(), x, device).with(ranks);
      Batches batches = Materialized.settled(input, x, read, ranks);
      Top top = kernel.start(wanted);
      try {
        if (table == null) {
          return offeredHeld(top, binding, batches, read);
        }
        offerTablets(top, binding, batches);
        return top;
      } catch (RuntimeException | Error e) {
        top.close();
        throw e;
      }
    }

    /** As above, and keeps the batches; the result is the given one or follows it. */
    private @Nullable Top offeredHeld(
        Top begun, BatchBinding binding, Batches opened, BitSet read) {
      Top top = begun;
      try (Batches batches = opened) {
        long rowBytes = new HeldRows(input, read).rowBytes();
        long rows = 0;
        for (Batch batch = batches.next(); batch != null; batch = batches.next()) {
          long start = rows;
          held.add(batch);
          offer(top, binding, List.of(batch), _ -> start);
          starts.add(start);
          rows += batch.rows();
          if (areTooMany(rows * rowBytes)) {
            if (rows <= (long) KEPT_ROWS_SHARE * wanted) {
              top.close();
              close();
              return null;
            }
            DenseBatch kept = firstOf(top, read);
            held.add(kept);
            starts.add(0L);
            rows = kept.rows();
            top.close();
            top = kernel.start(wanted);
            offer(top, binding, List.of(kept), _ -> 0L);
          }
        }
        return top;
      } catch (RuntimeException | Error e) {
        top.close();
        throw e;
      }
    }

    private static boolean areTooMany(long bytes) {
      MemoryAccount account = MemoryAccount.current();
      return account.canSpill() && !account.hasRoomFor(HELD_SHARE * bytes);
    }

    /** The rows that may be among the first, in place of the batches, which are closed. */
    private DenseBatch firstOf(Top top, BitSet read) {
      numbers = first(top);
      at = 0;
      batch = 0;
      try (HeldRows kept = new HeldRows(input, read)) {
        for (Batch part = next(read); part != null; part = next(read)) {
          kept.add(part);
        }
        DenseBatch all = kept.taken();
        close();
        starts.clear();
        at = 0;
        batch = 0;
        return all;
      }
    }

    private void offerTablets(Top top, BatchBinding binding, Batches opened) {
      try (BatchWindows windows = new BatchWindows(opened)) {
        windows.expectAll();
        List<Batch> window = windows.next(windowRowsMax(top));
        while (!window.isEmpty()) {
          offer(top, binding, window, Batch::rowBase);
          window.forEach(batch -> starts.add(batch.rowBase()));
          window = windows.next(windowRowsMax(top));
        }
      }
    }

    private void offer(
        Top top, BatchBinding binding, List<Batch> window, ToLongFunction<Batch> firstRow) {
      failingRow.launched(
          expressions,
          x,
          window,
          batches -> {
            Top.Offer together = top.offer(batches.size());
            for (Batch batch : batches) {
              long first = firstRow.applyAsLong(batch);
              together.add(binding.bind(batch), batch.rows(), batch.live(), first);
            }
            together.finish();
            return top;
          });
    }

    @Override
    public @Nullable Batch next() {
      return next(needed);
    }

    private @Nullable Batch next(BitSet fields) {
      while (batch < starts.size() && at < numbers.length) {
        int current = batch++;
        long start = starts.get(current);
        long end = batch < starts.size() ? starts.get(batch) : Long.MAX_VALUE;
        int from = at;
        while (at < numbers.length && numbers[at] < end) {
          at++;
        }
        if (at > from) {
          return table == null
              ? gathered(held.get(current), start, from, fields)
              : reopened(table, start, from);
        }
      }
      return null;
    }

    private Batch reopened(TableSource stored, long start, int from) {
      try (Batch tablet = stored.open(x, needed, (int) (start / Tablet.ROWS))) {
        return gathered(tablet, start, from, needed);
      }
    }

    private Batch gathered(Batch source, long start, int from, BitSet fields) {
      BatchMemory memory = new BatchMemory();
      try (BatchMemory scratch = new BatchMemory()) {
        int count = at - from;
        HostBuffer rows = scratch.pin(count * (long) Integer.BYTES);
        for (int i = 0; i < count; i++) {
          rows.setInt(i, (int) (numbers[from + i] - start));
        }
        DeviceBuffer settled = scratch.settled(rows);
        DenseBatch result = new DenseBatch(count, columns().size(), memory);
        for (int i = fields.nextSetBit(0); i >= 0; i = fields.nextSetBit(i + 1)) {
          SqlTypeSpec type = columns().get(i).type();
          DenseColumn values =
              new DenseColumn(Launching.element(type), source.values(i), source.validity(i));
          DenseColumn column = gather.column(values, settled, count, false, memory);
          result.set(i, column.values(), column.validity());
          if (type.kind().isString()) {
            result.strings(i, source.strings(i));
          }
        }
        return result;
      } catch (RuntimeException | Error e) {
        memory.close();
        throw e;
      }
    }

    @Override
    public void close() {
      held.forEach(Batch::close);
      held.clear();
    }
  }

  @Override
  public boolean hasSettledStrings() {
    return input.hasSettledStrings();
  }

  @Override
  public double estimatedRows(Execution x) {
    return Math.min(input.estimatedRows(x), (double) limit.fetch(x) + limit.offset(x));
  }

  @Override
  public void explain(Outline outline) {
    List<String> names = input.columns().stream().map(SourceColumn::name).toList();
    String text = "first rows, " + limit.text();
    outline.operator(
        filter == null ? text : text + ", filter " + RexText.of(filter, names),
        "kernel " + kernel.kernel().name(),
        this);
    outline.below(input);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    kernels.add(kernel.kernel());
    input.kernels(kernels);
  }
}
