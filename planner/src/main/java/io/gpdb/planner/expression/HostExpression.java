package io.gpdb.planner.expression;

import org.jspecify.annotations.Nullable;

/** An expression evaluated on the host, row by row; see {@link HostValue} for its values. */
@FunctionalInterface
public interface HostExpression {
  @Nullable Object evaluate(HostRow row);
}
