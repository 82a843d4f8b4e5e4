package io.gpdb.planner.expression;

import io.gpdb.planner.text.Characters;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.ScalarText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.type.TextValues;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** CAST and assignment between types on the host. */
public final class HostCasts {
  /** Characters of a value that messages show. */
  private static final int SHOWN_MAX = 60;

  private HostCasts() {}

  /**
   * The value as one of type {@code to}. CAST cuts texts that are too long, and the digits of
   * bytes, but raises for other values, whose digits must not get lost.
   */
  public static Object cast(Object value, SqlTypeSpec from, SqlTypeSpec to) {
    if (value instanceof String text && !to.kind().isString()) {
      return HostValue.ofRaw(to, TextValues.raw(to, text));
    }
    return switch (to.kind()) {
      case BOOLEAN -> toBoolean(value);
      case SMALLINT, INTEGER, BIGINT -> exactLong(decimal(value, to), to);
      case REAL -> toReal(value, to);
      case DOUBLE -> value instanceof Float f ? (double) f : decimalOrDouble(value, to);
      case DECIMAL -> toDecimal(decimal(value, to), to);
      case DATE -> toDate(value, from);
      case TIME ->
          TemporalText.rounded(toTime(value, from), to.precision()) % TemporalText.MICROS_PER_DAY;
      case TIMESTAMP ->
          TemporalText.checkedTimestamp(
              TemporalText.rounded(toTimestamp(value, from), to.precision()));
      case CHAR, VARCHAR -> fitted(text(value, from), from, to);
      case VARBINARY -> HostValue.bytes(value);
    };
  }

  static long exactLong(BigDecimal value, SqlTypeSpec type) {
    BigDecimal rounded = value.setScale(0, RoundingMode.HALF_UP);
    if (rounded.toBigInteger().bitLength() > 63) {
      throw HostCompiler.outOfRange(value.toPlainString(), type);
    }
    return inRange(rounded.longValue(), type);
  }

  static long inRange(long value, SqlTypeSpec type) {
    boolean fits =
        switch (type.kind()) {
          case SMALLINT -> value == (short) value;
          case INTEGER -> value == (int) value;
          default -> true;
        };
    if (!fits) {
      throw HostCompiler.outOfRange(value, type);
    }
    return value;
  }

  static BigDecimal toDecimal(BigDecimal value, SqlTypeSpec to) {
    BigDecimal scaled = HostCompiler.rounded(value, to.scale());
    if (scaled.precision() > to.precision()) {
      throw HostCompiler.outOfRange(value.toPlainString(), to);
    }
    return scaled;
  }

  private static boolean toBoolean(Object value) {
    return switch (value) {
      case Boolean bool -> bool;
      case Long number -> number != 0;
      case BigDecimal number -> number.signum() != 0;
      case Double number -> number != 0;
      case Float number -> number != 0;
      default -> throw notA(value.toString(), SqlTypeSpec.BOOLEAN);
    };
  }

  private static Object toReal(Object value, SqlTypeSpec to) {
    if (value instanceof Float) {
      return value;
    }
    double wide = decimalOrDouble(value, to);
    float narrowed = (float) wide;
    if (Float.isInfinite(narrowed) && !Double.isInfinite(wide)) {
      throw HostCompiler.outOfRange(value, to);
    }
    return narrowed;
  }

  private static double decimalOrDouble(Object value, SqlTypeSpec to) {
    return switch (value) {
      case Double number -> number;
      case Float number -> number;
      default -> decimal(value, to).doubleValue();
    };
  }

  /** A number, or a boolean read as one. */
  static BigDecimal decimal(Object value, SqlTypeSpec to) {
    return switch (value) {
      case BigDecimal number -> number;
      case Long number -> BigDecimal.valueOf(number);
      case Double number when Double.isFinite(number) -> new BigDecimal(number);
      case Float number when Float.isFinite(number) -> new BigDecimal(number);
      case Double number -> throw HostCompiler.outOfRange(number, to);
      case Float number -> throw HostCompiler.outOfRange(number, to);
      case Boolean bool -> bool ? BigDecimal.ONE : BigDecimal.ZERO;
      default -> throw notA(value.toString(), to);
    };
  }

  private static Object toDate(Object value, SqlTypeSpec from) {
    long number = time(value, from);
    return from.kind() == Kind.TIMESTAMP
        ? Math.floorDiv(number, TemporalText.MICROS_PER_DAY)
        : number;
  }

  private static long time(Object value, SqlTypeSpec from) {
    if (value instanceof Long time && from.kind().isTemporal()) {
      return time;
    }
    throw new GpdbException(SqlCondition.TYPE_MISMATCH, from + " cannot be cast to a date or time");
  }

  private static long toTime(Object value, SqlTypeSpec from) {
    long number = time(value, from);
    return from.kind() == Kind.TIMESTAMP
        ? Math.floorMod(number, TemporalText.MICROS_PER_DAY)
        : number;
  }

  private static long toTimestamp(Object value, SqlTypeSpec from) {
    long number = time(value, from);
    return from.kind() == Kind.DATE
        ? Math.multiplyExact(number, TemporalText.MICROS_PER_DAY)
        : number;
  }

  /** A value as text, as a cast to VARCHAR gives it. */
  public static String text(Object value, SqlTypeSpec from) {
    return switch (from.kind()) {
      case BOOLEAN -> (Boolean) value ? "TRUE" : "FALSE";
      case DATE -> TemporalText.formatDate(Math.toIntExact((Long) value));
      case TIME -> TemporalText.formatTime((Long) value);
      case TIMESTAMP -> TemporalText.formatTimestamp((Long) value);
      case DECIMAL -> ((BigDecimal) value).toPlainString();
      case VARBINARY -> HexFormat.of().formatHex((byte[]) value);
      default -> value.toString();
    };
  }

  /** A value as messages show it. */
  public static String shown(@Nullable Object value, SqlTypeSpec type) {
    if (value == null) {
      return "NULL";
    }
    String text = text(value, type);
    String cut = text.length() > SHOWN_MAX ? Characters.left(text, SHOWN_MAX) + "…" : text;
    return type.kind().isNumeric() ? cut : "'" + cut + "'";
  }

  private static String fitted(String text, SqlTypeSpec from, SqlTypeSpec to) {
    int max = to.precision();
    if (max == SqlTypeSpec.UNBOUNDED) {
      return text;
    }
    String held = from.kind().isString() ? text : Characters.bounded(text, max);
    return to.kind() == Kind.CHAR ? Characters.fixed(held, max) : Characters.cut(held, max);
  }

  private static GpdbException notA(String text, SqlTypeSpec type) {
    return ScalarText.notA(text, type.toString());
  }
}
