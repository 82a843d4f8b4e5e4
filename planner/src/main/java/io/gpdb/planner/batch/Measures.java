package io.gpdb.planner.batch;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What each operator of one execution costs, for EXPLAIN ANALYZE: an operator is charged with what
 * happens while it works and none of those below it does. For one thread.
 */
public final class Measures {
  private final ExecutionCounters counters;
  private final IdentityHashMap<Source, Cost> costs = new IdentityHashMap<>();
  private final ArrayDeque<Cost> working = new ArrayDeque<>();
  private final Cost change = new Cost();
  private ExecutionCounters.Snapshot before;
  private long beforeNanos = System.nanoTime();
  private final MemoryAccount account = MemoryAccount.current();
  private final long firstBlocks = account.blocksTaken();
  private long beforeBlocks = firstBlocks;
  private long beforeSpilled = account.spilledBytes();

  /**
   * @param inBlocks whether what warps do is counted, too; the emulated device takes much longer
   *     then
   */
  public Measures(boolean inBlocks) {
    counters = new ExecutionCounters(inBlocks);
    before = counters.snapshot();
  }

  /** What one operator did so far. */
  private static final class Cost {
    long nanos;
    long rows;
    boolean inKernel;
    long allocations;
    long spilledBytes;
    ExecutionCounters.Snapshot counted = new ExecutionCounters().snapshot();
  }

  /** Where launches are counted. */
  public ExecutionCounters counters() {
    return counters;
  }

  /** The batches of an operator, with what they cost charged to it. */
  Batches measured(Source source, Supplier<Batches> start) {
    Cost cost = costs.computeIfAbsent(source, s -> new Cost());
    enter(cost);
    Batches batches;
    try {
      batches = start.get();
    } finally {
      leave();
    }
    return new ForwardingBatches(batches) {
      @Override
      public @Nullable Batch next() {
        return counted(batches::next);
      }

      @Override
      public @Nullable Batch nextTogether() {
        return counted(batches::nextTogether);
      }

      private @Nullable Batch counted(Supplier<@Nullable Batch> next) {
        enter(cost);
        try {
          Batch batch = next.get();
          cost.rows += batch == null ? 0 : batch.rows();
          cost.inKernel |= batch != null && batch.found() != null;
          return batch;
        } finally {
          leave();
        }
      }
    };
  }

  private void enter(Cost cost) {
    charge();
    working.push(cost);
  }

  private void leave() {
    charge();
    working.pop();
  }

  /** What happened since the last charge belongs to the innermost operator at work. */
  private void charge() {
    ExecutionCounters.Snapshot now = counters.snapshot();
    long nowNanos = System.nanoTime();
    long nowBlocks = account.blocksTaken();
    long nowSpilled = account.spilledBytes();
    Cost current = working.isEmpty() ? change : working.peek();
    current.counted = current.counted.plus(now.minus(before));
    current.nanos += nowNanos - beforeNanos;
    current.allocations += nowBlocks - beforeBlocks;
    current.spilledBytes += nowSpilled - beforeSpilled;
    before = now;
    beforeNanos = nowNanos;
    beforeBlocks = nowBlocks;
    beforeSpilled = nowSpilled;
  }

  /** What the operator cost, for its line of the plan; empty when it did not run. */
  String of(Source source) {
    Cost cost = costs.get(source);
    if (cost == null) {
      return "";
    }
    String rows = cost.inKernel ? "in the kernel above" : cost.rows + " rows";
    return ": " + rows + ", " + text(cost);
  }

  /** How many rows came; -1 where the operator did not run or was part of a kernel above. */
  long rows(Source source) {
    Cost cost = costs.get(source);
    return cost == null || cost.inKernel ? -1 : cost.rows;
  }

  /** What was done outside of all operators: the change that a statement applies. */
  public String change() {
    charge();
    return text(change);
  }

  /** Of the whole statement so far, after its rows and time. */
  public String total() {
    ExecutionCounters.Snapshot all = counters.snapshot();
    return String.format(
        Locale.ROOT,
        ", launches %d, waited at barriers %.3f ms, allocations %d",
        all.launches(),
        all.barrierNanos() / 1e6,
        account.blocksTaken() - firstBlocks);
  }

  private String text(Cost cost) {
    ExecutionCounters.Snapshot c = cost.counted;
    String time =
        String.format(Locale.ROOT, "%.3f ms", cost.nanos / 1e6)
            + (cost.spilledBytes == 0 ? "" : ", bytes spilled " + cost.spilledBytes);
    if (c.launches() == 0) {
      return time;
    }
    return time
        + String.format(Locale.ROOT, ", launches %d, warps %d", c.launches(), c.warps())
        + (counters.areInBlocks() ? inBlocks(c) : "")
        + ", allocations "
        + cost.allocations
        + link(c)
        + (c.bytesLogged() == 0 ? "" : ", bytes logged " + c.bytesLogged())
        + (c.bytesPersisted() == 0 ? "" : ", bytes persisted " + c.bytesPersisted());
  }

  private static String inBlocks(ExecutionCounters.Snapshot c) {
    String divergence =
        c.warpBranches() == 0
            ? "none"
            : String.format(
                Locale.ROOT, "%.1f%%", 100.0 * c.divergentBranches() / c.warpBranches());
    return String.format(
        Locale.ROOT, ", divergence %s, sectors %d, lines %d", divergence, c.sectors(), c.lines());
  }

  /** What went between the host's memory and that of a device with memory of its own. */
  private static String link(ExecutionCounters.Snapshot c) {
    return c.waits() == 0
        ? ""
        : String.format(
                Locale.ROOT,
                ", waits %d, copies %d, bytes copied %d",
                c.waits(),
                c.copies(),
                c.bytesCopied())
            + bound(c);
  }

  /** As if a kernel took every value that it was given once, and the launch no time of its own. */
  private static String bound(ExecutionCounters.Snapshot c) {
    if (c.boundNanosLeast() == 0) {
      return c.bytesBound() == 0 ? "" : ", bytes of the device's memory " + c.bytesBound();
    }
    return String.format(
        Locale.ROOT,
        ", bytes of the device's memory %d in %.3f ms: %.1f%% of its bandwidth",
        c.bytesBound(),
        c.boundNanos() / 1e6,
        100.0 * c.boundNanosLeast() / c.boundNanos());
  }
}
