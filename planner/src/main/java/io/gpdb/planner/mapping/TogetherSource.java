package io.gpdb.planner.mapping;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Bytes;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.planner.run.KeptRows;
import io.gpdb.sql.tree.SubQueryFunction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A filter or a projection with subqueries, whose values are found for all rows together by a join.
 * The rows are kept in memory meanwhile. Row by row, as the host does it, go rows that memory does
 * not hold, rows that all ask for the same value, and those of a query that is itself run for each
 * row of another one: what the host finds out is known to the runs after that.
 */
final class TogetherSource extends Source {
  /** Beyond these it is taken for granted that they ask for several values. */
  private static final int ROWS_COMPARED_MAX = 1024;

  private static final long ROWS_MAX = 1 << 24;

  /** What a join takes for a row that is kept: its key, its number, and those of its pair. */
  private static final int JOIN_BYTES = 40;

  private final HostProjectSource rowByRow;
  private final KeptRows rows;
  private final Source input;
  private final Source together;
  private final List<SubQueryFunction> ofOneValue;
  private final List<Integer> parameters;
  private final BitSet asking;
  private final BitSet askingOutputs;
  private final int oneByOneMax;

  /**
   * @param rows what {@code together} reads in the place of the input
   * @param ofOneValue subqueries whose values are parameters of {@code together}
   * @param asking the fields of the input that subqueries are asked with
   * @param askingOutputs the outputs that ask subqueries, where the condition does not
   * @param oneByOneMax rows up to which it is cheaper to ask for each
   */
  TogetherSource(
      HostProjectSource rowByRow,
      KeptRows rows,
      Source together,
      List<SubQueryFunction> ofOneValue,
      BitSet asking,
      BitSet askingOutputs,
      int oneByOneMax) {
    super(rowByRow.columns());
    this.rowByRow = rowByRow;
    this.input = rowByRow.input();
    this.rows = rows;
    this.together = together;
    this.ofOneValue = List.copyOf(ofOneValue);
    this.parameters = ofOneValue.stream().map(SubQueryFunction::value).toList();
    this.asking = (BitSet) asking.clone();
    this.askingOutputs = (BitSet) askingOutputs.clone();
    this.oneByOneMax = oneByOneMax;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    if (x.parameters() instanceof OuterBindings || !areAllAsked(needed)) {
      return rowByRow.start(x, needed);
    }
    BitSet read = rowByRow.read(needed);
    Batches batches = input.open(x, read);
    try (HeldRows held = new HeldRows(input, read)) {
      long bytes = held.rowBytes() + JOIN_BYTES;
      Batch batch = batches.next();
      while (batch != null && held.rows() < ROWS_MAX && HeldRows.hasRoomFor(batch.rows(), bytes)) {
        held.add(batch);
        batch = batches.next();
      }
      if (batch != null) {
        return rowByRow.over(resumed(held.released(), batch, batches), x, needed);
      }
      batches.close();
      return all(held.taken(), x, needed);
    } catch (RuntimeException | Error e) {
      batches.close();
      throw e;
    }
  }

  /** Whether what comes out asks for the values of all subqueries. */
  private boolean areAllAsked(BitSet needed) {
    BitSet left = (BitSet) askingOutputs.clone();
    left.andNot(needed);
    return left.isEmpty();
  }

  private Batches all(DenseBatch kept, Execution x, BitSet needed) {
    if (areAskedOneByOne(kept)) {
      return rowByRow.over(Batches.of(kept), x, needed);
    }
    try {
      Execution bound = ofOneValue.isEmpty() ? x : x.with(values(x));
      return new Joined(kept, together.open(bound.holding(Map.of(rows, kept)), needed));
    } catch (RuntimeException | Error e) {
      kept.close();
      throw e;
    }
  }

  /** The values that all rows ask for. */
  private OuterBindings values(Execution x) {
    @Nullable Object[] values = new Object[ofOneValue.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = rowByRow.value(ofOneValue.get(i), x);
    }
    return new OuterBindings(x.parameters(), parameters, values, new SubQueryMemo());
  }

  private boolean areAskedOneByOne(DenseBatch kept) {
    return kept.rows() <= oneByOneMax
        || (kept.rows() <= ROWS_COMPARED_MAX && asking.stream().allMatch(i -> isOneValue(kept, i)));
  }

  private boolean isOneValue(DenseBatch kept, int field) {
    Object first = value(kept, field, 0);
    for (int row = 1; row < kept.rows(); row++) {
      Object other = value(kept, field, row);
      if (first == null ? other != null : !first.equals(other)) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Object value(DenseBatch kept, int field, int row) {
    return Bytes.encoded(kept, field, input.types().get(field), row);
  }

  /** Batches of a stream, the first ones of which were taken from it. */
  private static Batches resumed(List<Batch> first, Batch next, Batches rest) {
    List<Batch> taken = new ArrayList<>(first);
    taken.add(next);
    Batches known = Batches.ofAll(taken);
    return new Batches() {
      @Override
      public @Nullable Batch next() {
        Batch batch = known.next();
        return batch == null ? rest.next() : batch;
      }

      @Override
      public void close() {
        try (rest) {
          known.close();
        }
      }
    };
  }

  /** What comes of rows that are kept until all of it has come. */
  private record Joined(DenseBatch kept, Batches results) implements Batches {
    @Override
    public @Nullable Batch next() {
      return results.next();
    }

    @Override
    public void close() {
      try (kept) {
        results.close();
      }
    }
  }

  @Override
  public double estimatedRows(Execution x) {
    return rowByRow.estimatedRows(x);
  }

  @Override
  public boolean isOneRow() {
    return rowByRow.isOneRow();
  }

  @Override
  public void explain(Outline outline) {
    rowByRow.explain(outline, this);
    outline.line("  and for all outer rows together, where memory holds them:");
    outline.below(together, OuterBindings.unknown(outline.execution().parameters(), parameters));
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    rowByRow.kernels(kernels);
    together.kernels(kernels);
  }
}
