package io.gpdb.sql.tree;

import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/**
 * One side of a comparison as an expression that raises no error: where the side would raise one,
 * it is the least or the greatest value of its type, so that no pair of rows is left out which the
 * comparison itself has to see.
 *
 * <pre>
 *   b.x &lt;= a.x + 5    bounds b.x by    CASE WHEN a.x &gt; 2147483642 THEN the greatest BIGINT
 *                                            ELSE CAST(a.x + 5 AS BIGINT) END
 * </pre>
 */
public final class TotalBound {
  /** No month has more days. */
  private static final BigDecimal MONTH_DAYS_MAX = BigDecimal.valueOf(31);

  private static final BigDecimal DAY_MICROS = BigDecimal.valueOf(TemporalText.MICROS_PER_DAY);

  /** An interval that is longer bounds nothing. */
  private static final BigDecimal MOVED_DAYS_MAX = BigDecimal.valueOf(1_000_000);

  private static final LocalDate FIRST_DAY = LocalDate.of(1, 1, 1);
  private static final LocalDate LAST_DAY = LocalDate.of(9999, 12, 31);
  private static final TimestampString TIMESTAMP_LEAST = new TimestampString(1, 1, 1, 0, 0, 0);
  private static final TimestampString TIMESTAMP_GREATEST =
      new TimestampString(9999, 12, 31, 23, 59, 59).withNanos(999_999_000);

  private final RexBuilder builder;

  /** What is true where the side may raise an error: what is within it before what is around. */
  private final List<RexNode> beyond = new ArrayList<>();

  private TotalBound(RexBuilder builder) {
    this.builder = builder;
  }

  /**
   * The side of a comparison, or null where it is not known when it raises an error.
   *
   * @param isGreater whether the comparison asks for values up to this one
   */
  public static @Nullable RexNode of(RexNode side, boolean isGreater, RexBuilder builder) {
    if (!RexUtil.isDeterministic(side) || !isOfRow(side)) {
      return null;
    }
    if (!Raising.mayRaise(side)) {
      return side;
    }
    TotalBound bound = new TotalBound(builder);
    RexNode extreme = bound.extreme(side.getType(), isGreater);
    return extreme == null || !bound.isKnown(side) ? null : bound.guarded(side, extreme);
  }

  /** Whether it is computed of nothing but fields and constants. */
  private static boolean isOfRow(RexNode node) {
    return node instanceof RexInputRef
        || node instanceof RexLiteral
        || node instanceof RexDynamicParam
        || (node.getClass() == RexCall.class
            && !(((RexCall) node).getOperator() instanceof SubQueryFunction)
            && ((RexCall) node).getOperands().stream().allMatch(TotalBound::isOfRow));
  }

  private RexNode guarded(RexNode side, RexNode extreme) {
    List<RexNode> branches = new ArrayList<>();
    for (RexNode condition : beyond) {
      branches.add(condition);
      branches.add(extreme);
    }
    RelDataTypeFactory types = builder.getTypeFactory();
    RelDataType type = types.createTypeWithNullability(extreme.getType(), true);
    branches.add(builder.makeAbstractCast(type, side, false));
    return builder.makeCall(type, SqlStdOperatorTable.CASE, branches);
  }

  /** The least or the greatest value that any value compared with one of the type may have. */
  private @Nullable RexNode extreme(RelDataType type, boolean greatest) {
    RelDataTypeFactory types = builder.getTypeFactory();
    return switch (type.getSqlTypeName()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT ->
          builder.makeExactLiteral(
              BigDecimal.valueOf(greatest ? Long.MAX_VALUE : Long.MIN_VALUE),
              types.createSqlType(SqlTypeName.BIGINT));
      case DECIMAL -> decimalExtreme(type, greatest);
      case DATE -> builder.makeDateLiteral(date(greatest ? LAST_DAY : FIRST_DAY));
      case TIMESTAMP ->
          builder.makeTimestampLiteral(
              greatest ? TIMESTAMP_GREATEST : TIMESTAMP_LEAST, type.getPrecision());
      default -> null;
    };
  }

  private @Nullable RexNode decimalExtreme(RelDataType type, boolean greatest) {
    if (type.getPrecision() > SqlTypeSpec.NARROW_DIGITS_MAX) {
      return null;
    }
    RelDataType widest =
        builder
            .getTypeFactory()
            .createSqlType(SqlTypeName.DECIMAL, SqlTypeSpec.NARROW_DIGITS_MAX, type.getScale());
    ExactRanges.Range range = ExactRanges.ofType(widest);
    return range == null
        ? null
        : builder.makeExactLiteral(greatest ? range.greatest() : range.least(), widest);
  }

  /** Whether {@code beyond} has all rows for which the node may raise an error. */
  private boolean isKnown(RexNode node) {
    if (!(node instanceof RexCall call) || !Raising.mayRaise(call)) {
      return true;
    }
    List<RexNode> operands = call.getOperands();
    if (!operands.stream().allMatch(this::isKnown)) {
      return false;
    }
    return switch (call.getKind()) {
      case CAST -> RexUtil.isLosslessCast(call);
      case PLUS, MINUS -> operands.size() == 2 && isKnownSum(call);
      default -> false;
    };
  }

