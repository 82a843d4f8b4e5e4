package io.gpdb.sql.validation;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.type.ExactComparisons;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.InstantText;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.ScalarText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.type.UuidText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.ErrorCondition;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;
import org.jspecify.annotations.Nullable;

/**
 * What operators do with values of different types, where Calcite would round or guess. A text
 * literal whose other operand is a number is the number that it spells, digit by digit, and must be
 * one; so must it be a date, time or boolean where the other operand is one of these. Any other
 * text is a DOUBLE among numbers, because no other type takes every number that it may spell. Where
 * the other operand is bytes a text is its own bytes, not the digits that they would be as a text.
 */
final class GpCoercion extends TypeCoercionImpl {
  GpCoercion(RelDataTypeFactory types, SqlValidator validator) {
    super(types, validator);
  }

  @Override
  public boolean binaryComparisonCoercion(SqlCallBinding binding) {
    SqlCall call = binding.getCall();
    SqlValidatorScope scope = binding.getScope();
    boolean read = false;
    for (int i = 0; i < call.operandCount(); i++) {
      SqlNode operand = call.operand(i);
      SqlNode other = operand instanceof SqlCharStringLiteral ? beside(call, i) : null;
      SqlNode value = other == null ? null : valueOf(operand, other, scope);
      if (value != null) {
        call.setOperand(i, value);
        read = true;
      }
    }
    return super.binaryComparisonCoercion(binding) || read;
  }

  /** What the operand is compared with: BETWEEN compares its first operand with the others. */
  private static @Nullable SqlNode beside(SqlCall call, int operand) {
    if (call.operandCount() < 2) {
      return null;
    }
    SqlNode other = call.operand(operand == 0 ? 1 : 0);
    return other instanceof SqlCharStringLiteral && call.operandCount() > 2
        ? call.operand(operand == 2 ? 1 : 2)
        : other;
  }

  @Override
  public boolean inOperationCoercion(SqlCallBinding binding) {
    if (binding.getOperator() instanceof SqlQuantifyOperator) {
      return quantifyOperationCoercion(
          binding); // before Calcite asks whether the types go together
    }
    SqlNode left = binding.operand(0);
    boolean read = false;
    if (binding.operand(1) instanceof SqlNodeList list) {
      for (int i = 0; i < list.size(); i++) {
        SqlNode value = valueOf(list.get(i), left, binding.getScope());
        if (value != null) {
          list.set(i, value);
          read = true;
        }
      }
      inferList(list, read, binding.getScope());
    }
    // Calcite would cast all to one type; comparisons one by one need none, or have none.
    return isExact(binding) ? read : super.inOperationCoercion(binding) || read;
  }

  /**
   * Sets the type of a list that has new values or NULL. To Calcite a NULL in a list has the type
   * of what is looked for, so that all of a list of numbers and NULL would be texts where a text is
   * looked for.
   */
  private void inferList(SqlNodeList list, boolean hasNewValues, SqlValidatorScope scope) {
    boolean hasNull = list.stream().anyMatch(node -> SqlUtil.isNullLiteral(node, false));
    RelDataType common = hasNewValues || hasNull ? ListTypes.common(validator, scope, list) : null;
    if (common != null) {
      updateInferredType(list, common);
    }
  }

  @Override
  public boolean quantifyOperationCoercion(SqlCallBinding binding) {
    if (binding.operand(1) instanceof SqlNodeList list) {
      inferList(list, false, binding.getScope());
    }
    return !isExact(binding)
        && (binding.operand(1).isA(SqlKind.QUERY)
            ? besideQuery(binding)
            : super.quantifyOperationCoercion(binding));
  }

  /**
   * A comparison with ANY or ALL rows of a query, whose types become one as those of IN do. Calcite
   * would leave the rows of VALUES, WITH and set operations as they are.
   */
  private boolean besideQuery(SqlCallBinding binding) {
    SqlCall call = binding.getCall();
    SqlCall in =
        SqlStdOperatorTable.IN.createCall(
            call.getParserPosition(), call.operand(0), call.operand(1));
    boolean coerced =
        super.inOperationCoercion(new SqlCallBinding(validator, binding.getScope(), in));
    call.setOperand(0, in.operand(0));
    return coerced;
  }

