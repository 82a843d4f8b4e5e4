package io.gpdb.sql.type;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlBetweenOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.jspecify.annotations.Nullable;

/**
 * Comparisons of exact numbers where no 64 bits can represent the values of both: 18 digits are too
 * few for DECIMAL(18, 0) and 0.5, DECIMAL(18, 2) and DECIMAL(18, 10), or BIGINT and 1.5. Calcite
 * would cast both to one type, which rounds or overflows. Here a literal becomes a value of the
 * other's type, as {@link UnheldComparisons} does with parameters; any other operand stays what it
 * is, because every evaluator of comparisons compares numbers digit by digit.
 */
public final class ExactComparisons {
  /** Digits of the greatest BIGINT. */
  private static final Set<SqlTypeFamily> DATETIMES =
      EnumSet.of(SqlTypeFamily.DATE, SqlTypeFamily.TIME, SqlTypeFamily.TIMESTAMP);

  private static final Set<SqlTypeFamily> KINDS =
      EnumSet.of(
          SqlTypeFamily.BOOLEAN,
          SqlTypeFamily.NUMERIC,
          SqlTypeFamily.DATETIME,
          SqlTypeFamily.BINARY);

  private ExactComparisons() {}

  /** Whether both are exact numbers and no type holds the values of both. */
  public static boolean lackCommonType(SqlTypeSpec a, SqlTypeSpec b) {
    boolean decimal = a.kind().isDecimal() || b.kind().isDecimal();
    return decimal
        && a.kind().isExact()
        && b.kind().isExact()
        && Math.max(DecimalTypes.wholeDigits(a), DecimalTypes.wholeDigits(b))
                + Math.max(a.scale(), b.scale())
            > SqlTypeSpec.NARROW_DIGITS_MAX;
  }

