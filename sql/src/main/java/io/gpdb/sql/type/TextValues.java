package io.gpdb.sql.type;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Texts as values of types that are no strings: one reading for CAST, bound values and COPY. Digits
 * beyond the type's are rounded half up; a text that is no value raises 22018, 22007, 22008 or
 * 22003.
 */
public final class TextValues {
  private TextValues() {}

  /** The raw bits of the value of the type that a text spells. */
  public static long raw(SqlTypeSpec type, String text) {
    try {
      return switch (type.kind()) {
        case BOOLEAN -> ScalarText.parseBoolean(text) ? 1 : 0;
        case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> exact(type, text);
        case REAL -> Float.floatToRawIntBits(ScalarText.parseReal(text));
        case DOUBLE -> Double.doubleToRawLongBits(ScalarText.parseDouble(text));
        case DATE -> TemporalText.parseDate(text);
        case TIME ->
            // The end of the day is the beginning of the next.
            TemporalText.rounded(TemporalText.parseTime(text), type.precision())
                % TemporalText.MICROS_PER_DAY;
        case TIMESTAMP ->
            TemporalText.checkedTimestamp(
                TemporalText.rounded(TemporalText.parseTimestamp(text), type.precision()));
        case TIMESTAMP_TZ ->
            InstantText.checked(TemporalText.rounded(InstantText.parse(text), type.precision()));
        case INTERVAL_MONTHS, INTERVAL_MICROS -> IntervalType.of(type).parse(text);
        case WIDE_DECIMAL, CHAR, VARCHAR, VARBINARY, UUID ->
            throw new IllegalArgumentException(type + " has no raw bits");
      };
    } catch (NumberFormatException e) {
      throw ScalarText.notA(text, type.toString());
    }
  }

  /** The decimal of the type that a text spells. */
  public static BigDecimal wideDecimal(SqlTypeSpec type, String text) {
    try {
      BigDecimal rounded =
          ScalarText.parseNumber(text).setScale(type.scale(), RoundingMode.HALF_UP);
      if (rounded.precision() > type.precision()) {
        throw outOfRange(type, text);
      }
      return rounded;
    } catch (NumberFormatException e) {
      throw ScalarText.notA(text, type.toString());
    }
  }

  private static long exact(SqlTypeSpec type, String text) {
    BigDecimal rounded = ScalarText.parseNumber(text).setScale(type.scale(), RoundingMode.HALF_UP);
    long raw = rounded.unscaledValue().longValue();
    boolean fits =
        rounded.unscaledValue().bitLength() < Long.SIZE
            && switch (type.kind()) {
              case TINYINT -> raw == (byte) raw;
              case SMALLINT -> raw == (short) raw;
              case INTEGER -> raw == (int) raw;
              case DECIMAL -> rounded.precision() <= type.precision();
              default -> true;
            };
    if (!fits) {
      throw outOfRange(type, text);
    }
    return raw;
  }

  private static GpdbException outOfRange(SqlTypeSpec type, String text) {
    return new GpdbException(
        ErrorCode.NUMERIC_OUT_OF_RANGE, "'" + text.strip() + "' is out of range for " + type);
  }
}
