package io.gpdb.planner.bridge;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.Utf8;
import io.gpdb.sql.type.WideDecimal;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Values as the bridge passes them, in and out: Boolean; Byte, Short, Integer, Long; Float, Double;
 * BigDecimal with the scale of its type; Integer days of a DATE; Long microseconds of a TIME or
 * TIMESTAMP; String; {@link ByteString}, also of a UUID; null for NULL.
 */
public final class BridgeValues {
  private BridgeValues() {}

  /** The value of raw bits of a type that is not a string. */
  public static Object ofRaw(SqlTypeSpec type, long raw) {
    return switch (type.kind()) {
      case BOOLEAN -> raw != 0;
      case TINYINT -> (byte) raw;
      case SMALLINT -> (short) raw;
      case INTEGER, DATE -> (int) raw;
      case BIGINT, TIME, TIMESTAMP, TIMESTAMP_TZ, INTERVAL_MONTHS, INTERVAL_MICROS -> raw;
      case REAL -> Float.intBitsToFloat((int) raw);
      case DOUBLE -> Double.longBitsToDouble(raw);
      case DECIMAL -> BigDecimal.valueOf(raw, type.scale());
      case WIDE_DECIMAL, CHAR, VARCHAR, VARBINARY, UUID ->
          throw new IllegalArgumentException(type + " has no bits");
    };
  }

  /** Raw bits of a value of a type that is not a string; a DECIMAL is rounded half up. */
  public static long toRaw(SqlTypeSpec type, Object value) {
    return switch (type.kind().form()) {
      case TRUTH -> (Boolean) value ? 1 : 0;
      case WHOLE -> ((Number) value).longValue();
      case REAL -> Float.floatToRawIntBits(((Number) value).floatValue());
      case DOUBLE -> Double.doubleToRawLongBits(((Number) value).doubleValue());
      case SCALED -> HostValue.raw(type, decimal(value));
      case CODE -> throw new IllegalArgumentException(type + " has no bits");
    };
  }

  private static BigDecimal decimal(Object value) {
    return value instanceof BigDecimal decimal
        ? decimal
        : BigDecimal.valueOf(((Number) value).longValue());
  }

  /** The value of the bytes of a string type. */
  public static Object ofBytes(SqlTypeSpec type, byte[] bytes) {
    return switch (type.kind()) {
      case WIDE_DECIMAL -> WideDecimal.number(bytes, type.scale());
      case CHAR, VARCHAR -> new String(bytes, StandardCharsets.UTF_8);
      default -> new ByteString(bytes);
    };
  }

  /** The bytes of a value of a string type. */
  public static byte[] toBytes(SqlTypeSpec type, @Nullable Object value) {
    return switch (value) {
      case null -> throw new IllegalArgumentException("NULL has no bytes");
      case Number number -> HostValue.bytes(type, decimal(number));
      case ByteString bytes -> bytes.getBytes();
      case byte[] bytes -> bytes;
      default -> Utf8.bytes(value.toString());
    };
  }
}
