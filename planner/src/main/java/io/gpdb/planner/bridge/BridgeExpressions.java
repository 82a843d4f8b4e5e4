package io.gpdb.planner.bridge;

import io.gpdb.planner.text.Characters;
import io.gpdb.sql.type.TemporalText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/** Makes expressions of generated code, with the types that values have in it. */
final class BridgeExpressions {
  private final RexBuilder builder;

  BridgeExpressions(RexBuilder builder) {
    this.builder = builder;
  }

  RexBuilder builder() {
    return builder;
  }

  /** A call of a function of ours with the type given. */
  RexNode call(RelDataType type, String function, RexNode... arguments) {
    return builder.makeCall(
        stored(type), BridgeOperators.scalar(function), Arrays.asList(arguments));
  }

  /** The type in generated code: a TIME needs 64 bits, so it goes as a TIMESTAMP. */
  RelDataType stored(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.TIME
        ? type(SqlTypeName.TIMESTAMP, type.isNullable())
        : type;
  }

  /** The fields of a row with their types in generated code. */
  RelDataType storedRow(RelDataType row) {
    List<RelDataType> types = new ArrayList<>();
    for (RelDataTypeField field : row.getFieldList()) {
      types.add(stored(field.getType()));
    }
    return builder.getTypeFactory().createStructType(types, row.getFieldNames());
  }

  RexNode integer(int value) {
    return builder.makeExactLiteral(BigDecimal.valueOf(value));
  }

  RexNode text(String value) {
    return builder.makeLiteral(value);
  }

  RelDataType type(SqlTypeName name, boolean nullable) {
    return builder
        .getTypeFactory()
        .createTypeWithNullability(builder.getTypeFactory().createSqlType(name), nullable);
  }

  /** The value of an integer type as BIGINT. */
  RexNode asLong(RexNode value) {
    return value.getType().getSqlTypeName() == SqlTypeName.BIGINT
        ? value
        : builder.makeAbstractCast(
            type(SqlTypeName.BIGINT, value.getType().isNullable()), value, false);
  }

  RexNode asDouble(RexNode value) {
    SqlTypeName name = value.getType().getSqlTypeName();
    return name == SqlTypeName.DOUBLE || name == SqlTypeName.FLOAT
        ? value
        : builder.makeAbstractCast(
            type(SqlTypeName.DOUBLE, value.getType().isNullable()), value, false);
  }

  /** The value of an exact type as DECIMAL, of any number of digits. */
  RexNode asDecimal(RexNode value) {
    if (value.getType().getSqlTypeName() == SqlTypeName.DECIMAL) {
      return value;
    }
    RelDataType decimal =
        builder
            .getTypeFactory()
            .createTypeWithNullability(
                builder.getTypeFactory().createSqlType(SqlTypeName.DECIMAL, 18, 0),
                value.getType().isNullable());
    return call(decimal, "decimalOf", asLong(value));
  }

  /** A floating point value by which rows are matched, grouped or sorted, without a zero's sign. */
  RexNode asKey(RexNode value) {
    if (!isFloat(value.getType())) {
      return value;
    }
    boolean real = value.getType().getSqlTypeName() == SqlTypeName.REAL;
    return call(value.getType(), real ? "unsignedZeroReal" : "unsignedZero", value);
  }

  /** A value by which rows are sorted or compared: texts in the order of their characters. */
  RexNode asOrder(RexNode value) {
    if (!isText(value) || (value instanceof RexLiteral literal && isOrdered(literal))) {
      return asKey(value);
    }
    return call(type(SqlTypeName.VARCHAR, value.getType().isNullable()), "ordered", value);
  }

  private static boolean isOrdered(RexLiteral literal) {
    String text = literal.getValueAs(String.class);
    return text == null || Characters.ordered(text).equals(text);
  }

  static boolean isInteger(RelDataType type) {
    return SqlTypeName.INT_TYPES.contains(type.getSqlTypeName());
  }

  static boolean isDecimal(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DECIMAL;
  }

  static boolean isFloat(RelDataType type) {
    return SqlTypeName.APPROX_TYPES.contains(type.getSqlTypeName());
  }

  static boolean isInterval(RelDataType type) {
    return SqlTypeName.INTERVAL_TYPES.contains(type.getSqlTypeName());
  }

  /** Whether values of the type are microseconds, where Calcite would have milliseconds. */
  static boolean isClock(RelDataType type) {
    SqlTypeName name = type.getSqlTypeName();
    return name == SqlTypeName.TIME || name == SqlTypeName.TIMESTAMP;
  }

  /** Microseconds of a TIME or TIMESTAMP literal. */
  static long micros(RexLiteral literal) {
    if (literal.getType().getSqlTypeName() == SqlTypeName.TIME) {
      TimeString time = literal.getValueAs(TimeString.class);
      return TemporalText.parseTime(String.valueOf(time));
    }
    TimestampString timestamp = literal.getValueAs(TimestampString.class);
    return TemporalText.parseTimestamp(String.valueOf(timestamp));
  }

  static boolean isText(RexNode value) {
    return SqlTypeName.CHAR_TYPES.contains(value.getType().getSqlTypeName());
  }
}
