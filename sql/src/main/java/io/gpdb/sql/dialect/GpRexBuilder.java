package io.gpdb.sql.dialect;

import com.google.common.collect.ImmutableList;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.NlsString;
import org.jspecify.annotations.Nullable;

/**
 * Calcite's maker of expressions, with three rules of gpDB's own: a text literal has as many
 * characters as code points; a comparison has operands of one kind, and with NULL it is NULL; a
 * number that is cast to a text stays a number {@linkplain KeptValue of its type}.
 */
public final class GpRexBuilder extends RexBuilder {
  /** What instants may be operands of, besides functions of ours and aggregates. */
  private static final Set<SqlKind> PASSING =
      EnumSet.of(
          SqlKind.EQUALS,
          SqlKind.NOT_EQUALS,
          SqlKind.LESS_THAN,
          SqlKind.LESS_THAN_OR_EQUAL,
          SqlKind.GREATER_THAN,
          SqlKind.GREATER_THAN_OR_EQUAL,
          SqlKind.IS_DISTINCT_FROM,
          SqlKind.IS_NOT_DISTINCT_FROM,
          SqlKind.IS_NULL,
          SqlKind.IS_NOT_NULL,
          SqlKind.CASE,
          SqlKind.COALESCE,
          SqlKind.CAST,
          SqlKind.SEARCH,
          SqlKind.IN,
          SqlKind.NOT_IN,
          SqlKind.SOME,
          SqlKind.ALL,
          SqlKind.ROW);

  public GpRexBuilder() {
    super(GpTypes.FACTORY);
  }

  public static int characters(String text) {
    return text.codePointCount(0, text.length());
  }

  /** The type of a literal with fewer characters than UTF-16 units. */
  public static RelDataType literalType(
      RelDataTypeFactory types, RelDataType inUnits, String text) {
    return types.createTypeWithNullability(
        types.createTypeWithCharsetAndCollation(
            types.createSqlType(SqlTypeName.CHAR, characters(text)),
            java.util.Objects.requireNonNull(inUnits.getCharset(), "charset"),
            java.util.Objects.requireNonNull(inUnits.getCollation(), "collation")),
        inUnits.isNullable());
  }

  private static boolean hasPairs(String text) {
    return characters(text) < text.length();
  }

  @Override
  public RexNode makeCall(
      SqlParserPos position, SqlOperator operator, List<? extends RexNode> operands) {
    requireNoInstant(operator, operands);
    RexNode known = comparison(operator, operands);
    return known != null ? known : super.makeCall(position, operator, operands);
  }

  @Override
  public RexNode makeCall(
      SqlParserPos position, RelDataType type, SqlOperator operator, List<RexNode> operands) {
    requireNoInstant(operator, operands);
    RexNode known = comparison(operator, operands);
    return known != null ? known : super.makeCall(position, type, operator, operands);
  }

  @Override
  public RexNode makeOver(
      SqlParserPos position,
      RelDataType type,
      SqlAggFunction function,
      List<RexNode> values,
      List<RexNode> partition,
      ImmutableList<RexFieldCollation> order,
      RexWindowBound lower,
      RexWindowBound upper,
      RexWindowExclusion exclusion,
      boolean rows,
      boolean allowPartial,
      boolean nullForNone,
      boolean distinct,
      boolean ignoreNulls) {
    return switch (function.getKind()) {
      case PERCENT_RANK -> new Distributions(this, partition, order).percentRank();
      case CUME_DIST -> new Distributions(this, partition, order).cumulative();
      default ->
          super.makeOver(
              position,
              type,
              function,
              values,
              partition,
              order,
              lower,
              upper,
              exclusion,
              rows,
              allowPartial,
              nullForNone,
              distinct,
              ignoreNulls);
    };
  }

