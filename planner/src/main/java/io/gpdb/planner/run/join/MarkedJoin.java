package io.gpdb.planner.run.join;

import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Launching;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.planner.run.HeldSource;
import io.gpdb.planner.run.join.MarkedJoinSource.Kind;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a {@link MarkedJoinSource}.
 *
 * <pre>
 *   for each block of the left rows
 *     for each block of the right rows   their pairs; the rows of pairs are marked
 *     the left rows of the block without a mark, of a semijoin those with one
 *   for each block of the right rows     those without a mark, where they come
 * </pre>
 *
 * Mostly there is one block of each.
 */
final class MarkedJoin implements Batches {
  /** A batch may take one part in this many of the memory left. */
  private static final int MEMORY_SHARE = 8;

  private static final int BATCH_ROWS_MIN = 1 << 10;

  private final Plan plan;
  private final Execution x;
  private final BitSet needed;
  private final RowBlocks left;
  private final @Nullable RowBlocks right;

  /** By block of the right rows, the marks of its rows. */
  private final List<HostBuffer> rightMarks = new ArrayList<>();

  private final BatchMemory memory = new BatchMemory();
  private BatchMemory ofLeftBlock = new BatchMemory();
  private int leftBlock;
  private int rightBlock;
  private int restBlock;
  private @Nullable Numbered leftRows;
  private HostBuffer leftMarks = HostBuffer.NONE;
  private Batches step = Batches.of(null);

  /**
   * What does not change from one execution to the next.
   *
   * @param right null in semi and anti joins
   * @param pairs the numbers of rows that make pairs
   * @param columns of the join
   */
  record Plan(
      Kind kind,
      HeldSource left,
      @Nullable HeldSource right,
      Source pairs,
      List<SourceColumn> columns,
      GridGather gather) {
    int leftWidth() {
      return left.input().columns().size();
    }
  }

  /**
   * @param left closed with this
   * @param right closed with this; null in semi and anti joins
   */
  MarkedJoin(Plan plan, Execution x, BitSet needed, RowBlocks left, @Nullable RowBlocks right) {
    this.plan = plan;
    this.x = x;
    this.needed = needed;
    this.left = left;
    this.right = right;
    for (int block = 0; right != null && block < right.count(); block++) {
      rightMarks.add(memory.bitmap(right.rows(block)));
    }
  }

  @Override
  public @Nullable Batch next() {
    Batch batch = step.next();
    while (batch == null && advance()) {
      batch = step.next();
    }
    return batch;
  }

  /** Whether there is another step. */
  private boolean advance() {
    step.close();
    step = Batches.of(null);
    if (leftBlock < left.count()) {
      step = stepOfLeftBlock();
      return true;
    }
    if (right == null || !plan.kind.keepsRight() || restBlock == right.count()) {
      return false;
    }
    HostBuffer marks = rightMarks.get(restBlock);
    step = new Rest(right.block(restBlock++), false, marks, false);
    return true;
  }

  private Batches stepOfLeftBlock() {
    Numbered rows = leftRows;
    if (rows == null) {
      ofLeftBlock.close();
      ofLeftBlock = new BatchMemory();
      DenseBatch block = left.block(leftBlock);
      leftMarks = ofLeftBlock.bitmap(block.rows());
      rows = new Numbered(block, plan.leftWidth(), ofLeftBlock);
      leftRows = rows;
    }
    if (rightBlock < (right == null ? 1 : right.count())) {
      return new Pairs(rows, rightBlock++);
    }
    leftRows = null;
    rightBlock = 0;
    leftBlock++;
    return plan.kind == Kind.RIGHT
        ? Batches.of(null)
        : new Rest(rows.rows, true, leftMarks, plan.kind == Kind.SEMI);
  }

