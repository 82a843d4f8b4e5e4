package io.gpdb.sql.syntax;

import io.gpdb.sql.dialect.SeriesFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.jspecify.annotations.Nullable;

/**
 * {@code GENERATE_SERIES(…) AS i}: the name is one of the table and, where columns are not named,
 * of its column, as in PostgreSQL.
 */
public final class SeriesNames {
  private SeriesNames() {}

  /** The call with a name for the column, or the node itself. */
  public static @Nullable SqlNode of(@Nullable SqlNode node) {
    return node instanceof SqlCall named
            && named.getKind() == SqlKind.AS
            && named.operandCount() == 2
            && named.operand(0) instanceof SqlCall source
            && source.getKind() == SqlKind.COLLECTION_TABLE
            && source.operand(0) instanceof SqlCall function
            && isSeries(function)
        ? named
            .getOperator()
            .createCall(
                named.getParserPosition(), named.operand(0), named.operand(1), named.operand(1))
        : node;
  }

  static boolean isSeries(SqlCall function) {
    return function.getOperator().getName().equalsIgnoreCase(SeriesFunction.NAME);
  }
}
