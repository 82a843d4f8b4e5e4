package io.gpdb.planner.statement;

import io.gpdb.planner.text.TextLimit;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.InstantText;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.ScalarText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.type.TextValues;
import io.gpdb.sql.type.Utf8;
import io.gpdb.sql.type.UuidText;
import io.gpdb.storage.error.ErrorCondition;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Brings a bound value to its parameter's type; rounding is half up, what does not fit raises. */
final class ParameterConversion {
  /** Zeros after the point that no type has: a number with more of them is nearly nothing. */
  private static final int TINY_ZEROS = 100;

  /** More than any type has, before the point or after it. */
  private static final int WHOLE_DIGITS_MAX = 40;

  private ParameterConversion() {}

  static void setLong(ParameterColumn column, long value) {
    switch (column.type().kind()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT -> column.setInteger(value);
      case BOOLEAN -> setBoolean(column, value != 0);
      case REAL -> column.setRaw(Float.floatToRawIntBits((float) value));
      case DOUBLE -> column.setRaw(Double.doubleToRawLongBits((double) value));
      case DECIMAL, WIDE_DECIMAL -> setDecimal(column, BigDecimal.valueOf(value));
      case CHAR, VARCHAR -> text(column, Long.toString(value));
      case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, INTERVAL_MONTHS, INTERVAL_MICROS, VARBINARY, UUID ->
          throw mismatch(column, "a number");
    }
  }

  static void setFloat(ParameterColumn column, float value) {
    switch (column.type().kind()) {
      case REAL -> column.setRaw(Float.floatToRawIntBits(value));
      case DOUBLE -> column.setRaw(Double.doubleToRawLongBits(value));
      case CHAR, VARCHAR -> text(column, Float.toString(value));
      default -> setExact(column, Float.toString(value), value);
    }
  }

  static void setDouble(ParameterColumn column, double value) {
    switch (column.type().kind()) {
      case REAL -> {
        float narrowed = (float) value;
        if (Float.isInfinite(narrowed) && !Double.isInfinite(value)) {
          throw column.outOfRange(Double.toString(value));
        }
        column.setRaw(Float.floatToRawIntBits(narrowed));
      }
      case DOUBLE -> column.setRaw(Double.doubleToRawLongBits(value));
      case CHAR, VARCHAR -> text(column, Double.toString(value));
      default -> setExact(column, Double.toString(value), value);
    }
  }

  private static void setExact(ParameterColumn column, String text, double value) {
    if (Double.isFinite(value)) {
      setDecimal(column, new BigDecimal(text));
    } else if (Double.isInfinite(value) && column.isCompared()) {
      column.setUnheldNumber(value < 0 ? ParameterFit.BELOW : ParameterFit.ABOVE);
    } else {
      throw column.outOfRange(text);
    }
  }

  static void setBoolean(ParameterColumn column, boolean value) {
    switch (column.type().kind()) {
      // As Java writes it: the conversion is one of JDBC.
      case CHAR, VARCHAR -> text(column, Boolean.toString(value));
      case BOOLEAN -> column.setRaw(value ? 1 : 0);
      case TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL, WIDE_DECIMAL ->
          setLong(column, value ? 1 : 0);
      case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, INTERVAL_MONTHS, INTERVAL_MICROS, VARBINARY, UUID ->
          throw mismatch(column, "a boolean");
    }
  }

