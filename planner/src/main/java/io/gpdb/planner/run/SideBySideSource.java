package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Concatenation;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Inputs of one row each, put into one row: aggregates that need scans of their own. */
public final class SideBySideSource extends Source {
  private final List<Source> inputs;
  private final int[] inputOf;
  private final int[] fieldOf;

  /** Field i is field {@code fieldOf[i]} of input {@code inputOf[i]}. */
  public SideBySideSource(
      List<SourceColumn> columns, List<Source> inputs, int[] inputOf, int[] fieldOf) {
    super(columns);
    this.inputs = List.copyOf(inputs);
    this.inputOf = inputOf.clone();
    this.fieldOf = fieldOf.clone();
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    BatchMemory memory = new BatchMemory();
    DenseBatch row = new DenseBatch(1, columns().size(), memory);
    List<DenseBatch> rows = new ArrayList<>();
    try {
      for (Source input : inputs) {
        BitSet all = new BitSet();
        all.set(0, input.columns().size());
        DenseBatch one = Materialized.of(input, x, all);
        rows.add(one);
        if (one.rows() != 1) {
          throw new IllegalStateException(one.rows() + " rows where one must be");
        }
      }
      for (int i = 0; i < columns().size(); i++) {
        DenseBatch from = rows.get(inputOf[i]);
        Concatenation column = new Concatenation(columns().get(i).type(), 1, memory);
        column.add(from, fieldOf[i], 0, 1);
        row.set(i, column.values(), column.validity());
        if (columns().get(i).type().kind().isString()) {
          row.strings(i, from.strings(fieldOf[i]));
        }
      }
      return Batches.of(row);
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    } finally {
      rows.forEach(DenseBatch::close);
    }
  }

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  @Override
  public double estimatedRows(Execution x) {
    return 1;
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("side by side", "host", this);
    inputs.forEach(outline::below);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    inputs.forEach(input -> input.kernels(kernels));
  }
}
