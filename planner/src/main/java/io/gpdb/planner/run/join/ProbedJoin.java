package io.gpdb.planner.run.join;

import io.gpdb.exec.library.join.JoinMatches;
import io.gpdb.exec.library.join.JoinPairs;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.BatchWindows;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.CutBatches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.tablet.Tablet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a join whose kept side is in memory: the other side streams past it in windows. */
final class ProbedJoin implements Batches {
  /** Rows of the first window: whoever wants a few rows only does not wait for more. */
  private static final long WINDOW_ROWS_FIRST = Tablet.ROWS;

  /** Rows of the largest windows, and pairs of the largest batches. */
  private static final long WINDOW_ROWS_MAX = 16L * Tablet.ROWS;

  /** Rows and pairs that are worked on at a time, however little memory there is. */
  private static final long ROWS_MIN = 1 << 10;

  /** A window may take one part in this many of the memory left. */
  private static final int MEMORY_SHARE = 8;

  private final JoinTable table;
  private final JoinColumns columns;
  private final BatchWindows windows;
  private long windowRows = WINDOW_ROWS_FIRST;
  private @Nullable Pairs pairs;

  /**
   * @param columns that come out
   * @param table closed with this
   * @param probed closed with this
   */
  ProbedJoin(JoinColumns columns, JoinTable table, Batches probed) {
    this.columns = columns;
    this.table = table;
    windows = new BatchWindows(new CutBatches(probed, columns.probed().types(), this::rowsThatFit));
  }

  @Override
  public @Nullable Batch next() {
    Pairs open = pairs;
    if (open != null) {
      Batch piece = open.next();
      if (piece != null) {
        return piece;
      }
      pairs = null;
      open.close();
    }
    List<Batch> window = windows.next(Math.min(windowRows, rowsThatFit()));
    windowRows = Math.min(WINDOW_ROWS_MAX, windowRows * 2);
    return window.isEmpty() ? null : joined(window);
  }

  @Override
  public void expectAll() {
    windowRows = WINDOW_ROWS_MAX;
    windows.expectAll();
  }

  /** How many rows a window may have so that their pairs take a part of the memory left. */
  private long rowsThatFit() {
    long rows = MemoryAccount.current().availableBytes() / MEMORY_SHARE / columns.rowBytes();
    return Math.clamp(rows, ROWS_MIN, WINDOW_ROWS_MAX);
  }

  /** The window's tablets are free again before anybody else sees what came of them. */
  private @Nullable Batch joined(List<Batch> window) {
    HostJoin.Pairs few = table.hostPairs(window);
    if (few != null) {
      DenseBatch rows = columns.copied(few);
      windows.release();
      return rows;
    }
    JoinMatches matches = table.matches(window);
    Pairs several = null;
    try {
      if (matches.areSingle() || matches.count() == 0) {
        DenseBatch rows = columns.picked(matches, window, true);
        windows.release();
        return rows;
      }
      several = new Pairs(matches, columns.picked(matches, window, false));
      windows.release();
    } finally {
      if (several == null) {
        matches.close();
      }
    }
    pairs = several;
    return several.next();
  }

  /** The pairs of a window whose rows may make several, a piece a batch. */
  private final class Pairs implements AutoCloseable {
    private final JoinMatches matches;
    private final DenseBatch rows;
    private final JoinPairs pairs;

    /** Closes the rows where it fails, not the matches. */
    Pairs(JoinMatches matches, DenseBatch rows) {
      this.matches = matches;
      this.rows = rows;
      try {
        pairs = matches.pairs();
      } catch (RuntimeException | Error e) {
        rows.close();
        throw e;
      }
    }

    @Nullable Batch next() {
      StopSignal.poll();
      BatchMemory memory = new BatchMemory();
      try (BatchMemory scratch = new BatchMemory()) {
        JoinPairs.Piece piece = pairs.next((int) rowsThatFit(), scratch);
        if (piece == null) {
          memory.close();
          return null;
        }
        return columns.gathered(piece, rows, memory);
      } catch (RuntimeException | Error e) {
        memory.close();
        throw e;
      }
    }

    @Override
    public void close() {
      rows.close();
      matches.close();
    }
  }

  @Override
  public void close() {
    if (pairs != null) {
      pairs.close();
    }
    windows.close();
    table.close();
  }
}
