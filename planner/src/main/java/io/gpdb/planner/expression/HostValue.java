package io.gpdb.planner.expression;

import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.Utf8;
import io.gpdb.sql.type.WideDecimal;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Values of SQL on the host as objects: Boolean; Long for SMALLINT, INTEGER, BIGINT, DATE (days),
 * TIME and TIMESTAMP (microseconds); BigDecimal; Float; Double; String; byte[], also of a UUID;
 * null for NULL.
 */
public final class HostValue {
  private HostValue() {}

  /** From raw bits of a fixed-width type. */
  public static Object ofRaw(SqlTypeSpec type, long raw) {
    return switch (type.kind().form()) {
      case TRUTH -> raw != 0;
      case WHOLE -> raw;
      case REAL -> Float.intBitsToFloat((int) raw);
      case DOUBLE -> Double.longBitsToDouble(raw);
      case SCALED -> BigDecimal.valueOf(raw, type.scale());
      case CODE -> throw new IllegalArgumentException(type + " has no raw bits");
    };
  }

  /** From the bytes of a type that is stored as byte strings. */
  public static Object ofBytes(SqlTypeSpec type, byte[] bytes) {
    return switch (type.kind()) {
      case CHAR, VARCHAR -> new String(bytes, StandardCharsets.UTF_8);
      case WIDE_DECIMAL -> WideDecimal.number(bytes, type.scale());
      default -> bytes;
    };
  }

  /** Raw bits of a value of the fixed-width type; DECIMAL is brought to the type's scale. */
  public static long raw(SqlTypeSpec type, Object value) {
    return switch (type.kind().form()) {
      case TRUTH -> (Boolean) value ? 1 : 0;
      case WHOLE -> (Long) value;
      case REAL -> Float.floatToRawIntBits((Float) value);
      case DOUBLE -> Double.doubleToRawLongBits((Double) value);
      case SCALED -> unscaled((BigDecimal) value, type);
      case CODE -> throw new IllegalArgumentException(type + " has no raw bits");
    };
  }

  private static long unscaled(BigDecimal value, SqlTypeSpec type) {
    BigDecimal scaled = value.setScale(type.scale(), RoundingMode.HALF_UP);
    if (scaled.precision() > SqlTypeSpec.NARROW_DIGITS_MAX) {
      throw outOfRange(value, type);
    }
    return scaled.unscaledValue().longValueExact();
  }

  private static GpdbException outOfRange(BigDecimal value, SqlTypeSpec type) {
    return new GpdbException(
        ErrorCode.NUMERIC_OUT_OF_RANGE, value.toPlainString() + " is out of range for " + type);
  }

  /** Bytes of a value of a type that is stored as byte strings. */
  public static byte[] bytes(SqlTypeSpec type, Object value) {
    return type.kind() == SqlTypeSpec.Kind.WIDE_DECIMAL
        ? wideBytes(exact(value), type)
        : bytes(value);
  }

  private static byte[] wideBytes(BigDecimal value, SqlTypeSpec type) {
    BigDecimal scaled = value.setScale(type.scale(), RoundingMode.HALF_UP);
    if (scaled.precision() > SqlTypeSpec.DECIMAL_DIGITS_MAX) {
      throw outOfRange(value, type);
    }
    return WideDecimal.bytes(scaled, type.scale());
  }

  /** Bytes of a text or of bytes. */
  public static byte[] bytes(Object value) {
    return value instanceof byte[] bytes ? bytes : Utf8.bytes((String) value);
  }

  /** SQL's order of two values of one type; strings by code point, floats in total order. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  public static int compare(Object a, Object b) {
    if (a instanceof byte[] x) {
      return java.util.Arrays.compareUnsigned(x, (byte[]) b);
    }
    if (a instanceof String x) {
      return java.util.Arrays.compareUnsigned(bytes(x), bytes(b));
    }
    if (a instanceof Double x) {
      double y = (Double) b;
      return x == y ? 0 : Double.compare(x, y);
    }
    if (a instanceof Float x) {
      float y = (Float) b;
      return x == y ? 0 : Float.compare(x, y);
    }
    return ((Comparable) a).compareTo(b);
  }

  /** An exact number as a decimal. */
  public static BigDecimal exact(Object value) {
    return value instanceof Long number ? BigDecimal.valueOf(number) : (BigDecimal) value;
  }

  public static boolean isTrue(@Nullable Object value) {
    return value != null && (Boolean) value;
  }
}
