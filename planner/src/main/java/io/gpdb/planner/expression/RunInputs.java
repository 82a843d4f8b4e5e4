package io.gpdb.planner.expression;

import io.gpdb.planner.statement.ParameterValues;
import org.jspecify.annotations.Nullable;

/** What expressions need to know of one execution before their kernels are launched. */
public interface RunInputs {
  ParameterValues parameters();

  /** What the codes of an input column stand for; null unless it is a string. */
  @Nullable StringDomain domain(int column);
}
