package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Batches without rows, all of them together if wanted, and what their reader said of them. */
public final class ToldSource extends Source {
  private final int count;
  private int opened;
  private int expected;

  /** Of one column, a number. */
  public ToldSource(int count) {
    super(List.of(new SourceColumn("x", SqlTypeSpec.INTEGER, false)));
    this.count = count;
  }

  /** How often it was read. */
  public int opened() {
    return opened;
  }

  /** How often all of it was asked for. */
  public int expected() {
    return expected;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    opened++;
    return new Batches() {
      private int left = count;

      @Override
      public @Nullable Batch next() {
        return left-- > 0 ? new DenseBatch(0, 1, new BatchMemory()) : null;
      }

      @Override
      public @Nullable Batch nextTogether() {
        return next();
      }

      @Override
      public void expectAll() {
        expected++;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public double estimatedRows(Execution x) {
    return 0;
  }

  @Override
  public void explain(Outline outline) {}

  @Override
  public void kernels(List<Kernel> kernels) {}
}
