package io.gpdb.sql.type;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.Locale;

/**
 * Numbers and booleans as text: one rule for literals, casts, parameters and every operator. Blanks
 * around the value do not count. A text that is none raises {@link NumberFormatException}; the
 * caller knows what it is for. One that spells a number beyond its type raises 22003.
 */
public final class ScalarText {
  /** Decimal places of the first digit, before the point or after it, that are distinguished. */
  private static final int PLACES_MAX = 1000;

  /** More digits of an exponent are beyond every type, and beyond what Java reads. */
  private static final int EXPONENT_DIGITS_MAX = 9;

  private ScalarText() {}

  /** The error of a text that is not a value of the type. */
  public static GpdbException notA(String text, String type) {
    return new GpdbException(
        SqlCondition.INVALID_CAST, "'" + text + "' is not a value of type " + type);
  }

  private static GpdbException outOfRange(String text, String type) {
    return new GpdbException(
        ErrorCode.NUMERIC_OUT_OF_RANGE, "'" + text + "' is out of range for " + type);
  }

  /**
   * The number that a text spells, digit by digit; one nearer to zero than any type can represent
   * becomes the least that is distinguished from zero, because rounding it would take for ever.
   */
  public static BigDecimal parseNumber(String text) {
    String digits = digitsOf(text);
    int at = digits.replace('E', 'e').indexOf('e');
    BigDecimal mantissa = new BigDecimal(at < 0 ? digits : digits.substring(0, at));
    long exponent = at < 0 ? 0 : exponent(digits, at + 1);
    if (mantissa.signum() == 0) {
      return BigDecimal.ZERO;
    }
    long places = (long) mantissa.precision() - mantissa.scale() + exponent;
    if (places > PLACES_MAX) {
      throw outOfRange(text, "every number type");
    }
    return places < -PLACES_MAX
        ? BigDecimal.valueOf(mantissa.signum(), PLACES_MAX)
        : new BigDecimal(mantissa.unscaledValue(), (int) (mantissa.scale() - exponent));
  }

  private static long exponent(String text, int from) {
    char sign = from < text.length() ? text.charAt(from) : ' ';
    int first = sign == '+' || sign == '-' ? from + 1 : from;
    int at = first;
    while (at < text.length() && text.charAt(at) == '0') {
      at++;
    }
    String digits = text.substring(at);
    if (first == text.length() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new NumberFormatException(text);
    }
    boolean beyond = digits.length() > EXPONENT_DIGITS_MAX;
    long size = beyond ? Integer.MAX_VALUE : digits.isEmpty() ? 0 : Long.parseLong(digits);
    return sign == '-' ? -size : size;
  }

  /** Java also reads digits of other scripts, hexadecimal digits and a letter for the type. */
  private static String digitsOf(String text) {
    String digits = text.strip();
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      if ((c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E') {
        throw new NumberFormatException(text);
      }
    }
    return digits;
  }

  /** A number, {@code NaN}, {@code Infinity} or {@code -Infinity}; too small is zero. */
  public static double parseDouble(String text) {
    if (isUnbounded(text)) {
      return Double.parseDouble(text.strip());
    }
    double value = Double.parseDouble(digitsOf(text));
    if (Double.isInfinite(value)) {
      throw outOfRange(text, "DOUBLE");
    }
    return value;
  }

  /** As {@link #parseDouble}, rounded once. */
  public static float parseReal(String text) {
    if (isUnbounded(text)) {
      return Float.parseFloat(text.strip());
    }
    float value = Float.parseFloat(digitsOf(text));
    if (Float.isInfinite(value)) {
      throw outOfRange(text, "REAL");
    }
    return value;
  }

  private static boolean isUnbounded(String text) {
    return switch (text.strip()) {
      case "NaN", "Infinity", "+Infinity", "-Infinity" -> true;
      default -> false;
    };
  }

  public static boolean parseBoolean(String text) {
    return switch (text.strip().toUpperCase(Locale.ROOT)) {
      case "TRUE", "T", "YES", "Y", "ON", "1" -> true;
      case "FALSE", "F", "NO", "N", "OFF", "0" -> false;
      default -> throw new NumberFormatException(text);
    };
  }
}
