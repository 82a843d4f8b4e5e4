package io.gpdb.sql.dialect;

import java.util.List;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSetOperator;
import org.jspecify.annotations.Nullable;

/** UNION, INTERSECT or EXCEPT with CORRESPONDING: of columns by their names. */
public final class CorrespondingOperator extends SqlSetOperator {
  private final SqlSetOperator operator;
  private final @Nullable SqlNodeList columns;

  private CorrespondingOperator(SqlSetOperator operator, @Nullable SqlNodeList columns) {
    super(operator.getName(), operator.getKind(), operator.getLeftPrec(), operator.isAll());
    this.operator = operator;
    this.columns = columns;
  }

  /** With the columns behind BY, or null for those that both queries have. */
  public static SqlSetOperator of(SqlSetOperator operator, @Nullable SqlNodeList columns) {
    return new CorrespondingOperator(operator, columns);
  }

  /** The same without CORRESPONDING. */
  public SqlSetOperator operator() {
    return operator;
  }

  /** The names behind BY; null without it. */
  public @Nullable List<String> columns() {
    return columns == null ? null : columns.stream().map(Object::toString).toList();
  }
}
