package io.gpdb.planner.expression;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Arithmetic on the host: exact types checked, decimals rounded half up, floats as Java's. */
final class HostArithmetic {
  private static final int DIVISION_DIGITS = 40;

  /** Two values of the result's type to one; raises where the result leaves the type. */
  private interface Binary {
    Object apply(Object a, Object b, SqlTypeSpec type);
  }

  private HostArithmetic() {}

  static @Nullable HostExpression compile(RexCall call, List<HostExpression> operands)
      throws NotCovered {
    SqlTypeName name = call.getType().getSqlTypeName();
    if (SqlTypeName.INTERVAL_TYPES.contains(name)
        || call.getOperands().stream()
            .anyMatch(o -> SqlTypeName.INTERVAL_TYPES.contains(o.getType().getSqlTypeName()))) {
      return null;
    }
    String function = call.getOperator().getName().toUpperCase(java.util.Locale.ROOT);
    return switch (call.getKind()) {
      case PLUS, CHECKED_PLUS -> binary(call, operands, HostArithmetic::add);
      case MINUS, CHECKED_MINUS -> binary(call, operands, HostArithmetic::subtract);
      case TIMES, CHECKED_TIMES -> binary(call, operands, HostArithmetic::multiply);
      case DIVIDE, CHECKED_DIVIDE -> binary(call, operands, HostArithmetic::divide);
      case MOD -> binary(call, operands, HostArithmetic::remainder);
      case MINUS_PREFIX, CHECKED_MINUS_PREFIX ->
          unary(call, operands, (a, type) -> subtract(zero(type), a, type));
      case PLUS_PREFIX -> operands.getFirst();
      default ->
          switch (function) {
            case "ABS" -> unary(call, operands, HostArithmetic::abs);
            case "MOD" -> binary(call, operands, HostArithmetic::remainder);
            case "SQRT" ->
                unary(call, operands, (a, type) -> Math.sqrt(((Number) a).doubleValue()));
            case "FLOOR" -> rounded(call, operands, RoundingMode.FLOOR);
            case "CEIL", "CEILING" -> rounded(call, operands, RoundingMode.CEILING);
            default -> null;
          };
    };
  }

  /** One value of the result's type to another. */
  private interface Unary {
    Object apply(Object a, SqlTypeSpec type);
  }

  private static HostExpression unary(RexCall call, List<HostExpression> operands, Unary function)
      throws NotCovered {
    SqlTypeSpec type = HostCompiler.spec(call.getType());
    HostExpression operand = operands.getFirst();
    return row -> {
      Object value = operand.evaluate(row);
      return value == null ? null : function.apply(as(value, type), type);
    };
  }

  private static @Nullable HostExpression rounded(
      RexCall call, List<HostExpression> operands, RoundingMode mode) throws NotCovered {
    if (operands.size() != 1 || !HostCompiler.spec(call.getType()).kind().isNumeric()) {
      return null;
    }
    return unary(
        call,
        operands,
        (a, type) ->
            switch (a) {
              case Double d -> mode == RoundingMode.FLOOR ? Math.floor(d) : Math.ceil(d);
              case Float f -> (float) (mode == RoundingMode.FLOOR ? Math.floor(f) : Math.ceil(f));
              case BigDecimal d -> d.setScale(0, mode);
              default -> a;
            });
  }

  private static HostExpression binary(RexCall call, List<HostExpression> operands, Binary function)
      throws NotCovered {
    SqlTypeSpec type = HostCompiler.spec(call.getType());
    HostExpression left = operands.get(0);
    HostExpression right = operands.get(1);
    boolean exact = type.kind() == Kind.DECIMAL;
    return row -> {
      Object a = left.evaluate(row);
      Object b = right.evaluate(row);
      if (a == null || b == null) {
        return null;
      }
      return exact
          ? function.apply(decimal(a), decimal(b), type)
          : function.apply(as(a, type), as(b, type), type);
    };
  }

  static BigDecimal decimal(Object value) {
    return switch (value) {
      case BigDecimal number -> number;
      case Long number -> BigDecimal.valueOf(number);
      case Double number -> new BigDecimal(number);
      case Float number -> new BigDecimal(number);
      default -> throw new IllegalArgumentException(value + " is no number");
    };
  }

  private static Object as(Object value, SqlTypeSpec type) {
    return switch (type.kind()) {
      case REAL -> ((Number) value).floatValue();
      case DOUBLE -> ((Number) value).doubleValue();
      case DECIMAL -> decimal(value);
      default -> value instanceof Long ? value : HostCasts.exactLong(decimal(value), type);
    };
  }

  private static Object zero(SqlTypeSpec type) {
    return as(0L, type);
  }

  private static Object checked(BigDecimal exact, SqlTypeSpec type) {
    return type.kind() == Kind.DECIMAL ? fitted(exact, type) : HostCasts.exactLong(exact, type);
  }

  /** A DECIMAL result may use all 18 digits whatever precision Calcite derives. */
  private static BigDecimal fitted(BigDecimal value, SqlTypeSpec type) {
    BigDecimal scaled = HostCompiler.rounded(value, type.scale());
    if (scaled.precision() > SqlTypeSpec.DECIMAL_DIGITS_MAX) {
      throw HostCompiler.outOfRange(value.toPlainString(), type);
    }
    return scaled;
  }

  private static Object add(Object a, Object b, SqlTypeSpec type) {
    return switch (a) {
      case Double x -> x + (Double) b;
      case Float x -> x + (Float) b;
      default -> checked(decimal(a).add(decimal(b)), type);
    };
  }

  private static Object subtract(Object a, Object b, SqlTypeSpec type) {
    return switch (a) {
      case Double x -> x - (Double) b;
      case Float x -> x - (Float) b;
      default -> checked(decimal(a).subtract(decimal(b)), type);
    };
  }

  private static Object multiply(Object a, Object b, SqlTypeSpec type) {
    return switch (a) {
      case Double x -> x * (Double) b;
      case Float x -> x * (Float) b;
      default -> checked(decimal(a).multiply(decimal(b)), type);
    };
  }

  private static Object divide(Object a, Object b, SqlTypeSpec type) {
    return switch (a) {
      case Double x -> {
        requireNonZero((Double) b != 0);
        yield x / (Double) b;
      }
      case Float x -> {
        requireNonZero((Float) b != 0);
        yield x / (Float) b;
      }
      case BigDecimal x -> {
        BigDecimal divisor = (BigDecimal) b;
        requireNonZero(divisor.signum() != 0);
        yield checked(x.divide(divisor, DIVISION_DIGITS, RoundingMode.HALF_UP), type);
      }
      default -> {
        long divisor = (Long) b;
        requireNonZero(divisor != 0);
        yield checked(decimal(a).divide(BigDecimal.valueOf(divisor), 0, RoundingMode.DOWN), type);
      }
    };
  }

  private static Object remainder(Object a, Object b, SqlTypeSpec type) {
    BigDecimal divisor = decimal(b);
    requireNonZero(divisor.signum() != 0);
    return switch (a) {
      case Double x -> x % (Double) b;
      case Float x -> x % (Float) b;
      default -> checked(decimal(a).remainder(divisor), type);
    };
  }

  private static Object abs(Object a, SqlTypeSpec type) {
    return switch (a) {
      case Double x -> Math.abs(x);
      case Float x -> Math.abs(x);
      default -> checked(decimal(a).abs(), type);
    };
  }

  private static void requireNonZero(boolean holds) {
    if (!holds) {
      throw new GpdbException(SqlCondition.DIVISION_BY_ZERO, "division by zero");
    }
  }
}
