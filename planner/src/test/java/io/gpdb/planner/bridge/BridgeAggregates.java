package io.gpdb.planner.bridge;

import io.gpdb.planner.function.MethodCalls;
import io.gpdb.planner.function.RexTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Which aggregate functions are replaced by classes of ours: sums, averages, deviations. */
final class BridgeAggregates {
  private BridgeAggregates() {}

  /** The function to call instead, and with what. */
  record Replacement(SqlAggFunction function, List<RexNode> arguments) {}

  static @Nullable Replacement of(
      RexBuilder builder, SqlAggFunction function, RelDataType type, List<RexNode> arguments) {
    if (arguments.isEmpty()) {
      return null;
    }
    BridgeExpressions made = new BridgeExpressions(builder);
    MethodCalls methods = made.methods();
    RexNode argument = arguments.getFirst();
    SqlKind kind = function.getKind();
    return switch (kind) {
      case SUM, SUM0 -> sum(methods, kind, type, argument);
      case MIN, MAX -> {
        Class<?> bound = bound(kind == SqlKind.MIN, argument);
        yield bound == null ? null : replacement(bound, kind, type, argument);
      }
      case ARG_MIN, ARG_MAX ->
          RexTypes.isText(arguments.get(1))
              ? new Replacement(function, List.of(argument, made.asOrder(arguments.get(1))))
              : null;
      case AVG -> average(methods, type, argument);
      case VAR_POP -> replacement(Deviation.VarPop.class, kind, type, methods.asDouble(argument));
      case VAR_SAMP -> replacement(Deviation.VarSamp.class, kind, type, methods.asDouble(argument));
      case STDDEV_POP ->
          replacement(Deviation.StddevPop.class, kind, type, methods.asDouble(argument));
      case STDDEV_SAMP ->
          replacement(Deviation.StddevSamp.class, kind, type, methods.asDouble(argument));
      default -> null;
    };
  }

  /** Our own least or greatest, or null where Calcite's has the same order. */
  private static @Nullable Class<?> bound(boolean least, RexNode argument) {
    if (RexTypes.isText(argument)) {
      return least ? TextBound.Least.class : TextBound.Greatest.class;
    }
    if (!RexTypes.isFloat(argument.getType())) {
      return null;
    }
    if (argument.getType().getSqlTypeName() == SqlTypeName.REAL) {
      return least ? FloatBound.LeastReal.class : FloatBound.GreatestReal.class;
    }
    return least ? FloatBound.Least.class : FloatBound.Greatest.class;
  }

  private static @Nullable Replacement sum(
      MethodCalls methods, SqlKind kind, RelDataType type, RexNode argument) {
    return switch (type.getSqlTypeName()) {
      // Where the type has no NULL, as in a window below "CASE WHEN COUNT > 0", none may come.
      case BIGINT ->
          replacement(
              kind == SqlKind.SUM && type.isNullable() ? LongSum.class : LongSumOrZero.class,
              kind,
              type,
              methods.asLong(argument));
      case DECIMAL ->
          kind == SqlKind.SUM
              ? replacement(
                  DecimalSum.class,
                  kind,
                  type,
                  methods.asDecimal(argument),
                  methods.integer(digits(type)))
              : null;
      default ->
          kind == SqlKind.SUM ? new Replacement(SqlStdOperatorTable.SUM, List.of(argument)) : null;
    };
  }

  private static Replacement average(MethodCalls methods, RelDataType type, RexNode argument) {
    SqlKind kind = SqlKind.AVG;
    return switch (type.getSqlTypeName()) {
      case DECIMAL ->
          replacement(
              DecimalSum.Average.class,
              kind,
              type,
              methods.asDecimal(argument),
              methods.integer(digits(type)),
              methods.integer(type.getScale()));
      case REAL, FLOAT, DOUBLE ->
          RexTypes.isFloat(argument.getType())
              ? replacement(Deviation.Average.class, kind, type, methods.asDouble(argument))
              : replacement(LongSum.Average.class, kind, type, methods.asLong(argument));
      default -> new Replacement(SqlStdOperatorTable.AVG, List.of(argument));
    };
  }

  private static int digits(RelDataType decimal) {
    return decimal.getPrecision() > SqlTypeSpec.NARROW_DIGITS_MAX
        ? SqlTypeSpec.DECIMAL_DIGITS_MAX
        : SqlTypeSpec.NARROW_DIGITS_MAX;
  }

  private static Replacement replacement(
      Class<?> holder, SqlKind kind, RelDataType type, RexNode... arguments) {
    return new Replacement(BridgeOperators.aggregate(holder, kind, type), List.of(arguments));
  }
}