  /** The same of two types or of the fields of two rows, of which one may be a single field. */
  public static boolean lackCommonType(@Nullable RelDataType a, @Nullable RelDataType b) {
    if (a == null || b == null) {
      return false;
    }
    if (!a.isStruct() && !b.isStruct()) {
      return SqlTypeUtil.isExactNumeric(a)
          && SqlTypeUtil.isExactNumeric(b)
          && lackCommonType(GpTypes.spec(a), GpTypes.spec(b));
    }
    List<RelDataType> left = fields(a);
    List<RelDataType> right = fields(b);
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      if (lackCommonType(left.get(i), right.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static List<RelDataType> fields(RelDataType type) {
    return type.isStruct() ? RelOptUtil.getFieldTypeList(type) : List.of(type);
  }

  /** Converts a comparison of two values or rows. */
  public static RexNode comparison(SqlRexContext context, SqlCall call) {
    SqlNode left = call.operand(0);
    SqlNode right = call.operand(1);
    RelDataType type = type(context, left);
    if (isChar(type) && isChar(type(context, right))) { // padded, but literals as they are
      return compared(
          context.getRexBuilder(),
          call.getKind(),
          context.convertExpression(left),
          context.convertExpression(right));
    }
    if (type == null || !lackCommonType(type, type(context, right))) {
      return plain(context, call);
    }
    if (left.getKind() == SqlKind.ROW && right.getKind() == SqlKind.ROW && isEquality(call)) {
      return rows(context, call, (SqlCall) left, (SqlCall) right);
    }
    return type.isStruct()
        ? plain(context, call)
        : comparison(
            context.getRexBuilder(),
            call.getKind(),
            context.convertExpression(left),
            context.convertExpression(right));
  }

  private static boolean isChar(@Nullable RelDataType type) {
    return type != null && type.getSqlTypeName() == SqlTypeName.CHAR;
  }

  private static boolean isEquality(SqlCall call) {
    return call.getKind() == SqlKind.EQUALS || call.getKind() == SqlKind.NOT_EQUALS;
  }

  /** Rows are equal where all their fields are. */
  private static RexNode rows(SqlRexContext context, SqlCall call, SqlCall left, SqlCall right) {
    List<RexNode> fields = new ArrayList<>();
    for (int i = 0; i < left.operandCount(); i++) {
      fields.add(
          context.convertExpression(
              SqlStdOperatorTable.EQUALS.createCall(
                  call.getParserPosition(), left.operand(i), right.operand(i))));
    }
    RexBuilder builder = context.getRexBuilder();
    RexNode equal = RexUtil.composeConjunction(builder, fields);
    return call.getKind() == SqlKind.EQUALS
        ? equal
        : builder.makeCall(SqlStdOperatorTable.NOT, equal);
  }

  /** Converts BETWEEN, each bound by itself. */
  public static RexNode between(SqlRexContext context, SqlCall call) {
    List<SqlNode> operands = call.getOperandList();
    boolean exact =
        operands.stream()
            .map(operand -> type(context, operand))
            .allMatch(type -> type != null && SqlTypeUtil.isExactNumeric(type));
    if (!exact || !(call.getOperator() instanceof SqlBetweenOperator operator)) {
      requireOneKind(operands.stream().map(operand -> type(context, operand)).toList());
      return plain(context, call);
    }
    RexBuilder builder = context.getRexBuilder();
    List<RexNode> values = operands.stream().map(context::convertExpression).toList();
    RexNode within = within(builder, values.get(0), values.get(1), values.get(2));
    if (operator.flag == SqlBetweenOperator.Flag.SYMMETRIC) {
      RexNode swapped = within(builder, values.get(0), values.get(2), values.get(1));
      within = builder.makeCall(SqlStdOperatorTable.OR, within, swapped);
    }
    return operator.isNegated() ? builder.makeCall(SqlStdOperatorTable.NOT, within) : within;
  }

  /** Calcite looks at the first bound alone where that is NULL. */
  private static void requireOneKind(List<@Nullable RelDataType> types) {
    long kinds =
        types.stream()
            .map(type -> type == null ? null : type.getSqlTypeName().getFamily())
            .filter(Objects::nonNull)
            .map(family -> DATETIMES.contains(family) ? SqlTypeFamily.DATETIME : family)
            .filter(KINDS::contains)
            .distinct()
            .count();
    if (kinds > 1) {
      throw new GpdbException(
          SqlCondition.TYPE_MISMATCH, "BETWEEN does not take values of these types together");
    }
  }

  private static RexNode within(RexBuilder builder, RexNode value, RexNode least, RexNode most) {
    return builder.makeCall(
        SqlStdOperatorTable.AND,
        comparison(builder, SqlKind.GREATER_THAN_OR_EQUAL, value, least),
        comparison(builder, SqlKind.LESS_THAN_OR_EQUAL, value, most));
  }

  private static RexNode plain(SqlRexContext context, SqlCall call) {
    return Objects.requireNonNull(StandardConvertletTable.INSTANCE.get(call), "convertlet")
        .convertCall(context, call);
  }

  private static @Nullable RelDataType type(SqlRexContext context, SqlNode node) {
    return context.getValidator().getValidatedNodeTypeIfKnown(node);
  }

  private static RexNode comparison(RexBuilder builder, SqlKind kind, RexNode left, RexNode right) {
    RexNode a = left;
    RexNode b = right;
    if (lackCommonType(left.getType(), right.getType())) {
      BigDecimal number = number(right);
      if (number != null) {
        return withNumber(builder, kind, left, number);
      }
      number = number(left);
      if (number != null) {
        return withNumber(builder, kind.reverse(), right, number);
      }
    } else {
      RelDataType common =
          builder.getTypeFactory().leastRestrictive(List.of(left.getType(), right.getType()));
      a = common == null ? left : builder.ensureType(common, left, true);
      b = common == null ? right : builder.ensureType(common, right, true);
    }
    return compared(builder, kind, a, b);
  }

  /** The comparison of two values whose types go together. */
  public static RexNode compared(RexBuilder builder, SqlKind kind, RexNode a, RexNode b) {
    return switch (kind) {
      case IS_DISTINCT_FROM -> RelOptUtil.isDistinctFrom(builder, a, b, false);
      case IS_NOT_DISTINCT_FROM -> RelOptUtil.isDistinctFrom(builder, a, b, true);
      default -> builder.makeCall(RelOptUtil.op(kind, SqlStdOperatorTable.EQUALS), a, b);
    };
  }

  /** The number that a literal with or without a sign means; null for any other expression. */
  private static @Nullable BigDecimal number(RexNode node) {
    return switch (node) {
      case RexLiteral literal -> literal.getValueAs(BigDecimal.class);
      case RexCall call when call.getKind() == SqlKind.MINUS_PREFIX -> {
        BigDecimal number = number(call.getOperands().getFirst());
        yield number == null ? null : number.negate();
      }
      case RexCall call when call.getKind() == SqlKind.PLUS_PREFIX ->
          number(call.getOperands().getFirst());
      default -> null;
    };
  }

  /** A value compared with a number, in values of its type. */
  private static RexNode withNumber(
      RexBuilder builder, SqlKind kind, RexNode value, BigDecimal number) {
    SqlTypeSpec type = GpTypes.spec(value.getType());
    BigDecimal floor = number.setScale(type.scale(), RoundingMode.FLOOR);
    ParameterFit fit = fit(type, number, floor);
    if (kind == SqlKind.IS_DISTINCT_FROM || kind == SqlKind.IS_NOT_DISTINCT_FROM) {
      boolean same = kind == SqlKind.IS_NOT_DISTINCT_FROM;
      return fit == ParameterFit.HELD
          ? RelOptUtil.isDistinctFrom(builder, value, literal(builder, type, floor), same)
          : builder.makeLiteral(!same);
    }
    boolean beyond = fit == ParameterFit.ABOVE || fit == ParameterFit.BELOW;
    return UnheldComparisons.inHeldValues(
        builder,
        GpTypes.relType(SqlTypeSpec.BOOLEAN, value.getType().isNullable()),
        kind,
        value,
        beyond ? value : literal(builder, type, floor),
        fit);
  }

  private static int digits(SqlTypeSpec decimal) {
    return decimal.kind() == SqlTypeSpec.Kind.DECIMAL
        ? SqlTypeSpec.NARROW_DIGITS_MAX
        : SqlTypeSpec.DECIMAL_DIGITS_MAX;
  }

  /**
   * A DECIMAL may have all digits of its storage, because a result may have more than its type
   * says.
   */
  private static ParameterFit fit(SqlTypeSpec type, BigDecimal number, BigDecimal floor) {
    BigDecimal greatest =
        switch (type.kind()) {
          case TINYINT -> BigDecimal.valueOf(Byte.MAX_VALUE);
          case SMALLINT -> BigDecimal.valueOf(Short.MAX_VALUE);
          case INTEGER -> BigDecimal.valueOf(Integer.MAX_VALUE);
          case BIGINT -> BigDecimal.valueOf(Long.MAX_VALUE);
          default ->
              BigDecimal.ONE
                  .movePointRight(digits(type) - type.scale())
                  .subtract(BigDecimal.ONE.movePointLeft(type.scale()));
        };
    boolean decimal = type.kind().isDecimal();
    BigDecimal least = decimal ? greatest.negate() : greatest.negate().subtract(BigDecimal.ONE);
    return ParameterFit.of(number, floor, least, greatest);
  }

  private static RexNode literal(RexBuilder builder, SqlTypeSpec type, BigDecimal value) {
    boolean widened = type.kind().isDecimal() && value.precision() > type.precision();
    SqlTypeSpec held = widened ? SqlTypeSpec.decimal(digits(type), type.scale()) : type;
    return builder.makeExactLiteral(value, GpTypes.relType(held, false));
  }
}
