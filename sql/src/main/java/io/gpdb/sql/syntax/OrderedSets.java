package io.gpdb.sql.syntax;

import io.gpdb.sql.dialect.AggregateOperators;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.jspecify.annotations.Nullable;

/** Aggregates with WITHIN GROUP in the form in which the validator is to see them. */
public final class OrderedSets {
  private OrderedSets() {}

  /**
   * {@code MODE() WITHIN GROUP (ORDER BY x)} as {@code MODE(x) WITHIN GROUP (ORDER BY x)}, and
   * {@code PERCENTILE_DISC(share)} as ours with a second argument, {@code x}.
   */
  public static @Nullable SqlNode of(@Nullable SqlNode node) {
    if (!(node instanceof SqlCall within)
        || within.getKind() != SqlKind.WITHIN_GROUP
        || !(within.operand(0) instanceof SqlCall aggregate)) {
      return node;
    }
    SqlNodeList order = within.operand(1);
    SqlAggFunction percentile = percentile(aggregate.getKind());
    boolean isMode = aggregate.getOperator().getName().equalsIgnoreCase("MODE");
    int arguments = percentile == null ? 0 : 1;
    if ((percentile == null && !isMode)
        || order.size() != 1
        || aggregate.operandCount() != arguments) {
      return node;
    }
    List<SqlNode> operands = new ArrayList<>(aggregate.getOperandList());
    operands.add(OwnNodes.copy(key(order.get(0))));
    SqlNode known =
        (percentile == null ? aggregate.getOperator() : percentile)
            .createCall(
                aggregate.getFunctionQuantifier(),
                aggregate.getParserPosition(),
                operands.toArray(SqlNode[]::new));
    return SqlStdOperatorTable.WITHIN_GROUP.createCall(within.getParserPosition(), known, order);
  }

  private static @Nullable SqlAggFunction percentile(SqlKind kind) {
    return switch (kind) {
      case PERCENTILE_CONT -> AggregateOperators.PERCENTILE_CONT;
      case PERCENTILE_DISC -> AggregateOperators.PERCENTILE_DISC;
      default -> null;
    };
  }

  /** What is sorted by, without its direction. */
  private static SqlNode key(SqlNode written) {
    return switch (written.getKind()) {
      case DESCENDING, NULLS_FIRST, NULLS_LAST -> key(((SqlCall) written).operand(0));
      default -> written;
    };
  }
}
