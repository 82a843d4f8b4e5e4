package io.gpdb.exec.library.sort;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.base.SelectedRows;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneKernels;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One execution of a {@link GridTopN}: the candidates so far. Used by one thread at a time. */
public final class Top implements AutoCloseable {
  /** Candidates beyond twice the limit that may come together before they are cut. */
  private static final int SLACK = 1 << 16;

  private final GridTopN plan;
  private final int limit;
  private final long cutAt;
  private final long[] thresholds;
  private Scratch scratch = new Scratch();
  private final List<MemorySegment> words = new ArrayList<>();
  private MemorySegment rowIds = MemorySegment.NULL;
  private int capacity;
  private int count;

  Top(GridTopN plan, int limit) {
    this.plan = plan;
    this.limit = limit;
    cutAt = 2L * limit + SLACK;
    thresholds = new long[plan.thresholds.size()];
    Arrays.fill(thresholds, -1L);
    for (int i = 0; i < plan.words; i++) {
      words.add(MemorySegment.NULL);
    }
  }

  /** Offers the rows of a tablet; its row r is known as firstRow + r. Tablets in their order. */
  public void add(LaneBindings bindings, int rows, @Nullable MemorySegment live, long firstRow) {
    for (int i = 0; i < thresholds.length; i++) {
      bindings.parameter(plan.thresholds.get(i), thresholds[i]);
    }
    try (Scratch local = new Scratch()) {
      SelectedRows passed =
          plan.candidates.run(bindings, rows, live, (bytes, alignment) -> local.bytes(bytes));
      append(passed, firstRow);
    }
    if (count > cutAt) {
      cut();
    }
  }

  private void append(SelectedRows passed, long firstRow) {
    int n = passed.count();
    MemorySegment ids = passed.rowIds();
    if (n == 0 || ids == null) {
      return;
    }
    reserve(Math.addExact(count, n));
    for (int w = 0; w < words.size(); w++) {
      MemorySegment from = passed.columns().get(w).values();
      MemorySegment.copy(from, 0, words.get(w), (long) count << 3, (long) n << 3);
    }
    for (int i = 0; i < n; i++) {
      long row = firstRow + ids.getAtIndex(ValueLayout.JAVA_INT, i);
      rowIds.setAtIndex(ValueLayout.JAVA_LONG, count + i, row);
    }
    count += n;
  }

  private void reserve(int candidates) {
    if (candidates > capacity) {
      int larger = (int) Math.min(LaneKernels.ROWS_MAX, Math.max(1024, candidates * 2L));
      move(count, larger, null);
    }
  }

  /** Keeps the first {@code limit} candidates of the order. */
  private void cut() {
    try (Scratch local = new Scratch()) {
      MemorySegment order = local.ints(count);
      plan.sort.order(words, count, order);
      int kept = Math.min(limit, count);
      move(kept, capacity, order);
      count = kept;
    }
    if (count == limit) {
      for (int i = 0; i < thresholds.length; i++) {
        thresholds[i] = words.get(i).getAtIndex(ValueLayout.JAVA_LONG, limit - 1L);
      }
    }
  }

  /** Moves n candidates to new memory, in the given order when there is one. */
  private void move(int n, int newCapacity, @Nullable MemorySegment order) {
    Scratch next = new Scratch();
    for (int w = 0; w < words.size(); w++) {
      words.set(w, moved(words.get(w), n, next.longs(newCapacity), order));
    }
    rowIds = moved(rowIds, n, next.longs(newCapacity), order);
    scratch.close();
    scratch = next;
    capacity = newCapacity;
  }

  private MemorySegment moved(
      MemorySegment from, int n, MemorySegment to, @Nullable MemorySegment order) {
    if (order == null) {
      MemorySegment.copy(from, 0, to, 0, (long) n << 3);
    } else {
      plan.gather.values(Element.I64, from, order, n, to);
    }
    return to;
  }

  /** i64 row numbers, at most limit of them, in order; equal rows by row number. */
  public MemorySegment finish(SegmentAllocator results) {
    if (count > 0) {
      cut();
    }
    MemorySegment rows = results.allocate((long) count << 3, Long.BYTES);
    MemorySegment.copy(rowIds, 0, rows, 0, (long) count << 3);
    return rows;
  }

  @Override
  public void close() {
    scratch.close();
  }
}
