package io.gpdb.planner.function;

import io.gpdb.sql.type.InstantText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.type.TextValues;
import io.gpdb.sql.type.UuidText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.function.Strict;

/** Casts by the types of what is cast; no argument is NULL. */
@Strict
public final class CastFunctions {
  private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  private CastFunctions() {}

  public static long decimalToLong(BigDecimal a) {
    BigDecimal whole = a.setScale(0, RoundingMode.HALF_UP);
    if (whole.compareTo(LONG_MIN) < 0 || whole.compareTo(LONG_MAX) > 0) {
      throw OutOfRange.of(a.toPlainString(), "BIGINT");
    }
    return whole.longValueExact();
  }

  public static long doubleToLong(double a) {
    if (Double.isNaN(a) || Double.isInfinite(a)) {
      throw OutOfRange.of(a, "BIGINT");
    }
    return decimalToLong(new BigDecimal(a));
  }

  public static BigDecimal doubleToDecimal(double a, int precision, int scale) {
    if (Double.isNaN(a) || Double.isInfinite(a)) {
      throw OutOfRange.of(a, "DECIMAL(" + precision + ", " + scale + ")");
    }
    return NumberFunctions.scaledDecimal(new BigDecimal(a), precision, scale);
  }

  public static float doubleToReal(double a) {
    float real = (float) a;
    if (Float.isInfinite(real) && !Double.isInfinite(a)) {
      throw OutOfRange.of(a, "REAL");
    }
    return real;
  }

  public static String booleanToText(boolean a) {
    return a ? "TRUE" : "FALSE";
  }

  public static String longToText(long a) {
    return Long.toString(a);
  }

  public static String decimalToText(BigDecimal a) {
    return a.toPlainString();
  }

  public static String realToText(float a) {
    return Float.toString(a);
  }

  public static String doubleToText(double a) {
    return Double.toString(a);
  }

  public static String dateToText(int days) {
    return TemporalText.formatDate(days);
  }

  public static String bytesToText(ByteString bytes) {
    return bytes.toString(16);
  }

  public static String instantToText(long micros) {
    return InstantText.format(micros);
  }

  public static long textToInstant(String text, int digits) {
    return TextValues.raw(new SqlTypeSpec(SqlTypeSpec.Kind.TIMESTAMP_TZ, digits, 0), text);
  }

  public static long instantToTimestamp(long micros) {
    return InstantText.toLocal(micros);
  }

  public static long timestampToInstant(long micros) {
    return InstantText.ofLocal(micros);
  }

  public static String uuidToText(ByteString uuid) {
    return UuidText.format(uuid.getBytes());
  }

  public static ByteString textToUuid(String text) {
    return new ByteString(UuidText.parse(text));
  }

  public static String timeToText(long micros) {
    return TemporalText.formatTime(micros);
  }

  public static String timestampToText(long micros) {
    return TemporalText.formatTimestamp(micros);
  }

  public static boolean textToBoolean(String text) {
    return TextValues.raw(SqlTypeSpec.BOOLEAN, text) != 0;
  }

  public static byte textToTinyint(String text) {
    return (byte) TextValues.raw(SqlTypeSpec.TINYINT, text);
  }

  public static short textToSmallint(String text) {
    return (short) TextValues.raw(SqlTypeSpec.SMALLINT, text);
  }

  public static int textToInteger(String text) {
    return (int) TextValues.raw(SqlTypeSpec.INTEGER, text);
  }

  public static long textToLong(String text) {
    return TextValues.raw(SqlTypeSpec.BIGINT, text);
  }

  public static BigDecimal textToDecimal(String text, int precision, int scale) {
    SqlTypeSpec type = SqlTypeSpec.decimal(precision, scale);
    return type.kind() == SqlTypeSpec.Kind.DECIMAL
        ? BigDecimal.valueOf(TextValues.raw(type, text), scale)
        : TextValues.wideDecimal(type, text);
  }

  public static double textToDouble(String text) {
    return Double.longBitsToDouble(TextValues.raw(SqlTypeSpec.DOUBLE, text));
  }

  public static float textToReal(String text) {
    return Float.intBitsToFloat((int) TextValues.raw(SqlTypeSpec.REAL, text));
  }

  public static int textToDate(String text) {
    return (int) TextValues.raw(SqlTypeSpec.DATE, text);
  }

  public static long textToTime(String text, int digits) {
    return TextValues.raw(new SqlTypeSpec(SqlTypeSpec.Kind.TIME, digits, 0), text);
  }

  public static long textToTimestamp(String text, int digits) {
    return TextValues.raw(new SqlTypeSpec(SqlTypeSpec.Kind.TIMESTAMP, digits, 0), text);
  }
}
