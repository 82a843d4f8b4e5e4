package io.gpdb.sql;

import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Numbers and booleans as text: one rule for literals, casts, parameters and every operator. Blanks
 * around the value do not count. A text that is none raises {@link NumberFormatException}; the
 * caller knows what it is for.
 */
public final class ScalarText {
  private static final int EXPONENT_MAX = 1000;

  /** What Java reads beyond SQL's numbers: hexadecimal digits, and a letter for the type. */
  private static final Pattern JAVA_ONLY = Pattern.compile("(?i).*(0x.*|[0-9.][df])");

  private ScalarText() {}

  /** The error of a text that is not a value of the type. */
  public static GpdbException notA(String text, String type) {
    return new GpdbException(
        ErrorCode.INVALID_CAST, "'" + text + "' is not a value of type " + type);
  }

  public static BigDecimal parseNumber(String text) {
    BigDecimal number = new BigDecimal(text.strip());
    if (Math.abs((long) number.scale()) > EXPONENT_MAX) {
      throw new NumberFormatException("exponent of " + text);
    }
    return number;
  }

  /** A number, {@code NaN}, {@code Infinity} or {@code -Infinity}. */
  public static double parseDouble(String text) {
    String digits = text.strip();
    if (JAVA_ONLY.matcher(digits).matches()) {
      throw new NumberFormatException(text);
    }
    return Double.parseDouble(digits);
  }

  public static boolean parseBoolean(String text) {
    return switch (text.strip().toUpperCase(Locale.ROOT)) {
      case "TRUE", "T", "YES", "Y", "ON", "1" -> true;
      case "FALSE", "F", "NO", "N", "OFF", "0" -> false;
      default -> throw new NumberFormatException(text);
    };
  }
}
