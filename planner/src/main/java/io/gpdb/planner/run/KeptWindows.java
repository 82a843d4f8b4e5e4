package io.gpdb.planner.run;

import io.gpdb.exec.library.group.GridReduce;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchBinding;
import java.lang.ref.SoftReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a large table as an execution left them, closed and bound to a kernel, for the
 * next execution of the plan: it opens them again where a window made anew would be the same, and
 * binds parameters alone. One execution has them at a time, others make their own. They go when the
 * heap is short.
 */
final class KeptWindows {
  /** A tablet takes some 600 bytes, and saves a tenth of a microsecond. */
  static final int TABLETS_MIN = 4;

  private final AtomicReference<@Nullable SoftReference<List<Window>>> last =
      new AtomicReference<>();

  /** Batches that are launched together. Used by one thread at a time. */
  static final class Window {
    private final List<Batch> batches;
    private GridReduce.@Nullable Window bound;

    Window(List<Batch> batches) {
      this.batches = List.copyOf(batches);
    }

    List<Batch> batches() {
      return batches;
    }

    /** The window ready to be launched. */
    GridReduce.Window bound(GridReduce kernel, BatchBinding binding) {
      GridReduce.Window known = bound;
      if (known == null || !known.rebind(binding.bind(batches.getFirst()))) {
        known = bound(kernel, binding, batches);
        bound = known;
      }
      return known;
    }

    static GridReduce.Window bound(GridReduce kernel, BatchBinding binding, List<Batch> batches) {
      GridReduce.Window together = kernel.start();
      for (Batch batch : batches) {
        together.add(binding.bind(batch), batch.rows(), batch.live());
      }
      return together;
    }
  }

  /** Whether some are kept, or were until the heap was short. */
  boolean isThere() {
    return last.get() != null;
  }

  /** Those that were kept last; nobody else has them. */
  List<Window> take() {
    SoftReference<List<Window>> reference = last.getAndSet(null);
    List<Window> kept = reference == null ? null : reference.get();
    return kept == null ? List.of() : kept;
  }

  /** Keeps windows that are closed, if there are many tablets, and all of them may be kept. */
  void keep(List<Window> windows) {
    int tablets = 0;
    boolean all = true;
    for (Window window : windows) {
      tablets += window.batches.size();
      for (Batch batch : window.batches) {
        all &= batch.kept();
      }
    }
    if (all && tablets >= TABLETS_MIN) {
      last.set(new SoftReference<>(List.copyOf(windows)));
    }
  }
}
