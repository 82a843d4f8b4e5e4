package io.gpdb.planner.run.sort;

import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchBinding;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows in sorted runs in a temporary file, each of them sorted by kernels in memory, and merged by
 * the host: 64 runs at most at a time, so that each has some rows in memory. Equal rows of an
 * earlier run come first, and runs are in the order of the input; so the order is that of one
 * stable sort.
 */
final class SortedRuns implements AutoCloseable {
  private static final int MERGED_MAX = 64;

  /** A merge has some rows of each run and of its result in memory: at least and at most. */
  private static final int CHUNK_ROWS_MIN = 256;

  private static final int CHUNK_ROWS_MAX = 1 << 16;

  private final List<SqlTypeSpec> types;
  private final BitSet fields;
  private final RowOrder order;
  private final SpilledRows file;
  private List<List<Range>> runs = new ArrayList<>();

  /**
   * @param fields that are kept
   */
  SortedRuns(List<SqlTypeSpec> types, BitSet fields, RowOrder order) {
    this.types = types;
    this.fields = fields;
    this.order = order;
    file = new SpilledRows(types, fields);
  }

  /** Adds a run of the rows, which come in any order. */
  void add(Execution x, DenseBatch rows, GridGather gather) {
    try (Batch run = order.sorted(x, rows, fields, 0, rows.rows(), gather)) {
      runs.add(List.of(file.write(run)));
    }
  }

  /**
   * All rows in order; this is closed with them.
   *
   * @param binding of an order that knows all strings
   * @param rowBytes what a row in memory takes
   */
  Batches merged(BatchBinding binding, long rowBytes, long offset, long fetch) {
    while (runs.size() > MERGED_MAX) {
      List<List<Range>> fewer = new ArrayList<>();
      for (int from = 0; from < runs.size(); from += MERGED_MAX) {
        int to = Math.min(runs.size(), from + MERGED_MAX);
        fewer.add(mergedRun(runs.subList(from, to), binding, rowBytes));
      }
      runs = fewer;
    }
    RunMerge merge = merge(runs, binding, rowBytes);
    merge.skip(offset);
    return new Merged(merge, fetch);
  }

  private List<Range> mergedRun(List<List<Range>> parts, BatchBinding binding, long rowBytes) {
    List<Range> run = new ArrayList<>();
    try (RunMerge merge = merge(parts, binding, rowBytes)) {
      for (DenseBatch batch = merge.next(Long.MAX_VALUE);
          batch != null;
          batch = merge.next(Long.MAX_VALUE)) {
        try (Batch written = batch) {
          run.add(file.write(written));
        }
      }
    }
    return run;
  }

  private RunMerge merge(List<List<Range>> parts, BatchBinding binding, long rowBytes) {
    long rows = HeldRows.rowsOfShare(rowBytes) / (parts.size() + 1);
    int chunkRows = Math.clamp(rows, CHUNK_ROWS_MIN, CHUNK_ROWS_MAX);
    return new RunMerge(types, fields, file, parts, batch -> order.keys(binding, batch), chunkRows);
  }

  @Override
  public void close() {
    file.close();
  }

  /** The rows that are wanted. */
  private final class Merged implements Batches {
    private final RunMerge merge;
    private long left;

    Merged(RunMerge merge, long fetch) {
      this.merge = merge;
      left = fetch;
    }

    @Override
    public @Nullable Batch next() {
      Batch batch = left == 0 ? null : merge.next(left);
      left -= batch == null ? 0 : batch.rows();
      return batch;
    }

    @Override
    public void close() {
      merge.close();
      SortedRuns.this.close();
    }
  }
}
