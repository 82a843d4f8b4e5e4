package io.gpdb.sql.syntax;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates over windows with FILTER, written without it: {@code SUM(x) FILTER (WHERE c) OVER w}
 * is {@code SUM(CASE WHEN c THEN x END) OVER w}, because aggregates leave out NULL.
 */
public final class FilteredWindows {
  /** Functions that are no aggregates, so that FILTER says nothing of them. */
  private static final Set<String> NUMBERINGS =
      Set.of(
          "ROW_NUMBER",
          "RANK",
          "DENSE_RANK",
          "PERCENT_RANK",
          "CUME_DIST",
          "NTILE",
          "LAG",
          "LEAD",
          "FIRST_VALUE",
          "LAST_VALUE",
          "NTH_VALUE");

  private static final Set<String> BY_SECOND = Set.of("ARG_MIN", "ARG_MAX", "MIN_BY", "MAX_BY");

  private FilteredWindows() {}

  /** The call written without FILTER, or the node itself. */
  public static @Nullable SqlNode of(@Nullable SqlNode node) {
    if (!(node instanceof SqlCall over)
        || over.getKind() != SqlKind.OVER
        || !(over.operand(0) instanceof SqlCall filtered)) {
      return node;
    }
    if (filtered.getKind() == SqlKind.WITHIN_GROUP) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, "WITHIN GROUP of a window" + TableNames.at(filtered));
    }
    if (filtered.getKind() != SqlKind.FILTER
        || !(filtered.operand(0) instanceof SqlCall aggregate)) {
      return node;
    }
    String name = aggregate.getOperator().getName().toUpperCase(Locale.ROOT);
    if (NUMBERINGS.contains(name) || aggregate.operandCount() == 0) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "FILTER of " + name + ", which is no aggregate" + TableNames.at(aggregate));
    }
    List<SqlNode> operands = new ArrayList<>(aggregate.getOperandList());
    int guarded = BY_SECOND.contains(name) ? operands.size() - 1 : 0;
    operands.set(guarded, guarded(filtered.operand(1), operands.get(guarded)));
    SqlNode plain =
        aggregate
            .getOperator()
            .createCall(
                aggregate.getFunctionQuantifier(),
                aggregate.getParserPosition(),
                operands.toArray(SqlNode[]::new));
    return SqlStdOperatorTable.OVER.createCall(over.getParserPosition(), plain, over.operand(1));
  }

  private static SqlNode guarded(SqlNode condition, SqlNode value) {
    SqlParserPos at = value.getParserPosition();
    boolean isStar = value instanceof SqlIdentifier id && id.isStar();
    return new SqlCase(
        at,
        null,
        SqlNodeList.of(condition),
        SqlNodeList.of(isStar ? SqlLiteral.createExactNumeric("1", at) : value),
        SqlLiteral.createNull(at));
  }
}
