package io.gpdb.planner.run.group;

import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.reduce.GridReduce;
import io.gpdb.planner.batch.Batch;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableSight;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tablets of a stored table as an aggregate's last execution left them bound to its kernel, for
 * the next one, if the table has not changed meanwhile and the next one sees what the last saw: it
 * takes no latch and opens no tablet, but asks afterwards whether the table has changed; then it is
 * done again the usual way.
 *
 * <p>The windows are kept by the second execution that sees the same: a table that changes from one
 * to the next costs a look at its mark. One execution has them at a time, others make their own.
 */
final class KeptReduction {
  private static final int TABLETS_MIN = 2; // what one takes to be bound is nothing

  private final AtomicReference<@Nullable State> last = new AtomicReference<>();

  /**
   * What the last execution saw, and its windows.
   *
   * @param windows null where that was the first to see it; none where they cannot be kept
   */
  private record State(TableSight sight, @Nullable List<GridReduce.Kept> windows) {}

  /** An execution that opens the table's tablets. Used by one thread. */
  static final class Opening {
    private final @Nullable TableSight sight;
    private final @Nullable List<GridReduce.Kept> windows;
    private boolean isNewest = true;
    private boolean cannotKeep;

    private Opening(@Nullable TableSight sight, boolean keeps) {
      this.sight = sight;
      windows = keeps && sight != null ? new ArrayList<>() : null;
    }

    /** The window was launched over these tablets, and has ended. */
    void launched(GridReduce.Window window, List<Batch> tablets) {
      for (Batch tablet : tablets) {
        isNewest &= tablet.copiedBytes() == 0;
      }
      if (windows != null && isNewest && !cannotKeep) {
        GridReduce.Kept kept = window.keep();
        if (kept == null) {
          cannotKeep = true;
          windows.clear();
        } else {
          windows.add(kept);
        }
      }
    }
  }

  /**
   * What an execution before has left, launched again.
   *
   * @return null where the tablets have to be opened
   */
  GridReduce.@Nullable Partial again(
      TableReader reader, int[] columns, Supplier<LaneBindings> bindings) {
    State state = last.get();
    if (state == null
        || state.windows == null
        || state.windows.isEmpty()
        || !last.compareAndSet(state, null)
        || !reader.seesAs(state.sight, columns)) {
      return null;
    }
    GridReduce.Partial all = launched(state.windows, bindings.get());
    if (all == null || !state.sight.isCurrent()) {
      return null;
    }
    last.set(state);
    return all;
  }

  /** A trap may be that of memory which was changed meanwhile; or else it comes again. */
  private static GridReduce.@Nullable Partial launched(
      List<GridReduce.Kept> windows, LaneBindings bindings) {
    try {
      return GridReduce.Kept.run(windows, bindings);
    } catch (KernelTrap trap) {
      return null;
    }
  }

  /** Before the reader opens the first tablet. */
  Opening open(TableReader reader, int[] columns) {
    State state = last.get();
    boolean seenBefore =
        state != null && state.windows == null && reader.seesAs(state.sight, columns);
    return new Opening(reader.sight(), seenBefore);
  }

  /** All tablets were read. */
  void close(Opening opening) {
    TableSight sight = opening.sight;
    if (sight == null || sight.tablets() < TABLETS_MIN || !opening.isNewest || !sight.isCurrent()) {
      return;
    }
    State before = last.get();
    if (opening.windows != null || before == null || !before.sight.isCurrent()) {
      var _ = last.compareAndSet(before, new State(sight, opening.windows));
    }
  }
}
