package io.gpdb.planner.expression;

import io.gpdb.planner.statement.ParameterValues;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** What expressions need to know of one execution before their kernels are launched. */
public interface RunInputs {
  ParameterValues parameters();

  /** The strings of an input column by their codes; null unless it is a string column. */
  @Nullable StringDomain domain(int column);

  /** Does pieces of work, numbered from 0, by as many threads as there are for it. */
  void share(int pieces, IntConsumer piece);
}
