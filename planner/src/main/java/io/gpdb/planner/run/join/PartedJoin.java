package io.gpdb.planner.run.join;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchBinding;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.planner.run.SpilledParts;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A join whose kept rows are too many for memory: both sides are divided into parts by a hash of
 * their keys, in temporary files, and joined part by part (Kitsuregawa et al., 1983). A part that
 * is too large is divided again by another hash; where that does not help, because most of it has
 * one key, its kept rows are joined block by block ({@link BlockedJoin}).
 */
final class PartedJoin implements Batches {
  private static final int LEVELS_MAX = 4;

  /** Fewer kept rows are not worth a division. */
  private static final int ROWS_MIN = 1 << 10;

  private final JoinRun run;
  private final int level;
  private final Supplier<Batches> probedRows;
  private final BatchBinding binding;
  private final SpilledParts built;
  private @Nullable SpilledParts probed;
  private boolean nullKey;
  private int next;
  private Batches joined = Batches.of(null);

  /**
   * @param level how often the rows were divided before
   * @param builtRows the kept rows, which are closed
   * @param probedRows opens the streamed rows, once
   */
  PartedJoin(JoinRun run, int level, Batches builtRows, Supplier<Batches> probedRows) {
    this.run = run;
    this.level = level;
    this.probedRows = probedRows;
    JoinArm.Side side = run.arm().built;
    KernelExpressions keys = run.arm().kernels().buildExpressions();
    binding = new BatchBinding(keys, side.types(), run.x(), run.arm().device());
    try (builtRows) {
      built = new SpilledParts(side.types(), run.builtFields(), run.gather());
      try {
        built.addAll(side.source(), builtRows, divisionBytes(run.rowBytes()), this::builtParts);
      } catch (RuntimeException | Error e) {
        built.close();
        throw e;
      }
    }
  }

  /** What a division takes for a row: it twice, and for each key a word. */
  private long divisionBytes(long rowBytes) {
    return 2 * rowBytes + 8L * run.arm().built.keys().size() + 12;
  }

  /** Rows with a NULL key are left out: they make no pair. */
  private int[] builtParts(Batch batch) {
    JoinArm.Kernels by = run.arm().kernels();
    int[] parts =
        by.failingBuild()
            .launched(
                by.buildExpressions(),
                run.x(),
                batch,
                () ->
                    by.join()
                        .buildParts(
                            binding.bind(batch),
                            batch.rows(),
                            batch.live(),
                            SpilledParts.COUNT,
                            level));
    for (int part : parts) {
      nullKey |= part < 0;
    }
    return parts;
  }

  /** Whether a kept row has a NULL among its keys. */
  boolean hasNullKey() {
    return nullKey;
  }

  private SpilledParts probed() {
    SpilledParts known = probed;
    if (known == null) {
      known = dividedProbe();
      probed = known;
    }
    return known;
  }

  private SpilledParts dividedProbe() {
    JoinArm.Side side = run.arm().probed;
    BatchBinding keys = new JoinTable.Binding(run.arm(), run.x(), binding);
    SpilledParts parts = new SpilledParts(side.types(), run.probedFields(), run.gather());
    try (Batches rows = probedRows.get()) {
      rows.expectAll();
      parts.addAll(
          side.source(),
          rows,
          divisionBytes(run.probedRowBytes()),
          batch -> probedParts(batch, keys));
      return parts;
    } catch (RuntimeException | Error e) {
      parts.close();
      throw e;
    }
  }

  /** Rows that make no pair are in the first part where they come, else they are left out. */
  private int[] probedParts(Batch batch, BatchBinding keys) {
    JoinArm.Kernels by = run.arm().kernels();
    int[] parts =
        by.failingProbe()
            .launched(
                by.probeExpressions(),
                run.x(),
                batch,
                () ->
                    by.join()
                        .probeParts(
                            keys.bind(batch),
                            batch.rows(),
                            batch.live(),
                            SpilledParts.COUNT,
                            level));
    for (int row = 0; row < parts.length; row++) {
      if (run.returnsUnmatched()) {
        parts[row] = parts[row] < 0 && batch.isLive(row) ? 0 : parts[row];
      } else if (parts[row] >= 0 && built.isEmpty(parts[row])) {
        parts[row] = -1;
      }
    }
    return parts;
  }

  @Override
  public @Nullable Batch next() {
    SpilledParts streamed = probed();
    Batch batch = joined.next();
    while (batch == null && next < SpilledParts.COUNT) {
      joined.close();
      joined = Batches.of(null);
      joined = joined(next++, streamed);
      batch = joined.next();
    }
    return batch;
  }

  private Batches joined(int part, SpilledParts streamed) {
    if (streamed.isEmpty(part) || (built.isEmpty(part) && !run.returnsUnmatched())) {
      return Batches.of(null);
    }
    long rows = built.rows(part);
    JoinTable table =
        rows <= ROWS_MIN ? run.table(built.all(part)) : tableThatFits(part, rows, streamed);
    if (table != null) {
      return run.probed(table, streamed.rows(part, run.probedRowBytes()));
    }
    return level + 1 < LEVELS_MAX && rows <= built.rows() / 2
        ? new PartedJoin(
            run,
            level + 1,
            built.rows(part, run.rowBytes()),
            () -> streamed.rows(part, run.probedRowBytes()))
        : new BlockedJoin(run, built, streamed, part);
  }

  private @Nullable JoinTable tableThatFits(int part, long rows, SpilledParts streamed) {
    if (rows > HeldRows.ROWS_MAX || !HeldRows.hasRoomFor(rows, run.rowBytes())) {
      return null;
    }
    DenseBatch held = built.all(part);
    JoinTable table = run.tableThatFits(held, streamed.rows(part));
    if (table == null) {
      held.close();
    }
    return table;
  }

  @Override
  public void close() {
    joined.close();
    built.close();
    if (probed != null) {
      probed.close();
    }
  }
}
