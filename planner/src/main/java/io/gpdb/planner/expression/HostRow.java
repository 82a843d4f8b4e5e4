package io.gpdb.planner.expression;

import io.gpdb.planner.ParameterValues;
import org.jspecify.annotations.Nullable;

/** What a host expression reads: the columns of one row and the statement's parameters. */
public interface HostRow {
  @Nullable Object column(int index);

  ParameterValues parameters();
}
