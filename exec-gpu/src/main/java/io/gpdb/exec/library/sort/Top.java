package io.gpdb.exec.library.sort;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.base.SelectedRows;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.scan.GridFilterProject;
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One execution of a {@link GridTopN}: the candidates so far. Used by one thread at a time. */
public final class Top implements AutoCloseable {
  /** Candidates beyond twice the limit that may come together before they are cut. */
  private static final int SLACK = 4096;

  /** The sample from which a threshold is taken has at least this many rows. */
  private static final int SAMPLE_ROWS = 4096;

  /** It has at least this many rows for each row that is wanted. */
  private static final int SAMPLE_ROWS_PER_ROW = 8;

  /** So many candidates are compared by the host, where no more of them than a few are kept. */
  private static final int HOST_ROWS_MAX = 65_536;

  /** Tablets of fewer rows have no small regions. */
  private static final int REGION_TABLET_ROWS_MIN = 16_384;

  /** For each row that is wanted, and at least, the rows of a sample from all over the tablets. */
  private static final int SPREAD_SAMPLE_ROWS_PER_ROW = 128;

  private static final int SPREAD_SAMPLE_ROWS_MIN = 8192;

  private static final int TABLET_SAMPLE_ROWS_MIN = 32;

  private final GridTopN plan;
  private final int limit;
  private final long cutAt;
  private final long[] thresholds;
  private Scratch scratch = new Scratch();
  private List<DeviceBuffer> words = new ArrayList<>();
  private HostBuffer rowIds = HostBuffer.NONE;
  private int capacity;
  private int count;
  private boolean sampled;

  Top(GridTopN plan, int limit) {
    this.plan = plan;
    this.limit = limit;
    cutAt = 2L * limit + SLACK;
    thresholds = new long[plan.thresholds.size()];
    Arrays.fill(thresholds, -1L);
    for (int i = 0; i < plan.words; i++) {
      words.add(HostBuffer.NONE);
    }
  }

  /**
   * Tablets that are offered together, in their order.
   *
   * @param count about how many there will be
   */
  public Offer offer(int count) {
    return plan.readsRegions(limit) ? new FewOffer(count) : new WholeOffer();
  }

  /** About the bytes that a row takes while it is compared, whether it may be among them or not. */
  public int bytesPerRow() {
    int bytes = plan.candidates.bytesPerRow();
    return plan.readsRegions(limit)
        ? Math.ceilDiv(bytes * TopCandidates.REGION_ROWS, TopCandidates.BLOCK_LANES)
        : bytes;
  }

  /** Tablets that one grouped launch filters by the threshold so far. Used by one thread. */
  public sealed interface Offer {

    /**
     * Adds the next tablet, whose row r is known as firstRow + r; what is bound must stay valid
     * until {@link #finish} returns.
     */
    Offer add(LaneBindings bindings, int rows, @Nullable DeviceBuffer live, long firstRow);

    /** Launches, and keeps what may be among the first rows. */
    void finish();
  }

  /** Tablets whose candidates have regions in which all rows find room. */
  private final class WholeOffer implements Offer {
    private final GridFilterProject.Window window = plan.candidates.start();
    private final List<Long> firstRows = new ArrayList<>();

    @Override
    public Offer add(LaneBindings bindings, int rows, @Nullable DeviceBuffer live, long firstRow) {
      if (!sampled) {
        sample(bindings, rows, live);
      }
      bindThresholds(bindings);
      window.add(bindings, rows, live);
      firstRows.add(firstRow);
      return this;
    }

    @Override
    public void finish() {
      try (Scratch local = new Scratch()) {
        List<SelectedRows> passed = window.finish(local);
        for (int i = 0; i < passed.size(); i++) {
          append(passed.get(i), firstRows.get(i));
        }
      }
      if (count > cutAt) {
        cut();
      }
    }
  }

  /**
   * Tablets whose candidates have small regions. A tablet of which more pass than these hold is
   * filtered once more, alone. The sample takes rows from all over each tablet.
   */
  private final class FewOffer implements Offer {
    private final TopRegions sample = new TopRegions(plan.fewCandidates, true, plan.words);
    private final TopRegions regions = new TopRegions(plan.fewCandidates, false, plan.words);
    private final List<Tablet> tablets = new ArrayList<>();
    private final int sampledLanes;
    private int inRegions;

    FewOffer(int count) {
      long wanted = Math.max(SPREAD_SAMPLE_ROWS_MIN, (long) limit * SPREAD_SAMPLE_ROWS_PER_ROW);
      sampledLanes = Math.clamp(wanted / count, TABLET_SAMPLE_ROWS_MIN, TopCandidates.BLOCK_LANES);
    }

    /**
     * A tablet.
     *
     * @param region its number among those with regions, -1 for none
     */
    private record Tablet(int region, GridFilterProject.Window alone, long firstRow) {}

    @Override
    public Offer add(LaneBindings bindings, int rows, @Nullable DeviceBuffer live, long firstRow) {
      bindThresholds(bindings);
      GridFilterProject.Window alone = plan.candidates.start().add(bindings, rows, live);
      boolean small = rows < REGION_TABLET_ROWS_MIN;
      tablets.add(new Tablet(small ? -1 : inRegions++, alone, firstRow));
      if (!small) {
        regions.add(bindings, rows, live);
        if (!sampled) {
          sample.add(bindings, rows, live, sampledLanes, rows / sampledLanes);
        }
      }
      return this;
    }

