package io.gpdb.planner.function;

import static io.gpdb.planner.function.RexTypes.isDecimal;
import static io.gpdb.planner.function.RexTypes.isFloat;
import static io.gpdb.planner.function.RexTypes.isInteger;

import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** Casts between numbers, texts, bytes, dates and times; others stay Calcite's. */
public final class CastCalls {
  private CastCalls() {}

  public static @Nullable RexNode cast(MethodCalls made, RexCall call) {
    RexNode value = call.getOperands().getFirst();
    RelDataType to = call.getType();
    RelDataType from = value.getType();
    if (from.getSqlTypeName() == SqlTypeName.NULL) {
      return null;
    }
    RexNode interval = IntervalCalls.cast(made, to, value);
    if (interval != null) {
      return interval;
    }
    if (SqlTypeUtil.inCharFamily(to)) {
      if (SqlTypeUtil.inCharFamily(from)) {
        return fitted(made, to, from, value);
      }
      return SqlTypeUtil.isBinary(from) ? digits(made, to, value) : text(made, to, from, value);
    }
    if (SqlTypeUtil.inCharFamily(from)) {
      return parsed(made, to, value);
    }
    if (to.getSqlTypeName() == SqlTypeName.UUID && from.getSqlTypeName() == SqlTypeName.UUID) {
      return value;
    }
    if (SqlTypeUtil.isNumeric(to) && SqlTypeUtil.isNumeric(from)) {
      return number(made, to, value);
    }
    return switch (to.getSqlTypeName()) {
      case BOOLEAN -> SqlTypeUtil.isNumeric(from) ? isNotZero(made, from, value) : null;
      case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ -> temporal(made, to, from.getSqlTypeName(), value);
      default -> null;
    };
  }

  /** A text at the length of another type of texts. */
  private static @Nullable RexNode fitted(
      MethodCalls made, RelDataType to, RelDataType from, RexNode value) {
    boolean fixed = to.getSqlTypeName() == SqlTypeName.CHAR;
    boolean same = fixed == (from.getSqlTypeName() == SqlTypeName.CHAR);
    boolean fits =
        to.getPrecision() < 0
            || (from.getPrecision() >= 0
                && (fixed
                    ? same && from.getPrecision() == to.getPrecision()
                    : from.getPrecision() <= to.getPrecision()));
    return fits
        ? null
        : made.call(to, fixed ? "fixed" : "cut", value, made.integer(to.getPrecision()));
  }

  /** Bytes as hexadecimal digits, then at the length of the type. */
  private static RexNode digits(MethodCalls made, RelDataType to, RexNode bytes) {
    RelDataType varchar = made.type(SqlTypeName.VARCHAR, bytes.getType().isNullable());
    RexNode digits = made.call(varchar, "bytesToText", bytes);
    RexNode fitted = fitted(made, to, varchar, digits);
    return fitted == null ? digits : fitted;
  }

  private static @Nullable RexNode number(MethodCalls made, RelDataType to, RexNode value) {
    RelDataType from = value.getType();
    if (isInteger(to)) {
      if (isInteger(from) && to.getSqlTypeName() == SqlTypeName.BIGINT) {
        return null;
      }
      String function = isDecimal(from) ? "decimalToLong" : isFloat(from) ? "doubleToLong" : null;
      RelDataType bigint = made.type(SqlTypeName.BIGINT, from.isNullable());
      RexNode whole = function == null ? made.asLong(value) : made.call(bigint, function, value);
      return made.narrowed(to, whole);
    }
    if (isDecimal(to)) {
      return isFloat(from)
          ? decimal(made, to, "doubleToDecimal", value)
          : decimal(made, to, "scaledDecimal", value);
    }
    return to.getSqlTypeName() == SqlTypeName.REAL && isFloat(from)
        ? made.call(to, "doubleToReal", value)
        : null;
  }

  private static RexNode decimal(MethodCalls made, RelDataType to, String function, RexNode value) {
    return made.call(
        to, function, value, made.integer(to.getPrecision()), made.integer(to.getScale()));
  }

  /** A value as text, then at the length of the type. */
  private static @Nullable RexNode text(
      MethodCalls made, RelDataType to, RelDataType from, RexNode value) {
    if (RexTypes.isInterval(from)) {
      SqlTypeSpec spec = IntervalType.of(from).spec();
      RelDataType varchar = made.type(SqlTypeName.VARCHAR, from.isNullable());
      return bounded(
          made,
          to,
          made.call(
              varchar,
              "intervalToText",
              value,
              made.integer(spec.precision()),
              made.integer(spec.scale())));
    }
    String function =
        switch (from.getSqlTypeName()) {
          case BOOLEAN -> "booleanToText";
          case TINYINT, SMALLINT, INTEGER, BIGINT -> "longToText";
          case DECIMAL -> "decimalToText";
          case REAL -> "realToText";
          case FLOAT, DOUBLE -> "doubleToText";
          case DATE -> "dateToText";
          case TIME -> "timeToText";
          case TIMESTAMP -> "timestampToText";
          case TIMESTAMP_TZ -> "instantToText";
          case UUID -> "uuidToText";
          default -> null;
        };
    if (function == null) {
      return null;
    }
    RelDataType varchar = made.type(SqlTypeName.VARCHAR, from.isNullable());
    return bounded(made, to, made.call(varchar, function, value));
  }

