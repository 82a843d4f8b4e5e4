package io.gpdb.planner.run;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Launching;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Outer, full, semi and anti joins by any condition. The inputs whose rows come are kept in memory;
 * an inner join of both returns pairs with the numbers of these rows, which are marked; rows
 * without a mark come last.
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
  private final HeldSource left;
  private final @Nullable HeldSource right;
  private final Source pairs;
  private final BitSet readByPairs;
  private final GridGather gather;
  private final int leftWidth;
  private final int rightWidth;

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
    this.left = left;
    this.right = right;
    this.pairs = pairs;
    this.readByPairs = (BitSet) readByPairs.clone();
    this.gather = new GridGather(device);
    this.leftWidth = left.input().columns().size();
    this.rightWidth = right == null ? 0 : right.input().columns().size();
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
    BitSet ofLeft = read.get(0, leftWidth);
    DenseBatch leftRows = Materialized.of(left.input(), x, ofLeft);
    if (leftRows.rows() == 0 && !kind.keepsRight()) {
      leftRows.close();
      return Batches.of(null);
    }
    DenseBatch rightRows = null;
    try {
      if (right != null) {
        rightRows = Materialized.of(right.input(), x, read.get(leftWidth, leftWidth + rightWidth));
      }
    } catch (RuntimeException | Error e) {
      leftRows.close();
      throw e;
    }
    Run run = new Run(leftRows, rightRows, needed);
    try {
      run.begin(x);
      return run;
    } catch (RuntimeException | Error e) {
      run.close();
      throw e;
    }
  }

  /** One execution. */
  private final class Run implements Batches {
    private final DenseBatch leftRows;
    private final @Nullable DenseBatch rightRows;
    private final BitSet needed;
    private final BatchMemory memory = new BatchMemory();
    private final HostBuffer leftMarks;
    private final HostBuffer rightMarks;
    private @Nullable Batches found;
    private boolean leftDone;
    private boolean rightDone;

    Run(DenseBatch leftRows, @Nullable DenseBatch rightRows, BitSet needed) {
      this.leftRows = leftRows;
      this.rightRows = rightRows;
      this.needed = needed;
      leftMarks = memory.bitmap(leftRows.rows());
      rightMarks = memory.bitmap(rightRows == null ? 0 : rightRows.rows());
      leftDone = kind == Kind.RIGHT;
      rightDone = !kind.keepsRight();
    }

    void begin(Execution x) {
      BitSet asked = new BitSet();
      asked.set(0, kind.returnsPairs() ? 2 : 1);
      Map<Source, Batch> held = new HashMap<>();
      held.put(left, new Numbered(leftRows, leftWidth, memory));
      if (right != null && rightRows != null) {
        held.put(right, new Numbered(rightRows, rightWidth, memory));
      }
      Batches opened = pairs.open(x.holding(held), asked);
      if (!kind.returnsPairs()) {
        opened.expectAll();
      }
      found = opened;
    }

    @Override
    public @Nullable Batch next() {
      Batch pair = nextPairs();
      if (pair != null) {
        return pair;
      }
      if (!leftDone) {
        leftDone = true;
        Batch rows = rest(true, kind == Kind.SEMI);
        if (rows != null) {
          return rows;
        }
      }
      if (!rightDone) {
        rightDone = true;
        return rest(false, false);
      }
      return null;
    }

    /** Marks the rows of the next pairs, and returns them where they are wanted. */
    private @Nullable Batch nextPairs() {
      Batches stream = found;
      while (stream != null) {
        Batch batch = stream.next();
        if (batch == null) {
          stream.close();
          found = null;
          return null;
        }
        try (batch) {
          mark(batch, 0, leftMarks);
          if (kind.returnsPairs()) {
            mark(batch, 1, rightMarks);
            return rows(batch.rows(), batch.values(0), batch.values(1));
          }
        }
      }
      return null;
    }

    private static void mark(Batch batch, int field, HostBuffer marks) {
      HostBuffer numbers = batch.hostValues(field);
      for (int i = 0; i < batch.rows(); i++) {
        StopSignal.poll(i);
        Bitmaps.set(marks, numbers.intAt(i), true);
      }
    }

    private DenseBatch side(boolean isLeft) {
      return isLeft ? leftRows : Objects.requireNonNull(rightRows);
    }

    /** The rows with or without a mark, NULLs beside them. */
    private @Nullable Batch rest(boolean areLeft, boolean marked) {
      HostBuffer marks = areLeft ? leftMarks : rightMarks;
      int all = side(areLeft).rows();
      int count = Bitmaps.count(marks, 0, all);
      int wanted = marked ? count : all - count;
      if (wanted == 0) {
        return null;
      }
      try (BatchMemory scratch = new BatchMemory()) {
        HostBuffer numbers = scratch.pin((long) wanted * Integer.BYTES);
        int next = 0;
        for (int row = 0; row < all; row++) {
          StopSignal.poll(row);
          if (Bitmaps.test(marks, row) == marked) {
            numbers.setInt(next++, row);
          }
        }
        return areLeft ? rows(wanted, numbers, null) : rows(wanted, null, numbers);
      }
    }

    /** The rows with those numbers beside each other; NULLs of a side without numbers. */
    private Batch rows(int count, @Nullable DeviceBuffer ofLeft, @Nullable DeviceBuffer ofRight) {
      BatchMemory results = new BatchMemory();
      try {
        DenseBatch result = new DenseBatch(count, columns().size(), results);
        for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
          boolean isLeft = i < leftWidth;
          column(result, i, side(isLeft), isLeft ? i : i - leftWidth, isLeft ? ofLeft : ofRight);
        }
        return result;
      } catch (RuntimeException | Error e) {
        results.close();
        throw e;
      }
    }

    private void column(
        DenseBatch result, int field, DenseBatch from, int source, @Nullable DeviceBuffer numbers) {
      SqlTypeSpec type = columns().get(field).type();
      BatchMemory results = result.memory();
      if (numbers == null) {
        HostBuffer none = results.pin((long) result.rows() * type.element().bytes());
        none.fill((byte) 0);
        result.set(field, none, results.bitmap(result.rows()));
      } else {
        DenseColumn values =
            new DenseColumn(Launching.element(type), from.values(source), from.validity(source));
        DenseColumn column = gather.column(values, numbers, result.rows(), false, results);
        result.set(field, column.values(), column.validity());
      }
      if (type.kind().isString()) {
        result.strings(field, from.strings(source));
      }
    }

    @Override
    public void close() {
      try (leftRows;
          rightRows;
          memory) {
        if (found != null) {
          found.close();
        }
      }
    }
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

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  @Override
  public double estimatedRows(Execution x) {
    double ofLeft = left.estimatedRows(x);
    double ofRight = right == null ? 0 : right.estimatedRows(x);
    return switch (kind) {
      case LEFT -> Math.max(ofLeft, pairs.estimatedRows(x));
      case RIGHT -> Math.max(ofRight, pairs.estimatedRows(x));
      case FULL -> Math.max(ofLeft + ofRight, pairs.estimatedRows(x));
      case SEMI, ANTI -> Math.max(1, ofLeft / 2);
    };
  }

  @Override
  public void explain(Outline outline) {
    String name = kind.name().toLowerCase(Locale.ROOT);
    outline.operator(name + " join by marks of", "kernel gather and host", this);
    outline.below(pairs);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    pairs.kernels(kernels);
  }
}
