package io.gpdb.planner.run.join;

import io.gpdb.exec.library.join.GridHashJoin;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.planner.run.SpilledParts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The join of one part whose kept rows do not fit: a block of them after the other is in memory,
 * and the streamed rows pass by each.
 *
 * <pre>
 *   for each block:  inner, left   its pairs with all streamed rows
 *                    semi          those of the streamed rows left that have a partner in it
 *                    not inner     the streamed rows that are left: those without one
 *   at the end:      left, anti    the rows that are left
 * </pre>
 */
final class BlockedJoin implements Batches {
  private static final int BLOCK_ROWS_MIN = 1 << 10;
  private static final int BLOCK_ROWS_MAX = 1 << 24;

  private final JoinRun run;
  private final SpilledParts built;
  private final SpilledParts streamed;
  private final int part;
  private final List<List<Range>> blocks;
  private final boolean isInner;
  private int next;
  private boolean ended;
  private Batches joined = Batches.of(null);

  /** Streamed rows without a partner so far; null where these are all. */
  private @Nullable Unmatched unmatched;

  private record Unmatched(SpilledRows file, List<Range> ranges) implements AutoCloseable {
    @Override
    public void close() {
      file.close();
    }
  }

  /**
   * @param built the kept rows
   */
  BlockedJoin(JoinRun run, SpilledParts built, SpilledParts streamed, int part) {
    this.run = run;
    this.built = built;
    this.streamed = streamed;
    this.part = part;
    isInner = run.arm().kind() == GridHashJoin.Kind.INNER;
    long most = HeldRows.rowsOfShare(run.workBytes());
    blocks = built.pieces(part, Math.clamp(most, BLOCK_ROWS_MIN, BLOCK_ROWS_MAX));
  }

  @Override
  public @Nullable Batch next() {
    Batch batch = joined.next();
    while (batch == null && !ended) {
      joined.close();
      joined = Batches.of(null);
      joined = afterBlock();
      batch = joined.next();
    }
    return batch;
  }

  private Batches afterBlock() {
    boolean areMore = next < blocks.size();
    if (next > 0 && !isInner && (areMore || run.returnsUnmatched())) {
      keepUnmatched(blocks.get(next - 1));
    }
    if (areMore) {
      return ofBlock(blocks.get(next++));
    }
    ended = true;
    return run.returnsUnmatched()
        ? run.probed(run.table(built.read(List.of())), rowsLeft())
        : Batches.of(null);
  }

  private Batches ofBlock(List<Range> block) {
    return switch (run.arm().kind()) {
      case INNER, LEFT -> {
        JoinRun pairs = run.as(GridHashJoin.Kind.INNER);
        yield pairs.probed(pairs.table(built.read(block)), allRows());
      }
      case SEMI -> run.probed(run.table(built.read(block)), rowsLeft());
      case ANTI -> Batches.of(null);
    };
  }

  private void keepUnmatched(List<Range> block) {
    JoinRun without = run.antijoin();
    SpilledRows file = new SpilledRows(run.arm().probed.types(), run.probedFields());
    List<Range> ranges = new ArrayList<>();
    try (Batches rows = without.probed(without.table(built.read(block)), rowsLeft())) {
      for (Batch batch = rows.next(); batch != null; batch = rows.next()) {
        try (Batch some = batch) {
          ranges.add(file.write(some));
        }
      }
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
    if (unmatched != null) {
      unmatched.close();
    }
    unmatched = new Unmatched(file, ranges);
  }

  private Batches allRows() {
    return streamed.rows(part, run.probedRowBytes());
  }

  private Batches rowsLeft() {
    Unmatched left = unmatched;
    return left == null
        ? allRows()
        : left.file.rows(left.ranges, HeldRows.rowsToRead(run.probedRowBytes()));
  }

  @Override
  public void close() {
    joined.close();
    if (unmatched != null) {
      unmatched.close();
    }
  }
}