  /** A text of a value, which must have room in the type. */
  private static RexNode bounded(MethodCalls made, RelDataType to, RexNode text) {
    if (to.getPrecision() < 0) {
      return text;
    }
    RexNode length = made.integer(to.getPrecision());
    RexNode bounded = made.call(to, "bounded", text, length);
    return to.getSqlTypeName() == SqlTypeName.CHAR
        ? made.call(to, "fixed", bounded, length)
        : bounded;
  }

  private static RexNode isNotZero(MethodCalls made, RelDataType from, RexNode value) {
    return made.builder()
        .makeCall(
            SqlStdOperatorTable.NOT_EQUALS,
            isFloat(from) ? made.asDouble(value) : made.asDecimal(value),
            made.builder().makeExactLiteral(BigDecimal.ZERO));
  }

  private static @Nullable RexNode parsed(MethodCalls made, RelDataType to, RexNode text) {
    return switch (to.getSqlTypeName()) {
      case BOOLEAN -> made.call(to, "textToBoolean", text);
      case TINYINT -> made.call(to, "textToTinyint", text);
      case SMALLINT -> made.call(to, "textToSmallint", text);
      case INTEGER -> made.call(to, "textToInteger", text);
      case BIGINT -> made.call(to, "textToLong", text);
      case DECIMAL -> decimal(made, to, "textToDecimal", text);
      case REAL -> made.call(to, "textToReal", text);
      case FLOAT, DOUBLE -> made.call(to, "textToDouble", text);
      case DATE -> made.call(to, "textToDate", text);
      case TIME -> made.call(to, "textToTime", text, digits(made, to));
      case TIMESTAMP -> made.call(to, "textToTimestamp", text, digits(made, to));
      case TIMESTAMP_TZ -> made.call(to, "textToInstant", text, digits(made, to));
      case UUID -> made.call(to, "textToUuid", text);
      default -> null;
    };
  }

  private static RexNode digits(MethodCalls made, RelDataType time) {
    int digits = time.getPrecision();
    return made.integer(
        digits < 0 || digits > SqlTypeSpec.FRACTION_DIGITS_MAX
            ? SqlTypeSpec.FRACTION_DIGITS_MAX
            : digits);
  }

  private static @Nullable RexNode temporal(
      MethodCalls made, RelDataType to, SqlTypeName from, RexNode value) {
    if (from == SqlTypeName.TIMESTAMP_TZ && to.getSqlTypeName() != from) {
      RelDataType timestamp = made.type(SqlTypeName.TIMESTAMP, value.getType().isNullable());
      RexNode local = made.call(timestamp, "instantToTimestamp", value);
      return temporal(made, to, SqlTypeName.TIMESTAMP, local);
    }
    return switch (to.getSqlTypeName()) {
      case TIMESTAMP_TZ -> instant(made, to, from, value);
      case DATE ->
          from == SqlTypeName.TIMESTAMP
              ? made.call(to, "timestampToDate", value)
              : from == SqlTypeName.TIME ? refused(to, from) : null;
      case TIME ->
          from == SqlTypeName.TIMESTAMP
              ? rounded(made, to, made.call(to, "timestampToTime", value))
              : from == SqlTypeName.TIME ? rounded(made, to, value) : refused(to, from);
      case TIMESTAMP ->
          from == SqlTypeName.DATE
              ? made.call(to, "dateToTimestamp", value)
              : from == SqlTypeName.TIMESTAMP ? rounded(made, to, value) : refused(to, from);
      default -> null;
    };
  }

  private static RexNode instant(
      MethodCalls made, RelDataType to, SqlTypeName from, RexNode value) {
    return switch (from) {
      case TIMESTAMP_TZ -> rounded(made, to, value);
      case TIMESTAMP -> rounded(made, to, made.call(to, "timestampToInstant", value));
      case DATE -> {
        RelDataType timestamp = made.type(SqlTypeName.TIMESTAMP, value.getType().isNullable());
        RexNode midnight = made.call(timestamp, "dateToTimestamp", value);
        yield made.call(to, "timestampToInstant", midnight);
      }
      default -> refused(to, from);
    };
  }

  private static RexNode refused(RelDataType to, SqlTypeName from) {
    throw new GpdbException(
        ErrorCode.NOT_SUPPORTED, "CAST of " + from + " to " + to.getSqlTypeName());
  }

  /** Fewer fractional digits of the second where the type has fewer than six. */
  private static RexNode rounded(MethodCalls made, RelDataType to, RexNode value) {
    int digits = to.getPrecision();
    return digits < 0 || digits >= 6
        ? value
        : made.call(
            to,
            to.getSqlTypeName() == SqlTypeName.TIME ? "roundedTime" : "roundedMicros",
            value,
            made.integer(digits));
  }
}
