package io.gpdb.planner.bridge;

import io.gpdb.planner.function.MethodCalls;
import io.gpdb.planner.function.RexTypes;
import io.gpdb.planner.text.Characters;
import io.gpdb.sql.type.InstantText;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.type.UuidText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.apache.calcite.util.TimestampWithTimeZoneString;
import org.jspecify.annotations.Nullable;

/** Makes expressions of generated code, with the types that values have in it. */
final class BridgeExpressions {
  private final RexBuilder builder;
  private final MethodCalls methods;

  BridgeExpressions(RexBuilder builder) {
    this.builder = builder;
    this.methods = new MethodCalls(builder, BridgeOperators::scalar);
  }

  MethodCalls methods() {
    return methods;
  }

  RexBuilder builder() {
    return builder;
  }

  /** A call of a function of ours with the type given. */
  RexNode call(RelDataType type, String function, RexNode... arguments) {
    return methods.call(stored(type), function, arguments);
  }

  /**
   * The type in generated code: a TIME needs 64 bits, so it goes as a TIMESTAMP; UUIDs are bytes,
   * instants and intervals numbers.
   */
  RelDataType stored(RelDataType type) {
    if (RexTypes.isInterval(type)) {
      return methods.type(SqlTypeName.BIGINT, type.isNullable());
    }
    return switch (type.getSqlTypeName()) {
      case TIME -> methods.type(SqlTypeName.TIMESTAMP, type.isNullable());
      case UUID -> methods.type(SqlTypeName.VARBINARY, type.isNullable());
      case TIMESTAMP_TZ -> methods.type(SqlTypeName.BIGINT, type.isNullable());
      default -> type;
    };
  }

  /** A literal of a type that generated code lacks, as one of its type there; else null. */
  @Nullable RexNode stored(RexLiteral literal) {
    RelDataType type = stored(literal.getType());
    if (RexTypes.isInterval(literal.getType())) {
      return literal.isNull()
          ? builder.makeNullLiteral(type)
          : builder.makeExactLiteral(RexLiteral.bigDecimalValue(literal), type);
    }
    return switch (literal.getType().getSqlTypeName()) {
      case UUID, TIMESTAMP_TZ ->
          switch (RexLiteral.value(literal)) {
            case UUID uuid ->
                builder.makeLiteral(new ByteString(UuidText.bytes(uuid)), type, false);
            case TimestampWithTimeZoneString instant ->
                builder.makeExactLiteral(BigDecimal.valueOf(InstantText.ofLiteral(instant)), type);
            case null, default -> builder.makeNullLiteral(type);
          };
      default -> null;
    };
  }

  /** The fields of a row with their types in generated code. */
  RelDataType storedRow(RelDataType row) {
    List<RelDataType> types = new ArrayList<>();
    for (RelDataTypeField field : row.getFieldList()) {
      types.add(stored(field.getType()));
    }
    return builder.getTypeFactory().createStructType(types, row.getFieldNames());
  }

  /** A floating point value by which rows are matched, grouped or sorted, without a zero's sign. */
  RexNode asKey(RexNode value) {
    if (!RexTypes.isFloat(value.getType())) {
      return value;
    }
    boolean real = value.getType().getSqlTypeName() == SqlTypeName.REAL;
    return call(value.getType(), real ? "unsignedZeroReal" : "unsignedZero", value);
  }

  /** A value by which rows are sorted or compared: texts in the order of their characters. */
  RexNode asOrder(RexNode value) {
    if (!RexTypes.isText(value) || (value instanceof RexLiteral literal && isOrdered(literal))) {
      return asKey(value);
    }
    return call(methods.type(SqlTypeName.VARCHAR, value.getType().isNullable()), "ordered", value);
  }

  private static boolean isOrdered(RexLiteral literal) {
    String text = literal.getValueAs(String.class);
    return text == null || Characters.ordered(text).equals(text);
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
}
