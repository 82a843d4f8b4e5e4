package io.gpdb.planner.run;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.LentBatch;
import io.gpdb.planner.batch.RowsOnce;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one iteration of a recursion: first added, then read as often as wanted. In memory,
 * or, where they are more than a share of it, in a temporary file.
 */
final class WorkingRows implements RowsOnce, AutoCloseable {
  /** The rows as they are added, and all of them next to each other. */
  private static final int TIMES_HELD = 2;

  private final Source table;
  private final BitSet fields = new BitSet();
  private final HeldRows held;
  private final List<Range> ranges = new ArrayList<>();
  private @Nullable SpilledRows file;
  private @Nullable DenseBatch all;
  private long rows;

  WorkingRows(Source table) {
    this.table = table;
    fields.set(0, table.columns().size());
    held = new HeldRows(table, fields);
  }

  /** Takes a batch over. */
  void add(Batch batch) {
    rows += batch.rows();
    held.add(batch);
    if (file != null || held.areTooMany(TIMES_HELD * held.rowBytes())) {
      spill();
    }
  }

  private void spill() {
    SpilledRows to = file;
    if (to == null) {
      to = new SpilledRows(table.types(), fields);
      file = to;
    }
    held.spill(to, ranges);
  }

  /** No more rows are added. */
  void end() {
    if (file != null) {
      return;
    }
    try {
      all = held.taken();
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || !MemoryAccount.current().canSpill()) {
        throw e;
      }
      spill();
    }
  }

  @Override
  public Batches open(BitSet needed) {
    SpilledRows from = file;
    if (from != null) {
      return from.rows(ranges, HeldRows.rowsToRead(held.rowBytes()));
    }
    DenseBatch batch = all;
    return Batches.of(batch == null || rows == 0 ? null : new LentBatch(batch));
  }

  @Override
  public long rows() {
    return rows;
  }

  @Override
  public void close() {
    held.close();
    if (all != null) {
      all.close();
      all = null;
    }
    if (file != null) {
      file.close();
      file = null;
    }
  }
}
