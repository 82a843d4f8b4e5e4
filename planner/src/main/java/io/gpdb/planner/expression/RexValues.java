package io.gpdb.planner.expression;

import io.gpdb.planner.function.CastFunctions;
import io.gpdb.planner.function.NumberFunctions;
import io.gpdb.planner.function.OutOfRange;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.InstantText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.type.UuidText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.Calendar;
import java.util.Objects;
import java.util.UUID;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.apache.calcite.util.TimestampWithTimeZoneString;
import org.jspecify.annotations.Nullable;

/** Types, literals and parameters of row expressions as the engine has them. */
public final class RexValues {
  private RexValues() {}

  /** A parameter without a cast to its own kind: assigning it to a column does the same. */
  public static RexNode bareParameter(RexNode value) throws NotCovered {
    if (value.getKind() != SqlKind.CAST
        || !(((RexCall) value).getOperands().getFirst() instanceof RexDynamicParam parameter)) {
      return value;
    }
    SqlTypeSpec given = spec(parameter.getType());
    SqlTypeSpec wanted = spec(value.getType());
    boolean same = given.kind() == wanted.kind() && given.scale() == wanted.scale();
    return same && !given.kind().isString() ? parameter : value;
  }

  /** One bound value as an object. */
  public static @Nullable Object value(ParameterValues values, int index, SqlTypeSpec type) {
    if (values.isNull(index)) {
      return null;
    }
    return type.kind().isString()
        ? HostValue.ofBytes(type, values.bytes(index))
        : HostValue.ofRaw(type, values.raw(index));
  }

  /** The stored type of an expression. */
  public static SqlTypeSpec spec(RelDataType type) throws NotCovered {
    if (type.getSqlTypeName() == SqlTypeName.NULL) {
      return SqlTypeSpec.VARCHAR;
    }
    try {
      return GpTypes.spec(type);
    } catch (GpdbException e) {
      throw new NotCovered("type " + GpTypes.named(type));
    }
  }

  /** A literal's value. */
  public static @Nullable Object literal(RexLiteral literal) throws NotCovered {
    if (literal.isNull()) {
      return null;
    }
    Comparable<?> value = Objects.requireNonNull(RexLiteral.value(literal), "literal");
    if (SqlTypeName.INTERVAL_TYPES.contains(literal.getType().getSqlTypeName())) {
      return ((BigDecimal) value).longValueExact();
    }
    return switch (value) {
      case Boolean bool -> bool;
      case NlsString text -> text.getValue();
      case ByteString bytes -> bytes.getBytes();
      case TimestampWithTimeZoneString instant -> InstantText.ofLiteral(instant);
      case UUID uuid -> UuidText.bytes(uuid);
      case BigDecimal number -> number(number, spec(literal.getType()));
      case DateString date -> (long) date.getDaysSinceEpoch();
      case TimeString time -> TemporalText.parseTime(time.toString());
      case TimestampString timestamp -> TemporalText.parseTimestamp(timestamp.toString());
      case Double number when !Double.isFinite(number) ->
          throw new GpdbException(
              ErrorCode.NUMERIC_OUT_OF_RANGE, "a number of the statement is beyond DOUBLE");
      case Double number -> number(BigDecimal.valueOf(number), spec(literal.getType()));
      case Calendar ignored -> throw new NotCovered("calendar literal");
      default -> throw new NotCovered("literal " + literal);
    };
  }

  private static Object number(BigDecimal number, SqlTypeSpec type) {
    return switch (type.kind()) {
      case TINYINT -> (long) NumberFunctions.toTinyint(CastFunctions.decimalToLong(number));
      case SMALLINT -> (long) NumberFunctions.toSmallint(CastFunctions.decimalToLong(number));
      case INTEGER -> (long) NumberFunctions.toInteger(CastFunctions.decimalToLong(number));
      case BIGINT -> CastFunctions.decimalToLong(number);
      case REAL -> {
        float real = number.floatValue();
        if (Float.isInfinite(real)) {
          throw OutOfRange.of(number, type);
        }
        yield real;
      }
      case DOUBLE -> number.doubleValue();
      default -> number;
    };
  }
}
