package io.gpdb.sql.tree;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Between which bounds exact numbers lie that are computed of others, whatever these are within
 * their types: arithmetic whose bounds are within its own type never leaves it. Only the types and
 * the literals are asked, not the rows (interval arithmetic; R. E. Moore, 1966).
 */
final class ExactRanges {
  /** No bounds: the call may leave its type, or is not arithmetic of exact numbers. */
  private static final Range NONE = new Range(BigDecimal.ONE, BigDecimal.ZERO);

  private final IdentityHashMap<RexNode, Range> known = new IdentityHashMap<>();

  /** Both bounds are values that may occur. */
  record Range(BigDecimal least, BigDecimal greatest) {
    static Range around(BigDecimal greatest) {
      return new Range(greatest.negate(), greatest);
    }

    /** From the least to the greatest of what the bounds make. */
    static Range of(BigDecimal... values) {
      List<BigDecimal> all = List.of(values);
      return new Range(Collections.min(all), Collections.max(all));
    }

    boolean isNone() {
      return least.compareTo(greatest) > 0;
    }

    boolean isWithin(Range other) {
      return other.least.compareTo(least) <= 0 && greatest.compareTo(other.greatest) <= 0;
    }

    Range scaled(int digits) {
      return new Range(
          least.setScale(digits, RoundingMode.HALF_UP),
          greatest.setScale(digits, RoundingMode.HALF_UP));
    }

    BigDecimal magnitude() {
      return least.abs().max(greatest.abs());
    }
  }

  /** Whether what the call computes is within its type for all values of its operands. */
  boolean isWithinType(RexCall call) {
    return SqlTypeUtil.isExactNumeric(call.getType()) && !computed(call).isNone();
  }

  private Range computed(RexCall call) {
    Range range = known.get(call);
    if (range == null) {
      range = fitting(call);
      known.put(call, range);
    }
    return range;
  }

  private Range fitting(RexCall call) {
    if (call.getOperands().isEmpty()
        || call.getOperands().stream().anyMatch(operand -> ofType(operand.getType()) == null)) {
      return NONE;
    }
    Range range = exactly(call);
    Range type = ofType(call.getType());
    return range == null || type == null || !range.isWithin(type) ? NONE : range;
  }

  private @Nullable Range exactly(RexCall call) {
    Range a = of(call.getOperands().getFirst());
    Range b = call.getOperands().size() == 2 ? of(call.getOperands().getLast()) : a;
    return switch (call.getKind()) {
      case PLUS_PREFIX -> a;
      case MINUS_PREFIX -> new Range(a.greatest.negate(), a.least.negate());
      case PLUS -> kept(call, new Range(a.least.add(b.least), a.greatest.add(b.greatest)));
      case MINUS ->
          kept(call, new Range(a.least.subtract(b.greatest), a.greatest.subtract(b.least)));
      case TIMES ->
          kept(
              call,
              Range.of(
                  a.least.multiply(b.least),
                  a.least.multiply(b.greatest),
                  a.greatest.multiply(b.least),
                  a.greatest.multiply(b.greatest)));
      case DIVIDE -> isDivided(call) ? quotient(a, b) : null;
      case MOD -> isDivided(call) ? Range.around(b.magnitude()) : null;
      case CAST -> a.scaled(scale(call.getType()));
      default -> absolute(call, a);
    };
  }

  private static @Nullable Range absolute(RexCall call, Range a) {
    if (!call.getOperator().getName().equals("ABS")) {
      return null;
    }
    boolean both = a.least.signum() < 0 && a.greatest.signum() > 0;
    BigDecimal least = both ? BigDecimal.ZERO : a.least.abs().min(a.greatest.abs());
    return new Range(least, a.magnitude());
  }

  /** A result that is rounded to fewer digits may have more than 64 bits before it is. */
  private static @Nullable Range kept(RexCall call, Range range) {
    int scale = Math.max(range.least.scale(), range.greatest.scale());
    return scale <= scale(call.getType()) ? range : null;
  }

  /** Whether whole numbers are divided by a literal that is not zero. */
  private static boolean isDivided(RexCall call) {
    for (RexNode operand : call.getOperands()) {
      if (!SqlTypeUtil.isIntType(operand.getType())) {
        return false;
      }
    }
    BigDecimal divisor = literal(call.getOperands().getLast());
    return divisor != null && divisor.signum() != 0;
  }

  private static Range quotient(Range a, Range b) {
    return Range.of(
        a.least.divide(b.least, 0, RoundingMode.DOWN),
        a.greatest.divide(b.least, 0, RoundingMode.DOWN));
  }

  /** The least that is known of a value: its type. */
  private Range of(RexNode node) {
    BigDecimal literal = literal(node);
    if (literal != null) {
      return new Range(literal, literal);
    }
    if (node instanceof RexCall call) {
      Range computed = computed(call);
      if (!computed.isNone()) {
        return computed;
      }
    }
    Range type = ofType(node.getType());
    return type == null ? NONE : type;
  }

  private static @Nullable BigDecimal literal(RexNode node) {
    return node instanceof RexLiteral literal && SqlTypeUtil.isExactNumeric(literal.getType())
        ? literal.getValueAs(BigDecimal.class)
        : null;
  }

  private static int scale(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DECIMAL ? type.getScale() : 0;
  }

  /** All values of a type; null of one that has no exact numbers. */
  static @Nullable Range ofType(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case TINYINT -> whole(Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> whole(Short.MIN_VALUE, Short.MAX_VALUE);
      case INTEGER -> whole(Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> whole(Long.MIN_VALUE, Long.MAX_VALUE);
      case DECIMAL ->
          Range.around(
              BigDecimal.ONE
                  .scaleByPowerOfTen(type.getPrecision())
                  .subtract(BigDecimal.ONE)
                  .scaleByPowerOfTen(-type.getScale())
                  .setScale(type.getScale(), RoundingMode.UNNECESSARY));
      default -> null;
    };
  }

  private static Range whole(long least, long greatest) {
    return new Range(BigDecimal.valueOf(least), BigDecimal.valueOf(greatest));
  }
}
