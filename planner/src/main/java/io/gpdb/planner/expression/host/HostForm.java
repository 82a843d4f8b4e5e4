package io.gpdb.planner.expression.host;

import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.NotCovered;
import org.apache.calcite.rex.RexCall;

/** A function on the host that is more than a method of its arguments' values. */
@FunctionalInterface
public interface HostForm {
  HostExpression compile(HostOperands in, RexCall call) throws NotCovered;
}