  private boolean isKnownSum(RexCall call) {
    RexNode a = call.getOperands().get(0);
    RexNode b = call.getOperands().get(1);
    if (SqlTypeUtil.isExactNumeric(call.getType())) {
      return SqlTypeUtil.isExactNumeric(a.getType())
          && SqlTypeUtil.isExactNumeric(b.getType())
          && isKnownNumber(call, a, b);
    }
    return SqlTypeUtil.isInterval(b.getType())
        && b instanceof RexLiteral interval
        && isKnownMoment(call, a, interval);
  }

  private boolean isKnownNumber(RexCall call, RexNode a, RexNode b) {
    ExactRanges.Range type = ExactRanges.ofType(call.getType());
    if (type == null) {
      return false;
    }
    boolean isSum = call.getKind() == SqlKind.PLUS;
    BigDecimal added = literal(b);
    if (added != null) {
      BigDecimal moved = isSum ? added : added.negate();
      return addBeyond(
          a,
          type.least().subtract(moved.min(BigDecimal.ZERO)),
          type.greatest().subtract(moved.max(BigDecimal.ZERO)));
    }
    if (SqlTypeUtil.isIntType(call.getType()) && isShort(a) && isShort(b)) {
      RexNode exact =
          builder.makeCall(
              isSum ? SqlStdOperatorTable.PLUS : SqlStdOperatorTable.MINUS, wide(a), wide(b));
      return addBeyond(exact, type.least(), type.greatest());
    }
    BigDecimal half = type.greatest().divideToIntegralValue(BigDecimal.TWO);
    return addBeyond(a, half.negate(), half) && addBeyond(b, half.negate(), half);
  }

  /** Whether it is a whole number for whose sums 64 bits are enough. */
  private static boolean isShort(RexNode node) {
    return SqlTypeUtil.isIntType(node.getType())
        && node.getType().getSqlTypeName() != SqlTypeName.BIGINT;
  }

  private RexNode wide(RexNode node) {
    RelDataTypeFactory types = builder.getTypeFactory();
    RelDataType type =
        types.createTypeWithNullability(
            types.createSqlType(SqlTypeName.BIGINT), node.getType().isNullable());
    return builder.makeAbstractCast(type, node, false);
  }

  private static @Nullable BigDecimal literal(RexNode node) {
    return node instanceof RexLiteral literal ? literal.getValueAs(BigDecimal.class) : null;
  }

  /** Adds what of an exact number is below one bound or above another. */
  private boolean addBeyond(RexNode value, BigDecimal least, BigDecimal greatest) {
    ExactRanges.Range type = ExactRanges.ofType(value.getType());
    if (type == null || least.scale() > scale(value) || greatest.scale() > scale(value)) {
      return false;
    }
    if (type.greatest().compareTo(greatest) > 0) {
      beyond.add(compared(SqlStdOperatorTable.GREATER_THAN, value, greatest));
    }
    if (type.least().compareTo(least) < 0) {
      beyond.add(compared(SqlStdOperatorTable.LESS_THAN, value, least));
    }
    return true;
  }

  private RexNode compared(SqlOperator comparison, RexNode value, BigDecimal bound) {
    RelDataType type =
        builder.getTypeFactory().createTypeWithNullability(value.getType(), /* nullable= */ false);
    return builder.makeCall(
        comparison, List.of(value, builder.makeExactLiteral(bound.setScale(scale(value)), type)));
  }

  private static int scale(RexNode node) {
    return node.getType().getSqlTypeName() == SqlTypeName.DECIMAL ? node.getType().getScale() : 0;
  }

  /** Adds the days so near to an end of the calendar that the interval may lead beyond. */
  private boolean isKnownMoment(RexCall call, RexNode moment, RexLiteral interval) {
    BigDecimal length = interval.getValueAs(BigDecimal.class);
    if (length == null || !isMoment(moment) || !isMoment(call)) {
      return false;
    }
    boolean months = SqlTypeName.YEAR_INTERVAL_TYPES.contains(interval.getType().getSqlTypeName());
    BigDecimal days =
        months
            ? length.abs().multiply(MONTH_DAYS_MAX)
            : length.abs().divide(DAY_MICROS, RoundingMode.UP).add(BigDecimal.ONE);
    if (days.compareTo(MOVED_DAYS_MAX) > 0) {
      return false;
    }
    boolean forward = (call.getKind() == SqlKind.PLUS) == (length.signum() >= 0);
    beyond.add(
        forward
            ? builder.makeCall(
                SqlStdOperatorTable.GREATER_THAN,
                moment,
                day(moment, LAST_DAY.minusDays(days.longValueExact())))
            : builder.makeCall(
                SqlStdOperatorTable.LESS_THAN,
                moment,
                day(moment, FIRST_DAY.plusDays(days.longValueExact()))));
    return true;
  }

  private static boolean isMoment(RexNode node) {
    SqlTypeName type = node.getType().getSqlTypeName();
    return type == SqlTypeName.DATE || type == SqlTypeName.TIMESTAMP;
  }

  /** The beginning of a day as a value of the moment's type. */
  private RexNode day(RexNode moment, LocalDate day) {
    return moment.getType().getSqlTypeName() == SqlTypeName.DATE
        ? builder.makeDateLiteral(date(day))
        : builder.makeTimestampLiteral(
            new TimestampString(day.getYear(), day.getMonthValue(), day.getDayOfMonth(), 0, 0, 0),
            moment.getType().getPrecision());
  }

  private static DateString date(LocalDate day) {
    return new DateString(day.getYear(), day.getMonthValue(), day.getDayOfMonth());
  }
}
