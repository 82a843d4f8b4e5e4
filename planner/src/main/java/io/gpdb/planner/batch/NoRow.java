package io.gpdb.planner.batch;

import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.statement.ParameterValues;
import org.jspecify.annotations.Nullable;

/** What an expression over parameters and literals alone is evaluated with: it reads no column. */
public record NoRow(Execution execution) implements HostRow {
  @Override
  public ParameterValues parameters() {
    return execution.parameters();
  }

  @Override
  public @Nullable Object column(int index) {
    throw new IllegalStateException("an expression without a row reads column " + index);
  }
}
