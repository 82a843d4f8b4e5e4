package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowsOnce;
import io.gpdb.planner.batch.Source;
import java.util.BitSet;
import java.util.List;

/** The rows of a source that several operators of a plan read; {@link SharingSource} keeps them. */
public final class SharedSource extends Source {
  private final Source input;
  private final BitSet read;
  private final int number;

  /**
   * @param read the fields that the operators read, all together
   * @param number within the plan, for EXPLAIN
   */
  public SharedSource(Source input, BitSet read, int number) {
    super(input.columns());
    this.input = input;
    this.read = (BitSet) read.clone();
    this.number = number;
  }

  Source input() {
    return input;
  }

  BitSet read() {
    return (BitSet) read.clone();
  }

  String text() {
    return "shared rows " + number;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    RowsOnce rows = x.once().get(this);
    return rows == null ? input.open(x, needed) : rows.open(needed);
  }

  @Override
  public double estimatedRows(Execution x) {
    RowsOnce rows = x.once().get(this);
    return rows == null || rows.rows() < 0 ? input.estimatedRows(x) : rows.rows();
  }

  @Override
  public void explain(Outline outline) {
    outline.operator(text(), "in memory", this);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    input.kernels(kernels);
  }
}
