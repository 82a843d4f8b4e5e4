package io.gpdb.planner.keyed;

import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.SequenceNumbers;

/** The current row of a loop over a batch. */
final class BatchRow implements ParameterValues {
  private final ParameterColumns batch;
  private int row;

  BatchRow(ParameterColumns batch) {
    this.batch = batch;
  }

  void moveTo(int newRow) {
    row = newRow;
  }

  @Override
  public int count() {
    return batch.count();
  }

  @Override
  public boolean isNull(int parameter) {
    return batch.column(parameter).isNull(row);
  }

  @Override
  public long raw(int parameter) {
    return batch.column(parameter).raw(row);
  }

  @Override
  public byte[] bytes(int parameter) {
    return batch.column(parameter).bytes(row);
  }

  @Override
  public long nowMicros() {
    return batch.nowMicros();
  }

  @Override
  public SequenceNumbers numbers() {
    return batch.numbers();
  }
}