    @Override
    public void finish() {
      try (Scratch local = new Scratch()) {
        if (inRegions > 0) {
          if (!sampled) {
            sampled = true;
            if (count == 0) {
              takeThreshold(local);
            } else if (count >= limit) {
              cut(); // the candidates of tablets without regions have a threshold
            }
          }
          regions.launch(thresholds, local);
        }
        for (Tablet tablet : tablets) {
          keep(tablet);
        }
      }
    }

    /** Where there are no candidates yet: those of the sample are forgotten. */
    private void takeThreshold(Scratch local) {
      sample.launch(thresholds, local);
      for (int i = 0; i < inRegions; i++) {
        append(sample, i, sample.passed(i), 0);
      }
      if (count >= limit) {
        cut();
      }
      count = 0;
    }

    private void keep(Tablet tablet) {
      int passed = tablet.region < 0 ? -1 : regions.passed(tablet.region);
      if (passed >= 0) {
        append(regions, tablet.region, passed, tablet.firstRow);
      } else {
        try (Scratch local = new Scratch()) {
          append(tablet.alone.finish(local).getFirst(), tablet.firstRow);
        }
      }
      if (count > cutAt) {
        cut();
      }
    }
  }

  private void append(TopRegions regions, int tablet, int passed, long firstRow) {
    reserve(Math.addExact(count, passed));
    List<HostBuffer> views = words.stream().map(DeviceBuffer::onHost).toList();
    regions.forEach(
        tablet,
        (row, place) -> {
          for (int w = 0; w < views.size(); w++) {
            views.get(w).setLong(count, regions.word(w, place));
          }
          rowIds.setLong(count, firstRow + row);
          count++;
        });
  }

  private void bindThresholds(LaneBindings bindings) {
    for (int i = 0; i < thresholds.length; i++) {
      bindings.parameter(plan.thresholds.get(i), thresholds[i]);
    }
  }

  /** Takes a threshold from the tablet's first rows, where they are enough, and forgets them. */
  private void sample(LaneBindings bindings, int rows, @Nullable DeviceBuffer live) {
    sampled = true;
    long wanted = Math.max(SAMPLE_ROWS, (long) limit * SAMPLE_ROWS_PER_ROW);
    if (wanted >= rows) {
      return;
    }
    bindThresholds(bindings);
    try (Scratch local = new Scratch()) {
      append(plan.candidates.run(bindings, (int) wanted, live, local), 0);
    }
    if (count >= limit) {
      cut();
    }
    count = 0;
  }

  private void append(SelectedRows passed, long firstRow) {
    int n = passed.count();
    DeviceBuffer ids = passed.rowIds();
    if (n == 0 || ids == null) {
      return;
    }
    reserve(Math.addExact(count, n));
    for (int w = 0; w < words.size(); w++) {
      DeviceBuffer from = passed.columns().get(w).values();
      words.get(w).copyFrom(from, 0, (long) count << 3, (long) n << 3);
    }
    HostBuffer rows = ids.onHost();
    for (int i = 0; i < n; i++) {
      rowIds.setLong(count + i, firstRow + rows.intAt(i));
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
      int kept = Math.min(limit, count);
      move(kept, capacity, order(local));
      count = kept;
    }
    if (count == limit) {
      for (int i = 0; i < thresholds.length; i++) {
        thresholds[i] = words.get(i).slice((limit - 1L) << 3, Long.BYTES).onHost().longAt(0);
      }
    }
  }

  /** The candidates in order, the first {@code limit} of them at least. */
  private DeviceBuffer order(Scratch local) {
    if (count <= HOST_ROWS_MAX && limit <= GridTopN.HOST_LIMIT_MAX) {
      List<HostBuffer> ofCandidates =
          words.stream().map(word -> word.slice(0, (long) count << 3).onHost()).toList();
      int[] first = FirstRows.of(ofCandidates, count, limit);
      HostBuffer order = local.pin((long) first.length << 2);
      order.write(0, first, 0, first.length);
      return local.settled(order);
    }
    DeviceBuffer order = local.ints(count);
    plan.sort.order(words, count, order);
    return order;
  }

  /** Moves n candidates to new memory, in the given order when there is one. */
  private void move(int n, int newCapacity, @Nullable DeviceBuffer order) {
    List<DeviceBuffer> movedWords = new ArrayList<>();
    Scratch next = new Scratch();
    try {
      for (DeviceBuffer word : words) {
        movedWords.add(moved(word, n, next.longs(newCapacity), order));
      }
      HostBuffer movedIds = next.pin((long) newCapacity << 3);
      moved(rowIds, n, movedIds, order);
      rowIds = movedIds;
    } catch (RuntimeException | Error e) {
      next.close();
      throw e;
    }
    words = movedWords;
    scratch.close();
    scratch = next;
    capacity = newCapacity;
  }

  private DeviceBuffer moved(
      DeviceBuffer from, int n, DeviceBuffer to, @Nullable DeviceBuffer order) {
    if (order == null) {
      to.copyFrom(from, 0, 0, (long) n << 3);
    } else {
      plan.gather.values(Element.I64, from, order, n, to);
    }
    return to;
  }

  /** i64 row numbers, at most limit of them, in order; equal rows by row number. */
  public DeviceBuffer finish(BufferAllocator results) {
    if (count > 0) {
      cut();
    }
    DeviceBuffer rows = results.allocate((long) count << 3);
    rows.copyFrom(rowIds, 0, 0, (long) count << 3);
    return rows;
  }

  @Override
  public void close() {
    scratch.close();
  }
}
