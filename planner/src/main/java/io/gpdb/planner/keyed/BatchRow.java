package io.gpdb.planner.keyed;

import io.gpdb.planner.statement.ParameterColumn;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.SequenceNumbers;
import org.jspecify.annotations.Nullable;

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

  /** The parameter of n rows from the first on, wherever this one is; null where some are NULL. */
  long @Nullable [] raws(int parameter, int first, int n) {
    ParameterColumn column = batch.column(parameter);
    return column.hasNulls() ? null : column.raws(first, n);
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