  static void setDecimal(ParameterColumn column, BigDecimal given) {
    BigDecimal value = given;
    SqlTypeSpec type = column.type();
    if (column.isCompared() && type.kind().isExact()) {
      setCompared(column, value);
      return;
    }
    if (column.isComputed() && type.kind().isExact() && !isHeld(column, value)) {
      column.setWide(value);
      return;
    }
    if (type.kind().isExact() && value.signum() != 0 && clampedDigits(value) > WHOLE_DIGITS_MAX) {
      throw column.outOfRange(value.toString());
    }
    if (type.kind().isExact() && (long) value.precision() - value.scale() < -TINY_ZEROS) {
      // It rounds to the same, and to bring the two to one scale takes no billion of digits.
      value = BigDecimal.valueOf(value.signum(), TINY_ZEROS);
    }
    switch (type.kind()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT -> {
        BigDecimal whole = value.setScale(0, RoundingMode.HALF_UP);
        column.setInteger(exactLong(column, whole));
      }
      case REAL -> {
        float real = value.floatValue();
        if (Float.isInfinite(real)) {
          throw column.outOfRange(value.toString());
        }
        column.setRaw(Float.floatToRawIntBits(real));
      }
      case DOUBLE -> {
        double nearest = value.doubleValue();
        if (Double.isInfinite(nearest)) {
          throw column.outOfRange(value.toString());
        }
        column.setRaw(Double.doubleToRawLongBits(nearest));
      }
      case BOOLEAN -> setBoolean(column, value.signum() != 0);
      case CHAR, VARCHAR -> {
        TextLimit.check("a number as text", plainLength(value));
        text(column, value.toPlainString());
      }
      case DECIMAL, WIDE_DECIMAL -> {
        BigDecimal scaled = value.setScale(type.scale(), RoundingMode.HALF_UP);
        if (scaled.precision() > Math.max(type.precision(), 1)) {
          throw column.outOfRange(value.toPlainString());
        }
        column.setDecimal(scaled);
      }
      case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, INTERVAL_MONTHS, INTERVAL_MICROS, VARBINARY, UUID ->
          throw mismatch(column, "a number");
    }
  }

  private static boolean isHeld(ParameterColumn column, BigDecimal value) {
    return value.signum() == 0
        || (clampedDigits(value) <= WHOLE_DIGITS_MAX
            && value.stripTrailingZeros().scale() <= column.type().scale()
            && value.compareTo(column.least()) >= 0
            && value.compareTo(column.greatest()) <= 0);
  }

  /**
   * Neither rounds nor refuses: records between which values of the type a value is that the type
   * cannot represent.
   */
  private static void setCompared(ParameterColumn column, BigDecimal value) {
    SqlTypeSpec type = column.type();
    int wholeDigits = value.signum() == 0 ? 0 : clampedDigits(value);
    if (wholeDigits > WHOLE_DIGITS_MAX) {
      column.setUnheldNumber(value.signum() < 0 ? ParameterFit.BELOW : ParameterFit.ABOVE);
      return;
    }
    // Far beyond the scale all that counts is that it is not zero; rounding it could take for ever.
    BigDecimal near =
        wholeDigits < -WHOLE_DIGITS_MAX
            ? BigDecimal.valueOf(value.signum(), WHOLE_DIGITS_MAX)
            : value;
    BigDecimal floor = near.setScale(type.scale(), RoundingMode.FLOOR);
    ParameterFit fit = ParameterFit.of(near, floor, column.least(), column.greatest());
    switch (fit) {
      case HELD -> column.setDecimal(floor);
      case BETWEEN -> column.setUnheld(floor, fit);
      case BELOW, ABOVE -> column.setUnheldNumber(fit);
    }
  }

