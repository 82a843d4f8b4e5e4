package io.gpdb.bench.queries;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares answers whatever the order of their rows: databases order rows of equal rank, and
 * strings, in ways of their own. Two floats, which are written with an exponent, may differ in
 * their last digits, as their sums do. A float equals an exact number if it rounds to the digits of
 * that one; exact numbers are equal or not.
 */
final class AnswerComparison {
  /** By which two floats may differ, as a part of them or of 1. */
  private static final double TOLERANCE = 1e-6;

  /** By which a float may be further from an exact number than half a unit of its last digit. */
  private static final double FLOAT_ERROR = 1e-12;

  /** How a NULL is written. */
  private static final String MISSING = String.valueOf((Object) null);

  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");

  private AnswerComparison() {}

  /** The first difference in words; empty where there is none. */
  static String difference(List<List<String>> found, List<List<String>> expected) {
    if (found.size() != expected.size()) {
      return "%d rows, not %d".formatted(found.size(), expected.size());
    }
    Comparator<List<String>> order = order(found, expected);
    List<List<String>> own = found.stream().sorted(order).toList();
    List<List<String>> other = expected.stream().sorted(order).toList();
    for (int row = 0; row < own.size(); row++) {
      if (!isSame(own.get(row), other.get(row))) {
        return "a row is %s, not %s".formatted(own.get(row), other.get(row));
      }
    }
    return "";
  }

  /** By columns of texts first, as those are equal or not: numbers may differ a little. */
  private static Comparator<List<String>> order(
      List<List<String>> found, List<List<String>> expected) {
    int columns = found.isEmpty() ? 0 : Math.min(found.get(0).size(), expected.get(0).size());
    Comparator<List<String>> byTexts = (_, _) -> 0;
    Comparator<List<String>> byNumbers = (_, _) -> 0;
    for (int i = 0; i < columns; i++) {
      int column = i;
      if (Stream.concat(found.stream(), expected.stream())
          .map(row -> row.get(column))
          .allMatch(value -> isNumber(value) || value.equals(MISSING))) {
        byNumbers = byNumbers.thenComparingDouble(row -> number(row.get(column)));
      } else {
        byTexts = byTexts.thenComparing(row -> row.get(column));
      }
    }
    return byTexts.thenComparing(byNumbers);
  }

  private static double number(String text) {
    return text.equals(MISSING) ? Double.NaN : Double.parseDouble(text);
  }

  private static boolean isSame(List<String> found, List<String> expected) {
    if (found.size() != expected.size()) {
      return false;
    }
    for (int column = 0; column < found.size(); column++) {
      if (!isSame(found.get(column), expected.get(column))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isNumber(String text) {
    return NUMBER.matcher(text).matches();
  }

  private static boolean isSame(String found, String expected) {
    if (!isNumber(found) || !isNumber(expected)) {
      return found.equals(expected);
    }
    if (isFloat(found) && isFloat(expected)) {
      double number = Double.parseDouble(expected);
      return Math.abs(Double.parseDouble(found) - number)
          <= Math.max(1, Math.abs(number)) * TOLERANCE;
    }
    BigDecimal a = new BigDecimal(found);
    BigDecimal b = new BigDecimal(expected);
    if (!isFloat(found) && !isFloat(expected)) {
      return a.compareTo(b) == 0;
    }
    BigDecimal half = BigDecimal.valueOf(5, 1 + (isFloat(found) ? b : a).scale());
    BigDecimal error = b.abs().multiply(BigDecimal.valueOf(FLOAT_ERROR));
    return a.subtract(b).abs().compareTo(half.add(error)) <= 0;
  }

  private static boolean isFloat(String number) {
    return number.contains("E") || number.contains("e");
  }
}
