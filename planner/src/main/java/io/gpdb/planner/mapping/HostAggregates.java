package io.gpdb.planner.mapping;

import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlAggFunction;

/** Which aggregates and functions of windows the host computes, and of what. */
final class HostAggregates {
  private HostAggregates() {}

  static Function function(SqlAggFunction operator) throws NotCovered {
    return switch (operator.getKind()) {
      case ROW_NUMBER -> Function.ROW_NUMBER;
      case RANK -> Function.RANK;
      case DENSE_RANK -> Function.DENSE_RANK;
      case NTILE -> Function.NTILE;
      case LAG -> Function.LAG;
      case LEAD -> Function.LEAD;
      case FIRST_VALUE -> Function.FIRST_VALUE;
      case LAST_VALUE -> Function.LAST_VALUE;
      case NTH_VALUE -> Function.NTH_VALUE;
      case COUNT -> Function.COUNT;
      case SUM -> Function.SUM;
      case SUM0 -> Function.SUM_OR_ZERO;
      case AVG -> Function.AVG;
      case MIN -> Function.MIN;
      case MAX, ANY_VALUE -> Function.MAX;
      case ARG_MIN -> Function.ARG_MIN;
      case ARG_MAX -> Function.ARG_MAX;
      case VAR_POP -> Function.VAR_POP;
      case VAR_SAMP -> Function.VAR_SAMP;
      case STDDEV_POP -> Function.STDDEV_POP;
      case STDDEV_SAMP -> Function.STDDEV_SAMP;
      case BIT_AND -> Function.BIT_AND;
      case BIT_OR -> Function.BIT_OR;
      case BIT_XOR -> Function.BIT_XOR;
      case MODE -> Function.MODE;
      case LISTAGG -> Function.LISTAGG;
      default -> named(operator.getName());
    };
  }

  private static Function named(String name) throws NotCovered {
    for (Function function : Function.ONLY_BY_NAME) {
      if (name.equals(function.name())) {
        return function;
      }
    }
    throw new NotCovered("aggregate " + name);
  }

  /** The fields that a call reads, in the types in which it does. */
  static List<Integer> read(
      RexBuilder rexBuilder,
      ComputedFields fields,
      Function function,
      List<RexNode> arguments,
      RelDataType type)
      throws NotCovered {
    List<Integer> read = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      RexNode argument = arguments.get(i);
      boolean isReturned = function.returnsArgument() && i == function.returned();
      read.add(fields.of(isReturned ? cast(rexBuilder, argument, type) : argument));
    }
    if (!read.isEmpty()) {
      SqlTypeSpec argument = fields.columns().get(read.getFirst()).type();
      requireComputed(function, argument, RexValues.spec(type));
    }
    return read;
  }

  private static RexNode cast(RexBuilder rexBuilder, RexNode argument, RelDataType type)
      throws NotCovered {
    SqlTypeSpec from = RexValues.spec(argument.getType());
    SqlTypeSpec to = RexValues.spec(type);
    boolean same = from.kind() == to.kind() && from.scale() == to.scale();
    RelDataType nullable = rexBuilder.getTypeFactory().createTypeWithNullability(type, true);
    return same ? argument : rexBuilder.makeAbstractCast(nullable, argument, false);
  }

  /** Raises where the function is not computed of a first argument of that type. */
  private static void requireComputed(Function function, SqlTypeSpec argument, SqlTypeSpec type)
      throws NotCovered {
    boolean computed =
        switch (function) {
          case SUM, SUM_OR_ZERO, AVG ->
              switch (argument.kind()) {
                case TINYINT, SMALLINT, INTEGER, BIGINT ->
                    function == Function.AVG || type.kind() == SqlTypeSpec.Kind.BIGINT;
                case DECIMAL, WIDE_DECIMAL ->
                    type.kind().isDecimal()
                        && (function == Function.AVG || type.scale() == argument.scale());
                case REAL, DOUBLE -> !type.kind().isDecimal();
                case INTERVAL_MONTHS, INTERVAL_MICROS -> type.kind().isInterval();
                default -> false;
              };
          case BIT_AND, BIT_OR, BIT_XOR -> !argument.kind().isString();
          case MEDIAN, PERCENTILE_CONT ->
              type.kind() == SqlTypeSpec.Kind.DOUBLE || type.kind().isInterval();
          case LISTAGG -> argument.kind().isCharacter();
          default -> true;
        };
    if (!computed) {
      throw new NotCovered(function + " of " + argument + " as " + type);
    }
  }
}