  /** How many rows of the join fit a part of the memory left. */
  private int rowsThatFit() {
    long rowBytes = 2 * Integer.BYTES;
    for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
      rowBytes += plan.columns.get(i).type().element().bytes() + 1;
    }
    long rows = MemoryAccount.current().availableBytes() / MEMORY_SHARE / rowBytes;
    return Math.clamp(rows, BATCH_ROWS_MIN, HeldRows.ROWS_MAX);
  }

  /**
   * Rows with those numbers beside each other.
   *
   * @param ofLeft null where these are NULLs
   * @param ofRight null where these are NULLs
   */
  private Batch rows(int count, @Nullable Numbers ofLeft, @Nullable Numbers ofRight) {
    BatchMemory results = new BatchMemory();
    try {
      DenseBatch result = new DenseBatch(count, plan.columns.size(), results);
      for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
        boolean isLeft = i < plan.leftWidth();
        int field = isLeft ? i : i - plan.leftWidth();
        column(result, i, field, isLeft ? ofLeft : ofRight);
        if (plan.columns.get(i).type().kind().isString()) {
          result.strings(i, (isLeft ? left : Objects.requireNonNull(right)).strings(field));
        }
      }
      return result;
    } catch (RuntimeException | Error e) {
      results.close();
      throw e;
    }
  }

  /** Rows of a block by their numbers in it. */
  private record Numbers(DenseBatch of, DeviceBuffer numbers) {}

  private void column(DenseBatch result, int to, int from, @Nullable Numbers rows) {
    SqlTypeSpec type = plan.columns.get(to).type();
    BatchMemory results = result.memory();
    if (rows == null) {
      HostBuffer none = results.pin((long) result.rows() * type.element().bytes());
      none.fill((byte) 0);
      result.set(to, none, results.bitmap(result.rows()));
      return;
    }
    DenseColumn values =
        new DenseColumn(Launching.element(type), rows.of.values(from), rows.of.validity(from));
    DenseColumn column = plan.gather.column(values, rows.numbers, result.rows(), false, results);
    result.set(to, column.values(), column.validity());
  }

  @Override
  public void close() {
    try (left;
        right;
        memory) {
      step.close();
      ofLeftBlock.close();
    }
  }

  /** The pairs of a block of the left rows and one of the right rows; marks both. */
  private final class Pairs implements Batches {
    private final DenseBatch leftBlock;
    private final @Nullable DenseBatch rightBlock;
    private final HostBuffer marksOfRight;
    private final BatchMemory numbers = new BatchMemory();
    private final Batches found;
    private @Nullable Batch batch;
    private int next;

    Pairs(Numbered leftRows, int rightNumber) {
      leftBlock = leftRows.rows;
      rightBlock = right == null ? null : right.block(rightNumber);
      marksOfRight = right == null ? HostBuffer.NONE : rightMarks.get(rightNumber);
      Map<Source, Batch> held = new HashMap<>();
      held.put(plan.left, leftRows);
      if (plan.right != null && rightBlock != null) {
        int width = plan.right.input().columns().size();
        held.put(plan.right, new Numbered(rightBlock, width, numbers));
      }
      BitSet asked = new BitSet();
      asked.set(0, plan.kind.returnsPairs() ? 2 : 1);
      try {
        found = plan.pairs.open(x.holding(held), asked);
      } catch (RuntimeException | Error e) {
        numbers.close();
        throw e;
      }
      if (!plan.kind.returnsPairs()) {
        found.expectAll();
      }
    }

    @Override
    public @Nullable Batch next() {
      Batch pairs = batch;
      while (pairs == null || next == pairs.rows()) {
        if (pairs != null) {
          batch = null;
          pairs.close();
        }
        pairs = marked();
        if (pairs == null) {
          return null;
        }
        batch = pairs;
        next = plan.kind.returnsPairs() ? 0 : pairs.rows();
      }
      int count = Math.min(rowsThatFit(), pairs.rows() - next);
      Batch rows =
          rows(
              count,
              new Numbers(leftBlock, part(pairs, 0, count)),
              new Numbers(Objects.requireNonNull(rightBlock), part(pairs, 1, count)));
      next += count;
      return rows;
    }

    private DeviceBuffer part(Batch pairs, int field, int count) {
      return pairs.values(field).slice((long) next * Integer.BYTES, (long) count * Integer.BYTES);
    }

    private @Nullable Batch marked() {
      Batch pairs = found.next();
      if (pairs != null) {
        mark(pairs, 0, leftMarks);
        if (plan.kind.returnsPairs()) {
          mark(pairs, 1, marksOfRight);
        }
      }
      return pairs;
    }

    private static void mark(Batch batch, int field, HostBuffer marks) {
      HostBuffer numbers = batch.hostValues(field);
      for (int i = 0; i < batch.rows(); i++) {
        StopSignal.poll(i);
        Bitmaps.set(marks, numbers.intAt(i), true);
      }
    }

    @Override
    public void close() {
      if (batch != null) {
        batch.close();
      }
      found.close();
      numbers.close();
    }
  }

  /** The rows of a block with or without a mark, NULLs beside them. */
  private final class Rest implements Batches {
    private final DenseBatch rows;
    private final boolean areLeft;
    private final HostBuffer marks;
    private final boolean marked;
    private int next;

    Rest(DenseBatch rows, boolean areLeft, HostBuffer marks, boolean marked) {
      this.rows = rows;
      this.areLeft = areLeft;
      this.marks = marks;
      this.marked = marked;
    }

    @Override
    public @Nullable Batch next() {
      int most = Math.min(rowsThatFit(), rows.rows() - next);
      try (BatchMemory scratch = new BatchMemory()) {
        HostBuffer numbers = scratch.pin((long) most * Integer.BYTES);
        int count = 0;
        for (; count < most && next < rows.rows(); next++) {
          StopSignal.poll(next);
          if (Bitmaps.test(marks, next) == marked) {
            numbers.setInt(count++, next);
          }
        }
        if (count == 0) {
          return null;
        }
        Numbers wanted = new Numbers(rows, numbers.slice(0, (long) count * Integer.BYTES));
        return areLeft ? rows(count, wanted, null) : rows(count, null, wanted);
      }
    }

    @Override
    public void close() {}
  }

  /** Rows with their numbers behind their fields. */
  private static final class Numbered extends Batch {
    private final DenseBatch rows;
    private final int width;
    private final HostBuffer numbers;

    Numbered(DenseBatch rows, int width, BatchMemory memory) {
      this.rows = rows;
      this.width = width;
      numbers = memory.pin((long) rows.rows() * Integer.BYTES);
      for (int i = 0; i < rows.rows(); i++) {
        numbers.setInt(i, i);
      }
    }

    @Override
    public int rows() {
      return rows.rows();
    }

    @Override
    public boolean ownsColumns() {
      return true;
    }

    @Override
    public DeviceBuffer values(int field) {
      return field == width ? numbers : rows.values(field);
    }

    @Override
    public @Nullable DeviceBuffer validity(int field) {
      return field == width ? null : rows.validity(field);
    }

    @Override
    public StringDomain strings(int field) {
      return rows.strings(field);
    }

    @Override
    public void close() {}
  }
}
