package io.gpdb.planner.run;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Concatenation;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.StringRanks;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All rows of a source as one dense batch. */
final class Materialized {
  /** Rows that one operator may hold. */
  static final int ROWS_MAX = 1 << 30;

  private Materialized() {}

  /**
   * The batches of a source, all at once where ranks of strings need to know every string before
   * the first batch.
   */
  static Batches settled(Source source, Execution x, BitSet needed, List<StringRanks> ranks) {
    return settled(source, source.open(x, needed), needed, ranks);
  }

  /** As above, of batches of the source that were opened. */
  static Batches settled(Source source, Batches opened, BitSet needed, List<StringRanks> ranks) {
    return ranks.isEmpty() || source.hasSettledStrings()
        ? opened
        : Batches.of(of(source, opened, needed));
  }

  static DenseBatch of(Source source, Execution x, BitSet needed) {
    return of(source, source.open(x, needed), needed);
  }

  /** All of the opened batches, which are closed. */
  static DenseBatch of(Source source, Batches opened, BitSet needed) {
    List<Batch> batches = new ArrayList<>();
    try (Batches stream = opened) {
      long rows = 0;
      for (Batch batch = stream.next(); batch != null; batch = stream.next()) {
        if (batch.rows() == 0) {
          batch.close();
          continue;
        }
        batches.add(batch);
        rows += batch.rows();
        if (batch.live() != null) {
          throw new IllegalStateException("rows that do not exist cannot be materialised");
        }
      }
      if (rows > ROWS_MAX) {
        throw new GpdbException(
            ErrorCode.LIMIT_EXCEEDED,
            "rows held by one operator: rows=" + rows + ", limit=" + ROWS_MAX);
      }
      if (batches.size() == 1 && batches.getFirst() instanceof DenseBatch only) {
        batches.clear();
        return only;
      }
      return joined(source, batches, needed, (int) rows);
    } finally {
      batches.forEach(Batch::close);
    }
  }

  private static DenseBatch joined(Source source, List<Batch> batches, BitSet needed, int rows) {
    BatchMemory memory = new BatchMemory();
    DenseBatch all = new DenseBatch(rows, source.columns().size(), memory);
    for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
      Concatenation column = new Concatenation(source.columns().get(i).type(), rows, memory);
      for (Batch batch : batches) {
        StopSignal.poll();
        column.add(batch, i, 0, batch.rows());
      }
      all.set(i, column.values(), column.validity());
      if (source.columns().get(i).type().kind().isString()) {
        all.strings(i, domain(batches, i));
      }
    }
    return all;
  }

  private static StringDomain domain(List<Batch> batches, int field) {
    @Nullable Batch last = batches.isEmpty() ? null : batches.getLast();
    return last == null ? new StringDomain.Made() : last.strings(field);
  }
}
