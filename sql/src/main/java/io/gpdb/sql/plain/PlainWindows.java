package io.gpdb.sql.plain;

import io.gpdb.sql.dialect.GpOperatorTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindowBounds;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.tools.RelBuilder;

/** Ranks and aggregates of the rows of one SELECT, in partitions and orders of columns. */
final class PlainWindows {
  private static final Set<String> RANKS = Set.of("ROW_NUMBER", "RANK", "DENSE_RANK");
  private static final Set<String> AGGREGATES = Set.of("COUNT", "SUM", "MIN", "MAX", "AVG");

  /** The functions of those names, from the table of all functions. */
  private static final Map<String, SqlAggFunction> FUNCTIONS =
      GpOperatorTable.INSTANCE.getOperatorList().stream()
          .filter(
              operator ->
                  operator instanceof SqlAggFunction
                      && (RANKS.contains(operator.getName())
                          || AGGREGATES.contains(operator.getName())))
          .map(SqlAggFunction.class::cast)
          .collect(Collectors.toUnmodifiableMap(SqlAggFunction::getName, f -> f, (a, b) -> a));

  private final PlainContext context;
  private final PlainExpressions ofRows;

  PlainWindows(PlainContext context, PlainExpressions ofRows) {
    this.context = context;
    this.ofRows = ofRows;
  }

  /** The call of a function over a window, in a projection of the rows. */
  RexNode over(SqlCall over, RelNode rows) {
    if (!(over.operand(0) instanceof SqlCall call)
        || !(over.operand(1) instanceof SqlWindow window)
        || call.getFunctionQuantifier() != null) {
      throw NotPlain.here();
    }
    SqlAggFunction function = FUNCTIONS.get(call.getOperator().getName().toUpperCase(Locale.ROOT));
    if (function == null || !isPlain(window)) {
      throw NotPlain.here();
    }
    boolean isRank = RANKS.contains(function.getName());
    boolean isOrdered = !window.getOrderList().isEmpty();
    if (call.operandCount() != (isRank ? 0 : 1)) {
      throw NotPlain.here();
    }
    boolean isNumber = function.getKind() == SqlKind.ROW_NUMBER;
    if (isRank && !isNumber && !isOrdered) {
      throw NotPlain.here(); // Calcite refuses it
    }
    List<RexNode> arguments = isRank ? List.of() : arguments(function, call.operand(0));
    RelBuilder builder = context.rows().push(rows);
    RexNode value =
        builder
            .aggregateCall(call.getParserPosition(), function, arguments)
            .over()
            .partitionBy(columns(window.getPartitionList()))
            .orderBy(order(window.getOrderList(), builder))
            .let(
                bounds ->
                    isNumber
                        ? bounds.rowsTo(RexWindowBounds.CURRENT_ROW)
                        : isRank || isOrdered
                            ? bounds.rangeTo(RexWindowBounds.CURRENT_ROW)
                            : bounds.rangeUnbounded())
            .exclude(RexWindowExclusion.EXCLUDE_NO_OTHER)
            .toRex();
    builder.build();
    return value;
  }

  private List<RexNode> arguments(SqlAggFunction function, SqlNode operand) {
    if (operand instanceof SqlIdentifier name && name.isStar()) {
      if (function.getKind() != SqlKind.COUNT || name.names.size() > 1) {
        throw NotPlain.here();
      }
      return List.of();
    }
    RexNode argument = ofRows.of(operand);
    PlainGrouping.requireArgument(function, argument.getType());
    return List.of(argument);
  }

  /** Whether it has a name or a frame of its own. */
  private static boolean isPlain(SqlWindow window) {
    return window.getDeclName() == null
        && window.getRefName() == null
        && window.getLowerBound() == null
        && window.getUpperBound() == null
        && !window.isRows()
        && window.isAllowPartial();
  }

  private List<RexNode> columns(SqlNodeList keys) {
    List<RexNode> all = new ArrayList<>();
    for (SqlNode key : keys) {
      all.add(column(key));
    }
    return all;
  }

  private List<RexNode> order(SqlNodeList keys, RelBuilder builder) {
    List<RexNode> all = new ArrayList<>();
    for (SqlNode key : keys) {
      boolean descends = key.getKind() == SqlKind.DESCENDING;
      RexNode column = column(descends ? ((SqlCall) key).operand(0) : key);
      all.add(descends ? builder.desc(column) : column);
    }
    return all;
  }

  private RexNode column(SqlNode key) {
    if (!(key instanceof SqlIdentifier)) {
      throw NotPlain.here();
    }
    return ofRows.of(key);
  }
}
