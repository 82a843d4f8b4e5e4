package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Concatenation;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowLimit;
import io.gpdb.planner.batch.Source;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** OFFSET and LIMIT over rows that come dense and in order. */
public final class LimitSource extends Source {
  private final Source input;
  private final RowLimit limit;

  public LimitSource(Source input, @Nullable RexNode offset, @Nullable RexNode fetch) {
    super(input.columns());
    this.input = input;
    this.limit = new RowLimit(offset, fetch);
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    long offset = limit.offset(x);
    long fetch = limit.fetch(x);
    Batches batches = input.open(x, needed);
    return new Limited(batches, needed, offset, fetch);
  }

  /** Slices of the input's batches. */
  private final class Limited implements Batches {
    private final Batches batches;
    private final BitSet needed;
    private long skip;
    private long left;

    Limited(Batches batches, BitSet needed, long offset, long fetch) {
      this.batches = batches;
      this.needed = needed;
      this.skip = offset;
      this.left = fetch;
    }

    @Override
    public @Nullable Batch next() {
      while (left > 0) {
        Batch batch = batches.next();
        if (batch == null) {
          return null;
        }
        int from = (int) Math.min(skip, batch.rows());
        int count = (int) Math.min(left, batch.rows() - from);
        skip -= from;
        left -= count;
        if (from == 0 && count == batch.rows()) {
          return batch;
        }
        try (batch) {
          if (count > 0) {
            return slice(batch, from, count);
          }
        }
      }
      return null;
    }

    private Batch slice(Batch batch, int from, int count) {
      BatchMemory memory = new BatchMemory();
      DenseBatch slice = new DenseBatch(count, columns().size(), memory);
      for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
        Concatenation column = new Concatenation(columns().get(i).type(), count, memory);
        column.add(batch, i, from, count);
        DeviceBuffer validity = column.validity();
        slice.set(i, column.values(), validity);
        if (columns().get(i).type().kind().isString()) {
          slice.strings(i, batch.strings(i));
        }
      }
      return slice;
    }

    @Override
    public void close() {
      batches.close();
    }
  }

  @Override
  public boolean hasSettledStrings() {
    return input.hasSettledStrings();
  }

  @Override
  public double estimatedRows(Execution x) {
    double rows = input.estimatedRows(x) - limit.offset(x);
    return Math.max(0, Math.min(rows, (double) limit.fetch(x)));
  }

  @Override
  public void explain(Outline outline) {
    outline.operator(limit.text(), "host", this);
    outline.below(input);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    input.kernels(kernels);
  }
}
