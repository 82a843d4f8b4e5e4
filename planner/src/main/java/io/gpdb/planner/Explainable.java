package io.gpdb.planner;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.statement.Result;
import java.util.List;

/** A prepared statement that can show its plan. */
interface Explainable extends Prepared {
  /** As {@link #execute}, in an execution that has begun. */
  Result run(Execution x);

  /** The operators, a line each. */
  List<String> explain(Execution x);

  /** The kernels that it launches. */
  List<Kernel> kernels();
}
