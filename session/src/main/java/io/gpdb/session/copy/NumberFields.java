package io.gpdb.session.copy;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.ScalarText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TextValues;
import io.gpdb.sql.type.UuidText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Numbers from the bytes of a field: plain digits are read in place, all else as {@link TextValues}
 * reads it.
 */
final class NumberFields {
  private static final int EXACT_DIGITS_MAX = 18;
  private static final double[] DOUBLE_POWERS = new double[23];
  private static final long[] LONG_POWERS = new long[19];

  /** A double holds every integer up to here. */
  private static final long DOUBLE_EXACT_MAX = 1L << 53;

  static {
    LONG_POWERS[0] = 1;
    for (int i = 1; i < LONG_POWERS.length; i++) {
      LONG_POWERS[i] = LONG_POWERS[i - 1] * 10;
    }
    for (int i = 0; i < DOUBLE_POWERS.length; i++) {
      DOUBLE_POWERS[i] = Double.parseDouble("1e" + i);
    }
  }

  private NumberFields() {}

  static int firstNonBlank(byte[] b, int start, int end) {
    int at = start;
    while (at < end && b[at] == ' ') {
      at++;
    }
    return at;
  }

  static int endOfNonBlank(byte[] b, int start, int end) {
    int at = end;
    while (at > start && b[at - 1] == ' ') {
      at--;
    }
    return at;
  }

  /** An integer of the type. */
  static long integer(SqlTypeSpec type, byte[] b, int start, int end) {
    int at = firstNonBlank(b, start, end);
    int stop = endOfNonBlank(b, at, end);
    boolean negative = at < stop && b[at] == '-';
    int first = negative ? at + 1 : at;
    if (first == stop || stop - first > EXACT_DIGITS_MAX) {
      return parsed(type, b, start, end);
    }
    long value = 0;
    for (int i = first; i < stop; i++) {
      int digit = b[i] - '0';
      if (digit < 0 || digit > 9) {
        return parsed(type, b, start, end);
      }
      value = value * 10 + digit;
    }
    value = negative ? -value : value;
    boolean fits =
        switch (type.kind()) {
          case TINYINT -> value == (byte) value;
          case SMALLINT -> value == (short) value;
          case INTEGER -> value == (int) value;
          default -> true;
        };
    return fits ? value : parsed(type, b, start, end);
  }

  /** A decimal as value × 10^scale, rounded half up; its magnitude stays below 10^precision. */
  static long decimal(SqlTypeSpec type, byte[] b, int start, int end) {
    int at = firstNonBlank(b, start, end);
    int stop = endOfNonBlank(b, at, end);
    boolean negative = at < stop && b[at] == '-';
    long value = 0;
    int digits = 0;
    int fraction = -1;
    for (int i = negative ? at + 1 : at; i < stop; i++) {
      int digit = b[i] - '0';
      if (digit >= 0 && digit <= 9 && digits < EXACT_DIGITS_MAX) {
        value = value * 10 + digit;
        digits++;
        fraction += fraction >= 0 ? 1 : 0;
      } else if (b[i] == '.' && fraction < 0) {
        fraction = 0;
      } else {
        return parsed(type, b, start, end);
      }
    }
    int places = Math.max(fraction, 0);
    int scale = type.scale();
    if (digits == 0 || places > scale || digits - places + scale > EXACT_DIGITS_MAX) {
      return parsed(type, b, start, end);
    }
    value *= LONG_POWERS[scale - places];
    if (value >= LONG_POWERS[type.precision()]) {
      return parsed(type, b, start, end);
    }
    return negative ? -value : value;
  }

  /** A decimal of more than 18 digits, rounded half up. */
  static BigDecimal wideDecimal(SqlTypeSpec type, byte[] b, int start, int end) {
    return read(type, b, start, end, text -> TextValues.wideDecimal(type, text));
  }

  static byte[] uuid(byte[] b, int start, int end) {
    return read(SqlTypeSpec.UUID, b, start, end, UuidText::parse);
  }

  /** The bits of the nearest double. */
  static long real(byte[] b, int start, int end) {
    int at = start;
    boolean negative = at < end && b[at] == '-';
    at += negative ? 1 : 0;
    long value = 0;
    int digits = 0;
    int fraction = -1;
    for (; at < end; at++) {
      int digit = b[at] - '0';
      if (digit >= 0 && digit <= 9 && digits < EXACT_DIGITS_MAX) {
        value = value * 10 + digit;
        digits++;
        fraction += fraction >= 0 ? 1 : 0;
      } else if (b[at] == '.' && fraction < 0) {
        fraction = 0;
      } else {
        return parsed(SqlTypeSpec.DOUBLE, b, start, end);
      }
    }
    int places = Math.max(fraction, 0);
    if (digits == 0 || value > DOUBLE_EXACT_MAX || places >= DOUBLE_POWERS.length) {
      return parsed(SqlTypeSpec.DOUBLE, b, start, end);
    }
    // Both are exact, so the one division rounds once (Clinger 1990).
    double magnitude = value / DOUBLE_POWERS[places];
    return Double.doubleToRawLongBits(negative ? -magnitude : magnitude);
  }

  /** Refuses a number with a fraction for an integer type. */
  static void requireWhole(SqlTypeSpec type, byte[] b, int start, int end) {
    for (int i = start; i < end; i++) {
      if (b[i] == '.' || b[i] == 'e' || b[i] == 'E') {
        requireNoFraction(type, b, start, end);
        return;
      }
    }
  }

  private static void requireNoFraction(SqlTypeSpec type, byte[] b, int start, int end) {
    int scale;
    try {
      scale = ScalarText.parseNumber(text(b, start, end)).stripTrailingZeros().scale();
    } catch (NumberFormatException e) {
      return; // the loader says what it is
    }
    if (scale > 0) {
      throw FieldError.notA(type.toString(), b, start, end);
    }
  }

  /** Whatever is not plain digits, as a cast reads it. */
  static long parsed(SqlTypeSpec type, byte[] b, int start, int end) {
    return read(type, b, start, end, text -> TextValues.raw(type, text));
  }

  private static <T> T read(
      SqlTypeSpec type, byte[] b, int start, int end, Function<String, T> reading) {
    try {
      return reading.apply(new String(b, start, end - start, StandardCharsets.UTF_8));
    } catch (GpdbException e) {
      if (e.code() == SqlCondition.INVALID_CAST) {
        throw FieldError.notA(type.toString(), b, start, end);
      }
      if (e.code() == ErrorCode.NUMERIC_OUT_OF_RANGE) {
        throw FieldError.outOfRange(type.toString(), b, start, end);
      }
      throw new FieldError(
          e.code(), "'" + FieldError.shown(b, start, end) + "' is not a value of " + type);
    }
  }

  static String text(byte[] b, int start, int end) {
    int at = firstNonBlank(b, start, end);
    return new String(b, at, endOfNonBlank(b, at, end) - at, StandardCharsets.UTF_8);
  }
}
