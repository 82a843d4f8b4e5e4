package io.gpdb.planner.bridge;

import static io.gpdb.planner.bridge.BridgeExpressions.isDecimal;
import static io.gpdb.planner.bridge.BridgeExpressions.isFloat;
import static io.gpdb.planner.bridge.BridgeExpressions.isInteger;

import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** Casts between numbers, texts, bytes, dates and times; others stay Calcite's. */
final class CastRewrite {
  private final BridgeExpressions rewrite;

  CastRewrite(BridgeExpressions rewrite) {
    this.rewrite = rewrite;
  }

  /** Casts a value that had the type {@code from} in the query. */
  @Nullable RexNode cast(RelDataType to, RelDataType from, RexNode value) {
    if (from.getSqlTypeName() == SqlTypeName.NULL || BridgeExpressions.isInterval(from)) {
      return null;
    }
    if (SqlTypeUtil.inCharFamily(to)) {
      if (SqlTypeUtil.inCharFamily(from)) {
        return fitted(to, from, value);
      }
      return SqlTypeUtil.isBinary(from) ? digits(to, value) : text(to, from, value);
    }
    if (SqlTypeUtil.inCharFamily(from)) {
      return parsed(to, value);
    }
    if (SqlTypeUtil.isNumeric(to) && SqlTypeUtil.isNumeric(from)) {
      return number(to, value);
    }
    return switch (to.getSqlTypeName()) {
      case BOOLEAN -> SqlTypeUtil.isNumeric(from) ? isNotZero(from, value) : null;
      case DATE, TIME, TIMESTAMP -> temporal(to, from.getSqlTypeName(), value);
      default -> null;
    };
  }

  /** A text at the length of another type of texts. */
  private @Nullable RexNode fitted(RelDataType to, RelDataType from, RexNode value) {
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
        : rewrite.call(
            to, fixed ? "fixedText" : "cutText", value, rewrite.integer(to.getPrecision()));
  }

  /** Bytes as hexadecimal digits, then at the length of the type. */
  private RexNode digits(RelDataType to, RexNode bytes) {
    RelDataType varchar = rewrite.type(SqlTypeName.VARCHAR, bytes.getType().isNullable());
    RexNode digits = rewrite.call(varchar, "bytesToText", bytes);
    RexNode fitted = fitted(to, varchar, digits);
    return fitted == null ? digits : fitted;
  }

  private @Nullable RexNode number(RelDataType to, RexNode value) {
    RelDataType from = value.getType();
    if (isInteger(to)) {
      String function = isDecimal(from) ? "decimalToLong" : isFloat(from) ? "doubleToLong" : null;
      RelDataType bigint = rewrite.type(SqlTypeName.BIGINT, from.isNullable());
      RexNode whole =
          function == null
              ? rewrite.asLong(value)
              : rewrite.call(bigint, function, isFloat(from) ? rewrite.asDouble(value) : value);
      return new ArithmeticRewrite(rewrite).narrowed(to, whole);
    }
    if (isDecimal(to)) {
      return isFloat(from)
          ? decimal(to, "doubleToDecimal", rewrite.asDouble(value))
          : decimal(to, "scaledDecimal", rewrite.asDecimal(value));
    }
    return to.getSqlTypeName() == SqlTypeName.REAL && isFloat(from)
        ? rewrite.call(to, "doubleToReal", rewrite.asDouble(value))
        : null;
  }

  private RexNode decimal(RelDataType to, String function, RexNode value) {
    return rewrite.call(
        to, function, value, rewrite.integer(to.getPrecision()), rewrite.integer(to.getScale()));
  }

  /** A value as text, then at the length of the type. */
  private @Nullable RexNode text(RelDataType to, RelDataType from, RexNode value) {
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
          default -> null;
        };
    if (function == null) {
      return null;
    }
    RelDataType varchar = rewrite.type(SqlTypeName.VARCHAR, from.isNullable());
    RexNode text = rewrite.call(varchar, function, isInteger(from) ? rewrite.asLong(value) : value);
    return to.getPrecision() < 0
        ? text
        : rewrite.call(
            to,
            to.getSqlTypeName() == SqlTypeName.CHAR ? "paddedText" : "boundedText",
            text,
            rewrite.integer(to.getPrecision()));
  }

  private RexNode isNotZero(RelDataType from, RexNode value) {
    return rewrite
        .builder()
        .makeCall(
            SqlStdOperatorTable.NOT_EQUALS,
            isFloat(from) ? rewrite.asDouble(value) : rewrite.asDecimal(value),
            rewrite.builder().makeExactLiteral(BigDecimal.ZERO));
  }

  private @Nullable RexNode parsed(RelDataType to, RexNode text) {
    boolean nullable = text.getType().isNullable();
    return switch (to.getSqlTypeName()) {
      case BOOLEAN -> rewrite.call(to, "textToBoolean", text);
      case TINYINT, SMALLINT, INTEGER, BIGINT ->
          new ArithmeticRewrite(rewrite)
              .narrowed(
                  to, rewrite.call(rewrite.type(SqlTypeName.BIGINT, nullable), "textToLong", text));
      case DECIMAL -> decimal(to, "textToDecimal", text);
      case REAL -> rewrite.call(to, "textToReal", text);
      case FLOAT, DOUBLE -> rewrite.call(to, "textToDouble", text);
      case DATE -> rewrite.call(to, "textToDate", text);
      case TIME -> rewrite.call(to, "textToTime", text, digits(to));
      case TIMESTAMP -> rewrite.call(to, "textToTimestamp", text, digits(to));
      default -> null;
    };
  }

  private RexNode digits(RelDataType time) {
    int digits = time.getPrecision();
    return rewrite.integer(
        digits < 0 || digits > SqlTypeSpec.FRACTION_DIGITS_MAX
            ? SqlTypeSpec.FRACTION_DIGITS_MAX
            : digits);
  }

  private @Nullable RexNode temporal(RelDataType to, SqlTypeName from, RexNode value) {
    return switch (to.getSqlTypeName()) {
      case DATE ->
          from == SqlTypeName.TIMESTAMP
              ? rewrite.call(to, "timestampToDate", value)
              : from == SqlTypeName.TIME ? refused(to, from) : null;
      case TIME ->
          from == SqlTypeName.TIMESTAMP
              ? rounded(to, rewrite.call(to, "timestampToTime", value))
              : from == SqlTypeName.TIME ? rounded(to, value) : refused(to, from);
      case TIMESTAMP ->
          from == SqlTypeName.DATE
              ? rewrite.call(to, "dateToTimestamp", value)
              : from == SqlTypeName.TIMESTAMP ? rounded(to, value) : refused(to, from);
      default -> null;
    };
  }

  private static RexNode refused(RelDataType to, SqlTypeName from) {
    throw new GpdbException(
        ErrorCode.NOT_SUPPORTED, "CAST of " + from + " to " + to.getSqlTypeName());
  }

  /** Fewer fractional digits of the second where the type has fewer than six. */
  private RexNode rounded(RelDataType to, RexNode value) {
    int digits = to.getPrecision();
    return digits < 0 || digits >= 6
        ? value
        : rewrite.call(
            to,
            to.getSqlTypeName() == SqlTypeName.TIME ? "roundedTime" : "roundedMicros",
            value,
            rewrite.integer(digits));
  }
}
