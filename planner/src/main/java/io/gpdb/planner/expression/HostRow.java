package io.gpdb.planner.expression;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.tree.SubQueryFunction;
import org.jspecify.annotations.Nullable;

/** What a host expression reads: the columns of one row and the statement's parameters. */
public interface HostRow {
  @Nullable Object column(int index);

  ParameterValues parameters();

  /** The value of a subquery; only for rows of operators that have plans of subqueries. */
  default @Nullable Object subQuery(SubQueryFunction function, @Nullable Object[] arguments) {
    throw new IllegalStateException("no plan for " + function.getName());
  }
}
