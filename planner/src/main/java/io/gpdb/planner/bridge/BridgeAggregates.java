package io.gpdb.planner.bridge;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/** Which aggregate functions are replaced by classes of ours: sums, averages, deviations. */
final class BridgeAggregates {
  private static final SqlAggFunction LONG_SUM =
      BridgeOperators.aggregate(LongSum.class, SqlKind.SUM);
  private static final SqlAggFunction LONG_SUM_OR_ZERO =
      BridgeOperators.aggregate(LongSumOrZero.class, SqlKind.SUM0);
  private static final SqlAggFunction DECIMAL_SUM =
      BridgeOperators.aggregate(DecimalSum.class, SqlKind.SUM);
  private static final SqlAggFunction LONG_AVERAGE =
      BridgeOperators.aggregate(LongSum.LongAverage.class, SqlKind.AVG);
  private static final SqlAggFunction INTEGER_AVERAGE =
      BridgeOperators.aggregate(LongSum.IntegerAverage.class, SqlKind.AVG);
  private static final SqlAggFunction SMALLINT_AVERAGE =
      BridgeOperators.aggregate(LongSum.SmallintAverage.class, SqlKind.AVG);
  private static final SqlAggFunction DECIMAL_AVERAGE =
      BridgeOperators.aggregate(DecimalSum.Average.class, SqlKind.AVG);
  private static final SqlAggFunction DOUBLE_AVERAGE =
      BridgeOperators.aggregate(Deviation.Average.class, SqlKind.AVG);
  private static final SqlAggFunction VAR_POP =
      BridgeOperators.aggregate(Deviation.VarPop.class, SqlKind.VAR_POP);
  private static final SqlAggFunction VAR_SAMP =
      BridgeOperators.aggregate(Deviation.VarSamp.class, SqlKind.VAR_SAMP);
  private static final SqlAggFunction STDDEV_POP =
      BridgeOperators.aggregate(Deviation.StddevPop.class, SqlKind.STDDEV_POP);
  private static final SqlAggFunction STDDEV_SAMP =
      BridgeOperators.aggregate(Deviation.StddevSamp.class, SqlKind.STDDEV_SAMP);

  private BridgeAggregates() {}

  /** The function to call instead, and with what. */
  record Replacement(SqlAggFunction function, List<RexNode> arguments) {}

  static @Nullable Replacement of(
      RexBuilder builder, SqlAggFunction function, RelDataType type, List<RexNode> arguments) {
    if (arguments.isEmpty()) {
      return null;
    }
    ExpressionRewrite rewrite = new ExpressionRewrite(builder);
    RexNode argument = arguments.getFirst();
    return switch (function.getKind()) {
      case SUM, SUM0 -> sum(rewrite, function.getKind(), type, argument);
      case AVG -> average(rewrite, type, argument);
      case VAR_POP -> new Replacement(VAR_POP, List.of(rewrite.asDouble(argument)));
      case VAR_SAMP -> new Replacement(VAR_SAMP, List.of(rewrite.asDouble(argument)));
      case STDDEV_POP -> new Replacement(STDDEV_POP, List.of(rewrite.asDouble(argument)));
      case STDDEV_SAMP -> new Replacement(STDDEV_SAMP, List.of(rewrite.asDouble(argument)));
      default -> null;
    };
  }

  private static @Nullable Replacement sum(
      ExpressionRewrite rewrite, SqlKind kind, RelDataType type, RexNode argument) {
    return switch (type.getSqlTypeName()) {
      case BIGINT ->
          new Replacement(
              kind == SqlKind.SUM ? LONG_SUM : LONG_SUM_OR_ZERO,
              List.of(rewrite.asLong(argument)));
      case DECIMAL ->
          kind == SqlKind.SUM
              ? new Replacement(DECIMAL_SUM, List.of(rewrite.asDecimal(argument)))
              : null;
      default -> null;
    };
  }

  private static @Nullable Replacement average(
      ExpressionRewrite rewrite, RelDataType type, RexNode argument) {
    return switch (type.getSqlTypeName()) {
      case BIGINT -> new Replacement(LONG_AVERAGE, List.of(rewrite.asLong(argument)));
      case INTEGER -> new Replacement(INTEGER_AVERAGE, List.of(rewrite.asLong(argument)));
      case TINYINT, SMALLINT ->
          new Replacement(SMALLINT_AVERAGE, List.of(rewrite.asLong(argument)));
      case DECIMAL ->
          new Replacement(
              DECIMAL_AVERAGE,
              List.of(rewrite.asDecimal(argument), rewrite.integer(type.getScale())));
      case REAL, FLOAT, DOUBLE ->
          new Replacement(DOUBLE_AVERAGE, List.of(rewrite.asDouble(argument)));
      default -> null;
    };
  }

}
