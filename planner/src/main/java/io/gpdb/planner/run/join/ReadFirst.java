package io.gpdb.planner.run.join;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.run.DataErrors;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.storage.error.GpdbException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows that stream past the kept side of a join, read before it: where they are few, of that
 * side only rows with their keys are read and kept. For joins whose left side streams whatever it
 * has. For one thread.
 */
final class ReadFirst implements AutoCloseable {
  private final JoinRun run;
  private @Nullable DenseBatch rows;

  private ReadFirst(JoinRun run, DenseBatch rows) {
    this.run = run;
    this.rows = rows;
  }

  /**
   * Null where they are not expected to be few, or are not, and where they raise an error: who
   * reads them later may not come to the row that does.
   *
   * @param streamed as a source of rows that exist
   */
  static @Nullable ReadFirst of(JoinRun run, Source streamed) {
    double kept = run.arm().built.source().estimatedRows(run.x());
    if (!ScanFilter.isWanted(run, streamed.estimatedRows(run.x()), kept)) {
      return null;
    }
    BitSet fields = run.probedFields();
    try (HeldRows held = new HeldRows(streamed, fields)) {
      try (Batches batches = streamed.open(run.x(), fields)) {
        batches.expectAll();
        for (Batch batch = batches.next(); batch != null; batch = batches.next()) {
          held.add(batch);
          if (held.areTooMany(held.rowBytes())
              || !ScanFilter.isWanted(run, (double) held.rows(), kept)) {
            return null;
          }
        }
      }
      return new ReadFirst(run, held.taken());
    } catch (GpdbException e) {
      if (!DataErrors.isOne(e)) {
        throw e;
      }
      return null;
    }
  }

  /** The rows of the kept side; of those that make no pair some or all are left out. */
  Batches openedBuild() {
    DenseBatch streamed = rows;
    if (streamed == null) {
      throw new IllegalStateException("the streamed rows were taken");
    }
    ScanFilter filter = ScanFilter.ofKept(run, streamed);
    return filter == null
        ? run.openedBuild()
        : run.arm()
            .built
            .source()
            .openAmong(run.x(), run.builtFields(), filter.field(), filter.keys());
  }

  /** The streamed rows, which are the caller's. */
  Batches taken() {
    DenseBatch taken = rows;
    rows = null;
    return Batches.of(taken);
  }

  @Override
  public void close() {
    if (rows != null) {
      rows.close();
    }
  }
}
