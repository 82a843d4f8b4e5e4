package io.gpdb.sql.plain;

import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlIdentifier;
import org.jspecify.annotations.Nullable;

/** The rows around one subquery, and the variable by which it reads them. */
final class PlainOuter {
  private final PlainContext context;
  private final PlainScope scope;
  private @Nullable CorrelationId variable;

  PlainOuter(PlainContext context, PlainScope scope) {
    this.context = context;
    this.scope = scope;
  }

  /** The variable, null where the subquery reads no outer row. */
  @Nullable CorrelationId variable() {
    return variable;
  }

  RexNode column(SqlIdentifier name) {
    int field = scope.field(name);
    if (field < 0) {
      throw NotPlain.here();
    }
    CorrelationId id = variable;
    if (id == null) {
      id = context.cluster().createCorrel();
      variable = id;
    }
    RexNode row = context.rex().makeCorrel(scope.rows().getRowType(), id);
    return context.rex().makeFieldAccess(row, field);
  }
}
