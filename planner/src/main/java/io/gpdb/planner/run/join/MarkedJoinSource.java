package io.gpdb.planner.run.join;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.run.HeldSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Outer, full, semi and anti joins by any condition. The inputs whose rows come are kept in memory,
 * or block by block in a temporary file ({@link MarkedJoin}); an inner join of both returns pairs
 * with the numbers of these rows, which are marked; rows without a mark come last.
 */
public final class MarkedJoinSource extends Source {
  /** Which rows come. */
  public enum Kind {
    LEFT,
    RIGHT,
    FULL,
    SEMI,
    ANTI;

    /** Whether fields of both inputs come. */
    boolean returnsPairs() {
      return this != SEMI && this != ANTI;
    }

    boolean keepsLeft() {
      return this == LEFT || this == FULL;
    }

    boolean keepsRight() {
      return this == RIGHT || this == FULL;
    }
  }

  private final Kind kind;
  private final MarkedJoin.Plan plan;
  private final BitSet readByPairs;

  /**
   * @param right null in semi and anti joins, whose right rows do not come
   * @param pairs for each pair of rows for which the condition is true the numbers of the left and
   *     the right row, where these are held
   * @param readByPairs the fields of both inputs that the condition reads
   */
  public MarkedJoinSource(
      Device device,
      Kind kind,
      HeldSource left,
      @Nullable HeldSource right,
      Source pairs,
      BitSet readByPairs) {
    super(columns(kind, left.input(), right == null ? List.of() : right.input().columns()));
    this.kind = kind;
    this.plan = new MarkedJoin.Plan(kind, left, right, pairs, columns(), new GridGather(device));
    this.readByPairs = (BitSet) readByPairs.clone();
  }

  /** Those of a side that may lack a row are nullable. */
  private static List<SourceColumn> columns(Kind kind, Source left, List<SourceColumn> right) {
    List<SourceColumn> columns = new ArrayList<>();
    for (SourceColumn column : left.columns()) {
      boolean nullable = column.nullable() || kind.keepsRight();
      columns.add(new SourceColumn(column.name(), column.type(), nullable));
    }
    if (kind.returnsPairs()) {
      for (SourceColumn column : right) {
        boolean nullable = column.nullable() || kind.keepsLeft();
        columns.add(new SourceColumn(column.name(), column.type(), nullable));
      }
    }
    return columns;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    BitSet read = (BitSet) needed.clone();
    read.or(readByPairs);
    int leftWidth = plan.leftWidth();
    RowBlocks leftRows = RowBlocks.of(plan.left().input(), x, read.get(0, leftWidth));
    if (leftRows.isEmpty() && !kind.keepsRight()) {
      leftRows.close();
      return Batches.of(null);
    }
    try {
      return new MarkedJoin(plan, x, needed, leftRows, rightRows(x, read));
    } catch (RuntimeException | Error e) {
      leftRows.close();
      throw e;
    }
  }

  private @Nullable RowBlocks rightRows(Execution x, BitSet read) {
    HeldSource right = plan.right();
    return right == null
        ? null
        : RowBlocks.of(right.input(), x, read.get(plan.leftWidth(), columns().size()));
  }

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  @Override
  public double estimatedRows(Execution x) {
    HeldSource right = plan.right();
    double ofLeft = plan.left().estimatedRows(x);
    double ofRight = right == null ? 0 : right.estimatedRows(x);
    return switch (kind) {
      case LEFT -> Math.max(ofLeft, plan.pairs().estimatedRows(x));
      case RIGHT -> Math.max(ofRight, plan.pairs().estimatedRows(x));
      case FULL -> Math.max(ofLeft + ofRight, plan.pairs().estimatedRows(x));
      case SEMI, ANTI -> Math.max(1, ofLeft / 2);
    };
  }

  @Override
  public void explain(Outline outline) {
    String name = kind.name().toLowerCase(Locale.ROOT);
    outline.operator(name + " join by marks of", "kernel gather and host", this);
    outline.below(plan.pairs());
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    plan.pairs().kernels(kernels);
  }
}
