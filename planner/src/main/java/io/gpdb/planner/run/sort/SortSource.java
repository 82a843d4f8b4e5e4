package io.gpdb.planner.run.sort;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowLimit;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.run.FewRows;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * ORDER BY, with OFFSET and LIMIT: all rows are kept in memory, their keys sorted, the wanted ones
 * picked. More rows than the operator's share of memory has room for are sorted in runs.
 */
public final class SortSource extends Source {
  private final Source input;
  private final List<RelFieldCollation> keys;
  private final RowLimit limit;
  private final RowOrder order;
  private final GridGather gather;
  private final @Nullable HostSort host;

  /**
   * @param few whether the host does it where few rows come
   */
  public SortSource(
      Device device,
      RexBuilder rexBuilder,
      Source input,
      List<RelFieldCollation> keys,
      @Nullable RexNode offset,
      @Nullable RexNode fetch,
      String name,
      boolean few)
      throws NotCovered {
    super(input.columns());
    this.input = input;
    this.keys = List.copyOf(keys);
    this.limit = new RowLimit(offset, fetch);
    order = new RowOrder(device, rexBuilder, input.types(), keys, name);
    gather = new GridGather(device);
    host = few ? HostSort.of(input.types(), keys) : null;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    BitSet read = (BitSet) needed.clone();
    keys.forEach(key -> read.set(key.getFieldIndex()));
    long offset = limit.offset(x);
    long fetch = limit.fetch(x);
    if (host == null) {
      return sorted(input.open(x, read), x, needed, read, offset, fetch);
    }
    try (FewRows rows = FewRows.of(input.open(x, read))) {
      return rows.areAll()
          ? host.run(rows, needed, offset, fetch)
          : sorted(rows, x, needed, read, offset, fetch);
    }
  }

  private Batches sorted(
      Batches opened, Execution x, BitSet needed, BitSet read, long offset, long fetch) {
    SortedRuns runs = null;
    try (HeldRows held = new HeldRows(input, read)) {
      long workBytes = workBytes(held.rowBytes(), keys.size());
      try (Batches stream = opened) {
        stream.expectAll();
        for (Batch batch = stream.next(); batch != null; batch = stream.next()) {
          held.add(batch);
          if (held.areTooMany(workBytes)) {
            runs = spilled(runs, held, x, read, workBytes);
          }
        }
      }
      if (runs == null) {
        try {
          return inMemory(held.joined(), x, needed, offset, fetch);
        } catch (GpdbException e) {
          if (e.code() != ErrorCode.OUT_OF_MEMORY || !MemoryAccount.current().canSpill()) {
            throw e;
          }
        }
      }
      runs = spilled(runs, held, x, read, workBytes);
      return runs.merged(order.binding(x), workBytes, offset, fetch);
    } catch (RuntimeException | Error e) {
      if (runs != null) {
        runs.close();
      }
      throw e;
    }
  }

  /** What sorting takes for a row: it twice, and for each key words, their order and scratch. */
  static long workBytes(long rowBytes, int keys) {
    return 2 * rowBytes + 24L * keys + 40;
  }

  private Batches inMemory(DenseBatch all, Execution x, BitSet needed, long offset, long fetch) {
    int from = (int) Math.min(offset, all.rows());
    int count = (int) Math.min(fetch, all.rows() - from);
    return Batches.of(count == 0 ? null : order.sorted(x, all, needed, from, count, gather));
  }

  /** Moves the rows to runs of a temporary file, to new ones where there are none yet. */
  private SortedRuns spilled(
      @Nullable SortedRuns known, HeldRows held, Execution x, BitSet read, long workBytes) {
    SortedRuns runs = known == null ? new SortedRuns(input.types(), read, order) : known;
    try {
      held.leaveInParts(workBytes, part -> runs.add(x, part, gather));
      return runs;
    } catch (RuntimeException | Error e) {
      if (known == null) {
        runs.close();
      }
      throw e;
    }
  }

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  @Override
  public double estimatedRows(Execution x) {
    return Math.min(input.estimatedRows(x), (double) limit.fetch(x));
  }

  @Override
  public void explain(Outline outline) {
    StringBuilder text = new StringBuilder("sort by");
    for (RelFieldCollation key : keys) {
      text.append(' ').append(input.columns().get(key.getFieldIndex()).name());
      text.append(key.getDirection().isDescending() ? " desc" : "");
      text.append(RowOrder.nullsFirst(key) ? " nulls first" : "").append(',');
    }
    text.setLength(text.length() - 1);
    String rows = limit.text();
    outline.operator(
        text + (rows.isEmpty() ? "" : ", " + rows),
        (host == null ? "" : FewRows.OR_HOST) + "kernel sort",
        this);
    outline.below(input);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    kernels.add(order.kernel());
    input.kernels(kernels);
  }
}