  /** Calcite would say that no column is nullable, and refuse what it then converts. */
  @Override
  public boolean rowTypeCoercion(
      @Nullable SqlValidatorScope scope, SqlNode query, int column, RelDataType wanted) {
    RelDataType row = validator.getValidatedNodeTypeIfKnown(query);
    if (row == null || !row.isStruct() || column >= row.getFieldCount()) {
      return super.rowTypeCoercion(scope, query, column, wanted);
    }
    RelDataType own = row.getFieldList().get(column).getType();
    SqlNode choice = choiceByValue(query);
    if (choice != null && SqlTypeUtil.isCharacter(own) && !SqlTypeUtil.isString(wanted)) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "a subquery with ORDER BY and LIMIT, INTERSECT or EXCEPT, whose texts are compared as "
              + GpTypes.spec(wanted)
              + ": cast them in a query around it"
              + TableNames.at(choice));
    }
    return super.rowTypeCoercion(
        scope, query, column, factory.createTypeWithNullability(wanted, own.isNullable()));
  }

  /** The clause by which a query has other rows if a text that it selects is a number; or null. */
  private static @Nullable SqlNode choiceByValue(SqlNode query) {
    if (query instanceof SqlSelect select) {
      SqlNodeList order = select.getOrderList();
      boolean some = select.getFetch() != null || select.getOffset() != null;
      return some && order != null && !order.isEmpty() ? order : null;
    }
    return query.getKind() == SqlKind.INTERSECT || query.getKind() == SqlKind.EXCEPT ? query : null;
  }

  /**
   * Whether an exact number is looked for among others, a CHAR among CHARs, or some of the values
   * lack a type.
   */
  private boolean isExact(SqlCallBinding binding) {
    RelDataType left = binding.getOperandType(0);
    return ExactComparisons.lackCommonType(left, binding.getOperandType(1))
        || (isChar(left) && isChar(binding.getOperandType(1)))
        || (binding.operand(1) instanceof SqlNodeList list
            && SqlTypeUtil.isExactNumeric(left)
            && list.stream()
                .allMatch(
                    node ->
                        SqlTypeUtil.isExactNumeric(
                            validator.deriveType(binding.getScope(), node))));
  }

  /** The literal's value as the type of what it is compared with; null where it stays a text. */
  private @Nullable SqlNode valueOf(SqlNode node, SqlNode other, SqlValidatorScope scope) {
    if (!(node instanceof SqlCharStringLiteral literal) || other.getKind() == SqlKind.ROW) {
      return null;
    }
    RelDataType type = validator.deriveType(scope, other);
    String text = literal.getValueAs(String.class);
    try {
      if (SqlTypeUtil.isNumeric(type)) {
        return number(text, literal.getParserPosition(), SqlTypeUtil.isApproximateNumeric(type));
      }
      switch (type.getSqlTypeName()) {
        case BOOLEAN -> ScalarText.parseBoolean(text);
        case DATE -> TemporalText.parseDate(text);
        case TIME -> TemporalText.parseTime(text);
        case TIMESTAMP -> TemporalText.parseTimestamp(text);
        case TIMESTAMP_TZ -> InstantText.parse(text);
        case UUID -> UuidText.parse(text);
        default -> {
          if (SqlTypeUtil.isInterval(type)) {
            return IntervalLiterals.literal(
                IntervalType.of(IntervalType.of(type).fields()), text, literal.getParserPosition());
          }
        }
      }
      return null; // Calcite casts it
    } catch (NumberFormatException e) {
      throw notA(SqlCondition.INVALID_CAST, text, other, type, literal);
    } catch (GpdbException e) {
      throw e.code() == ErrorCode.NUMERIC_OUT_OF_RANGE
          ? new GpdbException(e.code(), e.getMessage() + TableNames.at(literal), e)
          : notA(e.code(), text, other, type, literal);
    }
  }

  private static @Nullable SqlNode number(String text, SqlParserPos at, boolean approximate) {
    if (approximate && !Double.isFinite(ScalarText.parseDouble(text))) {
      return null;
    }
    BigDecimal number = ScalarText.parseNumber(text);
    String digits = number.toPlainString();
    SqlNumericLiteral exact = SqlLiteral.createExactNumeric(digits, at);
    boolean fits =
        GpValidator.isLong(exact)
            || (new BigDecimal(digits).precision() <= SqlTypeSpec.DECIMAL_DIGITS_MAX
                && number.scale() <= SqlTypeSpec.DECIMAL_DIGITS_MAX);
    return fits
        ? exact
        : SqlLiteral.createApproxNumeric(number.unscaledValue() + "E" + -number.scale(), at);
  }

  private static GpdbException notA(
      ErrorCondition code, String text, SqlNode other, RelDataType type, SqlNode literal) {
    String what =
        SqlTypeUtil.isNumeric(type) ? "number" : GpTypes.spec(type).name().toLowerCase(Locale.ROOT);
    String name =
        other instanceof SqlIdentifier column
            ? "column " + column.names.getLast()
            : "an expression";
    return new GpdbException(
        code,
        "'"
            + text
            + (what.startsWith("i") ? "' is not an " : "' is not a ")
            + what
            + ", but is used with "
            + name
            + " of type "
            + GpTypes.spec(type)
            + TableNames.at(literal));
  }

  /**
   * Calcite would take TRUE for 1 in a comparison with a number, but not in rows, lists and
   * subqueries.
   */
  @Override
  protected boolean booleanEquality(SqlCallBinding binding, RelDataType left, RelDataType right) {
    return false;
  }

  @Override
  public @Nullable RelDataType commonTypeForBinaryComparison(RelDataType a, RelDataType b) {
    if (ExactComparisons.lackCommonType(a, b) || (isChar(a) && isChar(b))) {
      return null;
    }
    if ((SqlTypeUtil.isBinary(a) && SqlTypeUtil.isCharacter(b))
        || (SqlTypeUtil.isCharacter(a) && SqlTypeUtil.isBinary(b))) {
      return GpTypes.relType(SqlTypeSpec.VARBINARY, a.isNullable() || b.isNullable());
    }
    if (isInstantWithOther(a, b) || isInstantWithOther(b, a)) {
      return GpTypes.relType(SqlTypeSpec.TIMESTAMP_TZ, a.isNullable() || b.isNullable());
    }
    if (isUuidWithText(a, b) || isUuidWithText(b, a)) {
      return GpTypes.relType(SqlTypeSpec.UUID, a.isNullable() || b.isNullable());
    }
    if (isIntervalWithText(a, b) || isIntervalWithText(b, a)) {
      IntervalType interval = IntervalType.of(SqlTypeUtil.isInterval(a) ? a : b).unlimited();
      return GpTypes.relType(interval.spec(), a.isNullable() || b.isNullable());
    }
    boolean mixed =
        (SqlTypeUtil.isNumeric(a) && SqlTypeUtil.isCharacter(b))
            || (SqlTypeUtil.isCharacter(a) && SqlTypeUtil.isNumeric(b));
    return mixed
        ? factory.createTypeWithNullability(
            factory.createSqlType(SqlTypeName.DOUBLE), a.isNullable() || b.isNullable())
        : super.commonTypeForBinaryComparison(a, b);
  }

  /** CHARs of several lengths are compared padded, as they are. */
  private static boolean isChar(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.CHAR;
  }

  private static boolean isInstantWithOther(RelDataType a, RelDataType b) {
    SqlTypeName other = b.getSqlTypeName();
    return GpTypes.isInstant(a)
        && (SqlTypeUtil.isCharacter(b)
            || other == SqlTypeName.TIMESTAMP
            || other == SqlTypeName.DATE);
  }

  /** Calcite has no cast to an interval with its fields. */
  @Override
  protected boolean coerceOperandType(
      @Nullable SqlValidatorScope scope, SqlCall call, int index, RelDataType wanted) {
    SqlNode cast = intervalOf(scope, call.operand(index), wanted);
    if (cast == null) {
      return super.coerceOperandType(scope, call, index, wanted);
    }
    call.setOperand(index, cast);
    return true;
  }

  @Override
  protected boolean coerceColumnType(
      @Nullable SqlValidatorScope scope, SqlNodeList list, int index, RelDataType wanted) {
    if (index >= list.size()) { // columns of a star
      return super.coerceColumnType(scope, list, index, wanted);
    }
    SqlNode column = list.get(index);
    SqlCall named = column.getKind() == SqlKind.AS ? (SqlCall) column : null;
    SqlNode cast = intervalOf(scope, named == null ? column : named.operand(0), wanted);
    if (cast == null) {
      return super.coerceColumnType(scope, list, index, wanted);
    }
    if (named == null) {
      list.set(index, cast);
    } else {
      named.setOperand(0, cast);
      updateInferredType(named, wanted);
    }
    return true;
  }

  /** The cast of a text or NULL that is wanted as an interval; null where it is none. */
  private @Nullable SqlNode intervalOf(
      @Nullable SqlValidatorScope scope, SqlNode node, RelDataType wanted) {
    if (scope == null
        || !SqlTypeUtil.isInterval(wanted)
        || node instanceof SqlDynamicParam
        || SqlTypeUtil.isInterval(validator.deriveType(scope, node))) {
      return null;
    }
    SqlParserPos at = node.getParserPosition();
    SqlNode cast =
        SqlStdOperatorTable.CAST.createCall(at, node, IntervalType.of(wanted).qualifier());
    updateInferredType(cast, wanted);
    return cast;
  }

  private static boolean isIntervalWithText(RelDataType a, RelDataType b) {
    return SqlTypeUtil.isInterval(a) && SqlTypeUtil.isCharacter(b);
  }

  private static boolean isUuidWithText(RelDataType a, RelDataType b) {
    return a.getSqlTypeName() == SqlTypeName.UUID && SqlTypeUtil.isCharacter(b);
  }

  /** A NULL where a number is wanted has the least type, so that the other operands decide. */
  @Override
  public @Nullable RelDataType implicitCast(RelDataType in, SqlTypeFamily expected) {
    if (SqlTypeUtil.isNull(in)
        && (expected == SqlTypeFamily.NUMERIC || expected == SqlTypeFamily.EXACT_NUMERIC)) {
      return factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.TINYINT), true);
    }
    return SqlTypeUtil.isCharacter(in) && expected == SqlTypeFamily.NUMERIC
        ? factory.createTypeWithNullability(
            factory.createSqlType(SqlTypeName.DOUBLE), in.isNullable())
        : super.implicitCast(in, expected);
  }

  /**
   * A date and an interval with hours or less are added and subtracted as timestamps, a date and a
   * whole number as so many days.
   */
  @Override
  public boolean binaryArithmeticCoercion(SqlCallBinding binding) {
    boolean isSum =
        binding.getOperandCount() == 2
            && (binding.getCall().getKind() == SqlKind.PLUS
                || binding.getCall().getKind() == SqlKind.MINUS);
    for (int i = 0; isSum && i < 2; i++) {
      RelDataType date = binding.getOperandType(i);
      RelDataType moved = binding.getOperandType(1 - i);
      if (date.getSqlTypeName() == SqlTypeName.DATE
          && SqlTypeName.INT_TYPES.contains(moved.getSqlTypeName())
          && (i == 0 || binding.getCall().getKind() == SqlKind.PLUS)) {
        return counted(binding, 1 - i);
      }
      if (date.getSqlTypeName() == SqlTypeName.DATE
          && SqlTypeUtil.isInterval(moved)
          && hasParts(moved)) {
        RelDataType timestamp = GpTypes.relType(SqlTypeSpec.TIMESTAMP, date.isNullable());
        return coerceOperandType(binding.getScope(), binding.getCall(), i, timestamp);
      }
    }
    return super.binaryArithmeticCoercion(binding);
  }

  /** Makes the whole number at {@code operand} an interval of as many days. */
  private boolean counted(SqlCallBinding binding, int operand) {
    SqlNode days = binding.operand(operand);
    SqlParserPos at = days.getParserPosition();
    SqlNode day = IntervalLiterals.literal(IntervalType.of(IntervalType.Fields.DAY), "1", at);
    SqlNode interval = SqlStdOperatorTable.MULTIPLY.createCall(at, days, day);
    binding.getCall().setOperand(operand, interval);
    updateInferredType(interval, validator.deriveType(binding.getScope(), interval));
    return true;
  }

  /** Whether an interval may have parts of a day. */
  static boolean hasParts(RelDataType interval) {
    IntervalType type = IntervalType.of(interval);
    return !type.fields().isMonths() && type.unit() % TemporalText.MICROS_PER_DAY != 0;
  }

  @Override
  protected boolean binaryArithmeticWithStrings(
      SqlCallBinding binding, RelDataType left, RelDataType right) {
    return SqlTypeUtil.isCharacter(left)
        ? counted(binding, 0, 1, right)
        : SqlTypeUtil.isCharacter(right) && counted(binding, 1, 0, left);
  }

  /** Makes the text at {@code operand} a number where the other operand is one. */
  private boolean counted(SqlCallBinding binding, int operand, int beside, RelDataType number) {
    if (!SqlTypeUtil.isNumeric(number)) {
      return false;
    }
    SqlCall call = binding.getCall();
    SqlValidatorScope scope = binding.getScope();
    SqlNode value = valueOf(call.operand(operand), call.operand(beside), scope);
    if (value == null) {
      return coerceOperandType(scope, call, operand, factory.createSqlType(SqlTypeName.DOUBLE));
    }
    call.setOperand(operand, value);
    return true;
  }
}
