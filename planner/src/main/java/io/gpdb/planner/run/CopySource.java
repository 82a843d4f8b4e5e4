package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Concatenation;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The existing rows of a source, copied row by row without kernels. */
public final class CopySource extends Source {
  private final Source input;

  public CopySource(Source input) {
    super(input.columns());
    this.input = input;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    Batches batches = input.open(x, needed);
    return new Batches() {
      @Override
      public @Nullable Batch next() {
        try (Batch batch = batches.next()) {
          return batch == null ? null : copy(batch, needed);
        }
      }

      @Override
      public void expectAll() {
        batches.expectAll();
      }

      @Override
      public void close() {
        batches.close();
      }
    };
  }

  private Batch copy(Batch batch, BitSet needed) {
    int[] rows = new int[batch.rows()];
    int count = 0;
    for (int row = 0; row < batch.rows(); row++) {
      if (batch.isLive(row)) {
        rows[count++] = row;
      }
    }
    BatchMemory memory = new BatchMemory();
    DenseBatch copy = new DenseBatch(count, columns().size(), memory);
    for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
      Concatenation column = new Concatenation(columns().get(i).type(), count, memory);
      for (int k = 0; k < count; k++) {
        column.add(batch, i, rows[k], 1);
      }
      copy.set(i, column.values(), column.validity());
      if (columns().get(i).type().kind().isString()) {
        copy.strings(i, batch.strings(i));
      }
    }
    return copy;
  }

  @Override
  public boolean hasSettledStrings() {
    return input.hasSettledStrings();
  }

  @Override
  public double estimatedRows(Execution x) {
    return input.estimatedRows(x);
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("copy", "host", this);
    outline.below(input);
  }

  @Override
  public void kernels(List<Kernel> kernels) {}
}
