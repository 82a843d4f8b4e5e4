package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.storage.error.GpdbException;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rows whose errors count only if others are there that ask for them: at an error in data these are
 * looked for, and where there is none the rows end.
 */
public final class AskedForSource extends Source {
  private final Source input;
  private final Source askedBy;

  /**
   * @param askedBy without rows that do not exist
   */
  public AskedForSource(Source input, Source askedBy) {
    super(input.columns());
    this.input = input;
    this.askedBy = askedBy;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    Batches rows = orNone(x, () -> input.open(x, needed));
    return rows == null ? Batches.of(null) : new AskedFor(x, rows);
  }

  /** What is supplied, null at an error that nobody asks for. */
  private <T> @Nullable T orNone(Execution x, Supplier<@Nullable T> supplier) {
    try {
      return supplier.get();
    } catch (GpdbException e) {
      if (DataErrors.isOne(e) && !askedBy.hasRows(x)) {
        return null;
      }
      throw e;
    }
  }

  private final class AskedFor implements Batches {
    private final Execution x;
    private final Batches rows;
    private boolean ended;

    AskedFor(Execution x, Batches rows) {
      this.x = x;
      this.rows = rows;
    }

    @Override
    public @Nullable Batch next() {
      Batch batch = ended ? null : orNone(x, rows::next);
      ended = batch == null;
      return batch;
    }

    @Override
    public void expectAll() {
      rows.expectAll();
    }

    @Override
    public void close() {
      rows.close();
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
    return input.estimatedRows(x);
  }

  @Override
  public void explain(Outline outline) {
    input.explain(outline);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    input.kernels(kernels);
  }
}
