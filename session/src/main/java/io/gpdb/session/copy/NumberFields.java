package io.gpdb.session.copy;

import io.gpdb.sql.type.ScalarText;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** Numbers and booleans from the bytes of a field; blanks around them do not count. */
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

  /** An integer between the bounds; {@code type} is for the message. */
  static long integer(byte[] b, int start, int end, long least, long most, String type) {
    int at = firstNonBlank(b, start, end);
    int stop = endOfNonBlank(b, at, end);
    boolean negative = at < stop && b[at] == '-';
    int first = negative || (at < stop && b[at] == '+') ? at + 1 : at;
    if (first == stop) {
      throw FieldError.notA(type, b, start, end);
    }
    long value = 0;
    boolean overflow = false;
    for (int i = first; i < stop; i++) {
      int digit = b[i] - '0';
      if (digit < 0 || digit > 9) {
        return slowInteger(b, start, end, least, most, type);
      }
      // Collected as a negative number, whose range is larger by one.
      overflow |= value < (Long.MIN_VALUE + digit) / 10;
      value = value * 10 - digit;
    }
    overflow |= !negative && value == Long.MIN_VALUE;
    value = negative ? value : -value;
    if (overflow || value < least || value > most) {
      throw FieldError.outOfRange(type, b, start, end);
    }
    return value;
  }

  /** A whole number as a cast takes it, 1.0 or 1e2; a fraction is not rounded away. */
  private static long slowInteger(
      byte[] b, int start, int end, long least, long most, String type) {
    BigDecimal value = read(ScalarText::parseNumber, type, b, start, end);
    if (value.precision() - (long) value.scale() > LONG_POWERS.length) {
      throw FieldError.outOfRange(type, b, start, end);
    }
    if (value.stripTrailingZeros().scale() > 0) {
      throw FieldError.notA(type, b, start, end);
    }
    boolean fits =
        value.compareTo(BigDecimal.valueOf(least)) >= 0
            && value.compareTo(BigDecimal.valueOf(most)) <= 0;
    if (!fits) {
      throw FieldError.outOfRange(type, b, start, end);
    }
    return value.longValueExact();
  }

  /** A decimal as value × 10^scale, rounded half up; its magnitude stays below 10^precision. */
  static long decimal(byte[] b, int start, int end, int precision, int scale) {
    int at = firstNonBlank(b, start, end);
    int stop = endOfNonBlank(b, at, end);
    boolean negative = at < stop && b[at] == '-';
    int first = negative || (at < stop && b[at] == '+') ? at + 1 : at;
    long value = 0;
    int digits = 0;
    int fraction = -1;
    for (int i = first; i < stop; i++) {
      int digit = b[i] - '0';
      if (digit >= 0 && digit <= 9 && digits < EXACT_DIGITS_MAX) {
        value = value * 10 + digit;
        digits++;
        fraction += fraction >= 0 ? 1 : 0;
      } else if (b[i] == '.' && fraction < 0) {
        fraction = 0;
      } else {
        return slowDecimal(b, start, end, precision, scale);
      }
    }
    int places = Math.max(fraction, 0);
    if (digits == 0 || places > scale || digits - places + scale > EXACT_DIGITS_MAX) {
      return slowDecimal(b, start, end, precision, scale);
    }
    value *= LONG_POWERS[scale - places];
    if (value >= LONG_POWERS[precision]) {
      throw FieldError.outOfRange(decimalName(precision, scale), b, start, end);
    }
    return negative ? -value : value;
  }

  private static String decimalName(int precision, int scale) {
    return "DECIMAL(" + precision + ", " + scale + ")";
  }

  private static long slowDecimal(byte[] b, int start, int end, int precision, int scale) {
    String type = decimalName(precision, scale);
    BigDecimal value = read(ScalarText::parseNumber, type, b, start, end);
    if (value.signum() != 0 && value.precision() - (long) value.scale() > precision - scale) {
      throw FieldError.outOfRange(type, b, start, end);
    }
    BigDecimal rounded = value.setScale(scale, RoundingMode.HALF_UP);
    if (rounded.precision() > precision) {
      throw FieldError.outOfRange(type, b, start, end);
    }
    return rounded.unscaledValue().longValueExact();
  }

  /** The nearest double; Infinity and NaN are values, a finite text beyond the range is not. */
  static double real(byte[] b, int start, int end) {
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
        return slowReal(b, start, end);
      }
    }
    int places = Math.max(fraction, 0);
    if (digits == 0 || value > DOUBLE_EXACT_MAX || places >= DOUBLE_POWERS.length) {
      return slowReal(b, start, end);
    }
    // Both are exact, so the one division rounds once (Clinger 1990).
    double magnitude = value / DOUBLE_POWERS[places];
    return negative ? -magnitude : magnitude;
  }

  private static double slowReal(byte[] b, int start, int end) {
    return read(ScalarText::parseDouble, "DOUBLE", b, start, end);
  }

  /** The nearest float, rounded once. */
  static float singleReal(byte[] b, int start, int end) {
    return read(ScalarText::parseReal, "REAL", b, start, end);
  }

  private static <T> T read(Function<String, T> parser, String type, byte[] b, int start, int end) {
    try {
      return parser.apply(text(b, start, end));
    } catch (NumberFormatException e) {
      throw FieldError.notA(type, b, start, end);
    } catch (GpdbException e) {
      throw FieldError.outOfRange(type, b, start, end);
    }
  }

  /** 1 for true, t, yes, y, on, 1; 0 for their opposites. */
  static int bool(byte[] b, int start, int end) {
    return switch (text(b, start, end).toLowerCase(java.util.Locale.ROOT)) {
      case "true", "t", "yes", "y", "on", "1" -> 1;
      case "false", "f", "no", "n", "off", "0" -> 0;
      default -> throw FieldError.notA("BOOLEAN", b, start, end);
    };
  }

  static String text(byte[] b, int start, int end) {
    int at = firstNonBlank(b, start, end);
    return new String(b, at, endOfNonBlank(b, at, end) - at, StandardCharsets.UTF_8);
  }
}
