package io.gpdb.sql.change;

import io.gpdb.sql.conversion.NodeCopy;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.parser.SqlParserPos;

/** CASE with one condition. */
public final class CaseOf {
  private CaseOf() {}

  /**
   * The value where the condition holds, and otherwise NULL or anything: it is not computed there,
   * unless it cannot fail.
   */
  static SqlNode when(SqlNode condition, SqlNode value) {
    return value instanceof SqlIdentifier
            || value instanceof SqlLiteral
            || value instanceof SqlDynamicParam
        ? value
        : new SqlCase(
            SqlParserPos.ZERO,
            null,
            SqlNodeList.of(NodeCopy.of(condition)),
            SqlNodeList.of(value),
            SqlLiteral.createNull(SqlParserPos.ZERO));
  }
}
