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
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Each row as many times as its last field, a BIGINT of at least 1, says. */
public final class RepeatedRowsSource extends Source {
  /** Rows of one batch. */
  private static final int ROWS_MAX = 1 << 18;

  private final Source input;
  private final int copies;
  private final GridGather gather;

  /** The rows of an input all of whose rows exist; the number of copies does not come out. */
  public RepeatedRowsSource(Device device, Source input) {
    super(input.columns().subList(0, input.columns().size() - 1));
    this.input = input;
    this.copies = input.columns().size() - 1;
    this.gather = new GridGather(device);
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    BitSet read = (BitSet) needed.clone();
    read.set(copies);
    return new Repeated(input.open(x, read), needed);
  }

  /** One execution: a batch of the input, a row of it, and how often that row came out. */
  private final class Repeated implements Batches {
    private final Batches rows;
    private final BitSet needed;
    private @Nullable Batch batch;
    private int row;
    private long done;

    Repeated(Batches rows, BitSet needed) {
      this.rows = rows;
      this.needed = needed;
    }

    @Override
    public @Nullable Batch next() {
      StopSignal.poll();
      Batch current = batch;
      while (current == null || row == current.rows()) {
        if (current != null) {
          current.close();
        }
        current = rows.next();
        batch = current;
        row = 0;
        if (current == null) {
          return null;
        }
      }
      return repeated(current);
    }

    private Batch repeated(Batch current) {
      BatchMemory memory = new BatchMemory();
      try (BatchMemory scratch = new BatchMemory()) {
        HostBuffer numbers = scratch.pin((long) ROWS_MAX * Integer.BYTES);
        DenseBatch result = new DenseBatch(fill(current, numbers), columns().size(), memory);
        for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
          SqlTypeSpec type = columns().get(i).type();
          DenseColumn source =
              new DenseColumn(Launching.element(type), current.values(i), current.validity(i));
          DenseColumn column = gather.column(source, numbers, result.rows(), false, memory);
          result.set(i, column.values(), column.validity());
          if (type.kind().isString()) {
            result.strings(i, current.strings(i));
          }
        }
        return result;
      } catch (RuntimeException | Error e) {
        memory.close();
        throw e;
      }
    }

    /** Writes the numbers of the next rows and returns how many they are. */
    private int fill(Batch current, HostBuffer numbers) {
      HostBuffer times = current.hostValues(copies);
      int count = 0;
      while (count < ROWS_MAX && row < current.rows()) {
        long wanted = times.longAt(row);
        while (count < ROWS_MAX && done < wanted) {
          numbers.setInt(count++, row);
          done++;
        }
        if (done == wanted) {
          row++;
          done = 0;
        }
      }
      return count;
    }

    @Override
    public void close() {
      if (batch != null) {
        batch.close();
      }
      rows.close();
    }
  }

  @Override
  public boolean hasSettledStrings() {
    return input.hasSettledStrings();
  }

  @Override
  public double estimatedRows(Execution x) {
    return input.estimatedRows(x);
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("repeat each row", "kernel gather", this);
    outline.below(input);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    input.kernels(kernels);
  }
}
