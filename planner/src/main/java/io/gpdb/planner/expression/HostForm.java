package io.gpdb.planner.expression;

import org.apache.calcite.rex.RexCall;

/** A function on the host that is more than a method of its arguments' values. */
@FunctionalInterface
interface HostForm {
  HostExpression compile(HostOperands in, RexCall call) throws NotCovered;
}
