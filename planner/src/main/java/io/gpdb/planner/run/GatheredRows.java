package io.gpdb.planner.run;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.LentBatch;
import io.gpdb.planner.batch.RowsOnce;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.tablet.Tablet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are all gathered before the first is used, and then read as often as wanted: those that
 * a change is made of, those of one iteration of a recursion. In memory, or, where they are more
 * than a share of it, in a temporary file.
 */
public final class GatheredRows implements RowsOnce, AutoCloseable {
  /** The rows as they are added, and all of them next to each other. */
  private static final int TIMES_HELD = 2;

  private static final int PIECE_ROWS_MAX = Tablet.ROWS;

  private final List<SqlTypeSpec> types;
  private final BitSet fields = new BitSet();
  private final HeldRows held;
  private final List<Range> ranges = new ArrayList<>();
  private @Nullable SpilledRows file;
  private @Nullable DenseBatch all;
  private long rows;

  public GatheredRows(List<SqlTypeSpec> types) {
    this.types = types;
    fields.set(0, types.size());
    held = new HeldRows(types, fields);
  }

  /** All rows of a source, with all fields. */
  public static GatheredRows of(Source source, Execution x) {
    GatheredRows gathered = new GatheredRows(source.types());
    Source dense = source.hasDeadRows() ? new CopySource(source) : source;
    try (Batches batches = dense.open(x)) {
      batches.expectAll();
      for (Batch batch = batches.next(); batch != null; batch = batches.next()) {
        gathered.add(batch);
      }
      gathered.end();
      return gathered;
    } catch (RuntimeException | Error e) {
      gathered.close();
      throw e;
    }
  }

  /** Takes a batch over. */
  public void add(Batch batch) {
    rows += batch.rows();
    held.add(batch);
    if (file != null || held.areTooMany(TIMES_HELD * held.rowBytes())) {
      spill();
    }
  }

  private void spill() {
    SpilledRows to = file;
    if (to == null) {
      to = new SpilledRows(types, fields);
      file = to;
    }
    held.spill(to, ranges);
  }

  /** No more rows are added. */
  public void end() {
    if (file != null) {
      return;
    }
    try {
      all = held.joined();
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || !MemoryAccount.current().canSpill()) {
        throw e;
      }
      spill();
    }
  }

  /** All of them, together where they are in memory. */
  @Override
  public Batches open(BitSet needed) {
    return pieces(Integer.MAX_VALUE);
  }

  /** All of them, at most as many together as a tablet has. */
  public Batches pieces() {
    return pieces(PIECE_ROWS_MAX);
  }

  private Batches pieces(int rowsMax) {
    SpilledRows from = file;
    if (from != null) {
      return from.rows(ranges, Math.min(rowsMax, HeldRows.rowsToRead(held.rowBytes())));
    }
    DenseBatch batch = all;
    if (batch == null || rows <= rowsMax) {
      return Batches.of(batch == null || rows == 0 ? null : new LentBatch(batch));
    }
    return new Batches() {
      private long next;

      @Override
      public @Nullable Batch next() {
        int count = (int) Math.min(rowsMax, rows - next);
        next += count;
        return count == 0 ? null : held.part(next - count, count).withoutRowNumbers();
      }

      @Override
      public void close() {}
    };
  }

  /** As {@link #pieces()}; this is closed with them. */
  public Batches piecesAndEnd() {
    Batches pieces = pieces();
    return new Batches() {
      @Override
      public @Nullable Batch next() {
        return pieces.next();
      }

      @Override
      public void close() {
        pieces.close();
        GatheredRows.this.close();
      }
    };
  }

  @Override
  public long rows() {
    return rows;
  }

  @Override
  public void close() {
    all = null;
    held.close();
    if (file != null) {
      file.close();
      file = null;
    }
  }
}
