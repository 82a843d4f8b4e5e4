package io.gpdb.sql.tree;

import io.gpdb.sql.type.TemporalText;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.DateString;
import org.jspecify.annotations.Nullable;

/**
 * Sums, differences and products of exact numbers, and dates with intervals, of literals: folded, a
 * condition with one cannot raise an error and may be asked anywhere. What leaves its type stays
 * and raises its error where it is asked.
 */
final class ConstantArithmetic {
  /** More days than there are from the first date to the last. */
  private static final BigDecimal STEPS_MAX = BigDecimal.valueOf(4_000_000);

  private static final BigDecimal MICROS_OF_DAY = BigDecimal.valueOf(TemporalText.MICROS_PER_DAY);

  private ConstantArithmetic() {}

  /** The value of a call as a literal of its type, or the call. */
  static RexNode folded(RexBuilder builder, RexCall call) {
    List<RexNode> operands = call.getOperands();
    if (operands.size() != 2
        || !(operands.get(0) instanceof RexLiteral a)
        || !(operands.get(1) instanceof RexLiteral b)
        || a.isNull()
        || b.isNull()) {
      return call;
    }
    RelDataType type = call.getType();
    if (SqlTypeUtil.isExactNumeric(type)
        && SqlTypeUtil.isExactNumeric(a.getType())
        && SqlTypeUtil.isExactNumeric(b.getType())) {
      BigDecimal value = number(call.getKind(), a, b);
      return value == null || !isIn(type, value) ? call : builder.makeExactLiteral(value, type);
    }
    return type.getSqlTypeName() == SqlTypeName.DATE ? date(builder, call, a, b) : call;
  }

  private static @Nullable BigDecimal number(SqlKind kind, RexLiteral a, RexLiteral b) {
    BigDecimal x = a.getValueAs(BigDecimal.class);
    BigDecimal y = b.getValueAs(BigDecimal.class);
    if (x == null || y == null) {
      return null;
    }
    return switch (kind) {
      case PLUS -> x.add(y);
      case MINUS -> x.subtract(y);
      case TIMES -> x.multiply(y);
      default -> null;
    };
  }

  private static boolean isIn(RelDataType type, BigDecimal value) {
    return switch (type.getSqlTypeName()) {
      case INTEGER -> isWhole(value, Integer.SIZE);
      case BIGINT -> isWhole(value, Long.SIZE);
      case DECIMAL ->
          value.scale() <= type.getScale()
              && value.precision() - value.scale() <= type.getPrecision() - type.getScale();
      default -> false;
    };
  }

  private static boolean isWhole(BigDecimal value, int bits) {
    return value.stripTrailingZeros().scale() <= 0 && value.toBigInteger().bitLength() < bits;
  }

  private static RexNode date(RexBuilder builder, RexCall call, RexLiteral a, RexLiteral b) {
    boolean plus = call.getKind() == SqlKind.PLUS;
    if (a.getType().getSqlTypeName() != SqlTypeName.DATE
        || !(plus || call.getKind() == SqlKind.MINUS)
        || !SqlTypeUtil.isInterval(b.getType())) {
      return call;
    }
    DateString from = a.getValueAs(DateString.class);
    BigDecimal amount = b.getValueAs(BigDecimal.class);
    if (from == null || amount == null) {
      return call;
    }
    boolean months = SqlTypeName.YEAR_INTERVAL_TYPES.contains(b.getType().getSqlTypeName());
    BigDecimal[] parts = amount.divideAndRemainder(months ? BigDecimal.ONE : MICROS_OF_DAY);
    if (parts[1].signum() != 0 || parts[0].abs().compareTo(STEPS_MAX) > 0) {
      return call;
    }
    long steps = plus ? parts[0].longValue() : -parts[0].longValue();
    LocalDate day = LocalDate.parse(from.toString());
    LocalDate to = months ? day.plusMonths(steps) : day.plusDays(steps);
    return to.getYear() < 1 || to.getYear() > TemporalText.YEAR_MAX
        ? call
        : builder.makeDateLiteral(new DateString(to.toString()));
  }
}
