package io.gpdb.planner.run;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.move.GridSeries;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.NoRow;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * GENERATE_SERIES: numbers from a first to a last one at a distance, made by kernels where they are
 * read. No number comes where an operand is NULL, or where the step leads away from the last one.
 */
public final class SeriesSource extends Source {
  /** The first batch is this, for whoever wants a few rows only; the next ones are longer. */
  private static final int FIRST_ROWS = 1 << 16;

  private static final int ROWS_MAX = 1 << 20;

  /** Of the memory that is left, a batch takes this part at most. */
  private static final int MEMORY_SHARE = 16;

  private final GridSeries series;
  private final long hostRows;
  private final Element element;
  private final List<HostExpression> operands = new ArrayList<>();

  /**
   * @param operands first, last, and a step or none
   */
  public SeriesSource(
      Device device, RexBuilder rexBuilder, SourceColumn column, List<RexNode> operands)
      throws NotCovered {
    super(List.of(column));
    series = new GridSeries(device);
    hostRows = device.hostRows();
    element = column.type().element() == ElementType.I64 ? Element.I64 : Element.I32;
    HostCompiler compiler = new HostCompiler(rexBuilder);
    for (RexNode operand : operands) {
      this.operands.add(compiler.compile(operand));
    }
  }

  /**
   * What is to come.
   *
   * @param count of numbers, at most 2^63 - 1
   */
  private record Range(long first, long step, long count) {
    static final Range NONE = new Range(0, 1, 0);

    static Range of(long first, long last, long step) {
      if (step == 0) {
        throw new GpdbException(
            ErrorCode.INVALID_ARGUMENT, "the step of a series is 0, so it would never end");
      }
      if (step > 0 ? last < first : last > first) {
        return NONE;
      }
      // Up to 2^64 - 1, and so are these 64 bits
      long distance = step > 0 ? last - first : first - last;
      long width = step > 0 ? step : -step;
      long steps = Long.divideUnsigned(distance, width);
      return new Range(
          first, step, steps < 0 || steps == Long.MAX_VALUE ? Long.MAX_VALUE : steps + 1);
    }
  }

  private Range range(Execution x) {
    long[] values = {0, 0, 1};
    NoRow row = new NoRow(x);
    for (int i = 0; i < operands.size(); i++) {
      if (!(operands.get(i).evaluate(row) instanceof Number value)) {
        return Range.NONE;
      }
      values[i] = value.longValue();
    }
    return Range.of(values[0], values[1], values[2]);
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    Range range = range(x);
    if (range.count > hostRows) {
      MemoryAccount.current().readsFewRows(false);
    }
    return new Numbers(range, needed.get(0));
  }

  private final class Numbers implements Batches {
    private final Range range;
    private final boolean needed;
    private long done;
    private int wanted = FIRST_ROWS;

    Numbers(Range range, boolean needed) {
      this.range = range;
      this.needed = needed;
    }

    @Override
    public @Nullable Batch next() {
      StopSignal.poll();
      long most = Math.max(1, MemoryAccount.current().availableBytes() / MEMORY_SHARE / Long.BYTES);
      int rows = (int) Math.min(Math.min(wanted, most), range.count - done);
      if (rows == 0) {
        return null;
      }
      BatchMemory memory = new BatchMemory();
      try {
        DenseBatch batch = new DenseBatch(rows, 1, memory);
        if (needed) {
          DeviceBuffer values = memory.allocate((long) rows * element.bytes());
          series.numbers(element, range.first + done * range.step, range.step, rows, values);
          batch.set(0, values, null);
        }
        done += rows;
        wanted = Math.min(ROWS_MAX, 2 * wanted);
        return batch;
      } catch (RuntimeException | Error e) {
        memory.close();
        throw e;
      }
    }

    @Override
    public void close() {
      done = range.count;
    }
  }

  @Override
  public double estimatedRows(Execution x) {
    return range(x).count;
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("series", "kernel " + GridSeries.kernel(element).name(), this);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    kernels.add(GridSeries.kernel(element));
  }
}
