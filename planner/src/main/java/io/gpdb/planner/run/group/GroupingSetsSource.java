package io.gpdb.planner.run.group;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.run.HeldSource;
import io.gpdb.planner.run.Materialized;
import io.gpdb.planner.run.UnionSource;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Grouping sets: rows are held in memory, those of the input or its groups by all keys, and grouped
 * once more for each set, whose groups come one set after another.
 */
public final class GroupingSetsSource extends Source {
  private final HeldSource rows;
  private final BitSet read;
  private final Source sets;
  private final String text;

  /**
   * @param read the fields of the held rows that the sets read
   * @param sets for each set its groups, with all columns
   * @param text names the sets
   */
  public GroupingSetsSource(
      HeldSource rows, BitSet read, List<Source> sets, List<SourceColumn> columns, String text) {
    super(columns);
    this.rows = rows;
    this.read = (BitSet) read.clone();
    this.sets = new UnionSource(columns, sets);
    this.text = text;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    DenseBatch held = Materialized.of(rows.input(), x, read);
    try {
      return new Groups(held, sets.open(x.holding(Map.of(rows, held)), needed));
    } catch (RuntimeException | Error e) {
      held.close();
      throw e;
    }
  }

  /** The groups of all sets, and the rows that they are of. */
  private record Groups(DenseBatch held, Batches groups) implements Batches {
    @Override
    public @Nullable Batch next() {
      return groups.next();
    }

    @Override
    public void close() {
      try (held) {
        groups.close();
      }
    }
  }

  @Override
  public double estimatedRows(Execution x) {
    return sets.estimatedRows(x);
  }

  @Override
  public void explain(Outline outline) {
    outline.operator(text, "host", this);
    outline.below(sets);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    sets.kernels(kernels);
  }
}