  /** Digits before the point; fewer than none for zeros after it. */
  private static int clampedDigits(BigDecimal value) {
    return Math.clamp(
        (long) value.precision() - value.scale(), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** Characters that the number has without an exponent. */
  private static long plainLength(BigDecimal value) {
    return Math.max(value.precision() - (long) value.scale(), 0) + Math.max(value.scale(), 0);
  }

  private static long exactLong(ParameterColumn column, BigDecimal value) {
    try {
      return value.longValueExact();
    } catch (ArithmeticException e) {
      throw column.outOfRange(value.toPlainString());
    }
  }

  static void setDate(ParameterColumn column, int epochDay) {
    TemporalText.checkedDate(epochDay);
    switch (column.type().kind()) {
      case DATE -> column.setRaw(epochDay);
      case TIMESTAMP -> column.setRaw(epochDay * TemporalText.MICROS_PER_DAY);
      case TIMESTAMP_TZ ->
          column.setRaw(InstantText.ofLocal(epochDay * TemporalText.MICROS_PER_DAY));
      case CHAR, VARCHAR -> text(column, TemporalText.formatDate(epochDay));
      default -> throw mismatch(column, "a date");
    }
  }

  static void setTime(ParameterColumn column, long micros) {
    switch (column.type().kind()) {
      case TIME -> column.setRaw(kept(column, micros) % TemporalText.MICROS_PER_DAY);
      case CHAR, VARCHAR -> text(column, TemporalText.formatTime(micros));
      default -> throw mismatch(column, "a time");
    }
  }

  static void setTimestamp(ParameterColumn column, long micros) {
    TemporalText.checkedTimestamp(micros);
    switch (column.type().kind()) {
      case TIMESTAMP -> column.setRaw(TemporalText.checkedTimestamp(kept(column, micros)));
      case TIMESTAMP_TZ -> setInstant(column, InstantText.ofLocal(micros));
      case DATE -> {
        boolean midnight = Math.floorMod(micros, TemporalText.MICROS_PER_DAY) == 0;
        long day = Math.floorDiv(micros, TemporalText.MICROS_PER_DAY);
        if (column.isCompared() && !midnight) {
          column.setUnheld(day, ParameterFit.BETWEEN);
        } else {
          column.requireHeld(midnight, TemporalText.formatTimestamp(micros));
          column.setRaw(day);
        }
      }
      case TIME -> column.setRaw(Math.floorMod(micros, TemporalText.MICROS_PER_DAY));
      case CHAR, VARCHAR -> text(column, TemporalText.formatTimestamp(micros));
      default -> throw mismatch(column, "a timestamp");
    }
  }

  static void setInstant(ParameterColumn column, long micros) {
    InstantText.checked(micros);
    switch (column.type().kind()) {
      case TIMESTAMP_TZ -> column.setRaw(InstantText.checked(kept(column, micros)));
      case DATE, TIME, TIMESTAMP -> setTimestamp(column, InstantText.toLocal(micros));
      case CHAR, VARCHAR -> text(column, InstantText.format(micros));
      default -> throw mismatch(column, "a timestamp");
    }
  }

  /**
   * An interval of a type.
   *
   * @param value in months or microseconds
   */
  static void setInterval(ParameterColumn column, SqlTypeSpec from, long value) {
    SqlTypeSpec type = column.type();
    switch (type.kind()) {
      case INTERVAL_MONTHS, INTERVAL_MICROS -> {
        if (type.kind() != from.kind()) {
          throw mismatch(column, from.toString());
        }
        column.setRaw(column.isCompared() ? value : IntervalType.of(type).checked(value));
      }
      case CHAR, VARCHAR -> text(column, IntervalType.of(from).format(value));
      default -> throw mismatch(column, "an interval");
    }
  }

  /** The digits of the second that the type has, but all of them for a comparison. */
  private static long kept(ParameterColumn column, long micros) {
    return column.isCompared() ? micros : TemporalText.rounded(micros, column.type().precision());
  }

  /** A text bound to a parameter of another type: read as a literal of that type. */
  static void setText(ParameterColumn column, String value) {
    try {
      switch (column.type().kind()) {
        case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, WIDE_DECIMAL ->
            setDecimal(column, ScalarText.parseNumber(value));
        case BOOLEAN, REAL, DOUBLE, DATE -> column.setRaw(TextValues.raw(column.type(), value));
        case TIME -> setTime(column, TemporalText.parseTime(value));
        case TIMESTAMP -> setTimestamp(column, TemporalText.parseTimestamp(value));
        case CHAR, VARCHAR -> text(column, value);
        case TIMESTAMP_TZ -> setInstant(column, InstantText.parse(value));
        case INTERVAL_MONTHS, INTERVAL_MICROS ->
            setInterval(
                column, column.type(), IntervalType.of(column.type()).unlimited().parse(value));
        case UUID -> column.setBytes(UuidText.parse(value));
        case VARBINARY -> throw mismatch(column, "a text");
      }
    } catch (NumberFormatException e) {
      throw notA(SqlCondition.INVALID_CAST, column, value);
    } catch (GpdbException e) {
      boolean unread =
          e.code() == SqlCondition.INVALID_CAST || e.code() == SqlCondition.INVALID_DATETIME;
      throw unread ? notA(e.code(), column, value) : e;
    }
  }

  private static void text(ParameterColumn column, String value) {
    column.setBytes(Utf8.bytes(value));
  }

  private static GpdbException notA(ErrorCondition code, ParameterColumn column, String value) {
    return new GpdbException(
        code,
        "parameter "
            + (column.position() + 1)
            + ": '"
            + value
            + "' is not a value of type "
            + column.type());
  }

  private static GpdbException mismatch(ParameterColumn column, String given) {
    return new GpdbException(
        SqlCondition.TYPE_MISMATCH,
        "parameter "
            + (column.position() + 1)
            + " is "
            + column.type()
            + " and takes no "
            + strip(given));
  }

  private static String strip(String given) {
    return given.replaceFirst("^an? ", "");
  }
}