  /** Names of the operators that texts may call; others are subqueries and methods of ours. */
  private static final class Written {
    private static final Set<String> NAMES =
        GpOperatorTable.INSTANCE.getOperatorList().stream()
            .map(SqlOperator::getName)
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Refuses what computes with instants: it would take them for timestamps, and those for texts of
   * Calcite's. They are passed, compared, cast and aggregated.
   */
  private static void requireNoInstant(SqlOperator operator, List<? extends RexNode> operands) {
    boolean passes =
        PASSING.contains(operator.getKind())
            || operator instanceof SqlAggFunction
            || operator.equals(AtTimeZone.FUNCTION)
            || (operator.getKind() == SqlKind.OTHER_FUNCTION
                && !Written.NAMES.contains(operator.getName()));
    if (!passes && operands.stream().anyMatch(o -> GpTypes.isInstant(o.getType()))) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          operator.getName()
              + " of TIMESTAMP WITH TIME ZONE: cast it to TIMESTAMP, which is of the JVM's zone");
    }
  }

  /**
   * The value of a comparison with a NULL literal, or null. Calcite leaves {@code x <> NULL} in an
   * OR, and then takes {@code x <> NULL OR x <> 5} for its first half.
   */
  private @Nullable RexNode comparison(SqlOperator operator, List<? extends RexNode> operands) {
    if (!ValueKind.isComparison(operator.kind) || operands.size() != 2) {
      return null;
    }
    ValueKind.requireOne(operator, operands.get(0).getType(), operands.get(1).getType());
    return ValueKind.isNullForNull(operator.kind)
            && operands.stream().anyMatch(RexLiteral::isNullLiteral)
        ? makeNullLiteral(typeFactory.createSqlType(SqlTypeName.BOOLEAN))
        : null;
  }

  @Override
  public RexLiteral makeCharLiteral(NlsString text) {
    RexLiteral literal = super.makeCharLiteral(text);
    return hasPairs(text.getValue())
        ? makeLiteral(
            text, literalType(typeFactory, literal.getType(), text.getValue()), SqlTypeName.CHAR)
        : literal;
  }

  @Override
  protected RexLiteral makePreciseStringLiteral(String text) {
    return hasPairs(text)
        ? makeCharLiteral(new NlsString(text, null, null))
        : super.makePreciseStringLiteral(text);
  }

  /** Calcite fills a CHAR to its length in units. */
  @Override
  @SuppressWarnings("rawtypes") // as Calcite declares it
  protected RexLiteral makeLiteral(
      @Nullable Comparable value, RelDataType type, SqlTypeName typeName) {
    if (value instanceof NlsString text
        && type.getSqlTypeName() == SqlTypeName.CHAR
        && hasPairs(text.getValue())) {
      int missing = type.getPrecision() - characters(text.getValue());
      String filled = text.getValue() + " ".repeat(Math.max(missing, 0));
      return super.makeLiteral(
          new NlsString(filled, text.getCharsetName(), text.getCollation()), type, typeName);
    }
    return super.makeLiteral(value, type, typeName);
  }

  /** Calcite takes blanks from the end of a CHAR and fills it again, to its length in units. */
  @Override
  public RexNode makeLiteral(
      @Nullable Object value, RelDataType type, boolean allowCast, boolean trim) {
    String text =
        value instanceof NlsString own ? own.getValue() : value instanceof String s ? s : "";
    return type.getSqlTypeName() == SqlTypeName.CHAR && !type.isNullable() && hasPairs(text)
        ? makeLiteral(
            new NlsString(
                text,
                java.util.Objects.requireNonNull(type.getCharset(), "charset").name(),
                type.getCollation()),
            type,
            SqlTypeName.CHAR)
        : super.makeLiteral(value, type, allowCast, trim);
  }

  /** Calcite drops a cast to a length or precision that the literal seems to have. */
  @Override
  public RexNode makeCast(
      SqlParserPos position,
      RelDataType type,
      RexNode value,
      boolean matchNullability,
      boolean safe,
      RexLiteral format) {
    if (KeptValue.isFor(type, value)) {
      return makeAbstractCast(position, type, KeptValue.operand(this, type, value), safe);
    }
    if ((SqlTypeUtil.isInterval(type) || SqlTypeUtil.isInterval(value.getType()))
        && !RexLiteral.isNullLiteral(value)) {
      return makeAbstractCast(position, type, value, safe);
    }
    return value instanceof RexLiteral literal
            && !literal.isNull()
            && (isOfPairs(literal, type)
                || losesFraction(literal, type)
                || isRounded(literal, type))
        ? makeAbstractCast(position, type, value, safe)
        : super.makeCast(position, type, value, matchNullability, safe, format);
  }

  private static boolean isOfPairs(RexLiteral literal, RelDataType type) {
    return GpTypes.isCharacter(type)
        && literal.getValue() instanceof NlsString text
        && hasPairs(text.getValue())
        && !type.equals(literal.getType());
  }

  /** Whether a number is another one as a REAL, which Calcite's literal would not be. */
  private static boolean isRounded(RexLiteral literal, RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.REAL
        && literal.getValue() instanceof Number number
        && (double) number.floatValue() != number.doubleValue();
  }

  /** Whether the second has fewer digits in the type: the cast rounds them, Calcite cuts them. */
  private static boolean losesFraction(RexLiteral literal, RelDataType type) {
    SqlTypeName name = type.getSqlTypeName();
    return (name == SqlTypeName.TIME
            || name == SqlTypeName.TIMESTAMP
            || name == SqlTypeName.TIMESTAMP_TZ)
        && name == literal.getType().getSqlTypeName()
        && type.getPrecision() < literal.getType().getPrecision();
  }
}
