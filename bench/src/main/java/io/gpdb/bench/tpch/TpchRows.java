package io.gpdb.bench.tpch;

import java.util.List;
import java.util.regex.Pattern;

/** Whether two databases have answered the same. */
final class TpchRows {
  /** Averages and quotients have other digits there. */
  static final double TOLERANCE = 1e-5;

  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");

  private TpchRows() {}

  /** The first difference, in words; empty where there is none. Numbers may differ a little. */
  static String difference(List<List<String>> found, List<List<String>> expected) {
    for (int row = 0; row < Math.min(found.size(), expected.size()); row++) {
      if (!isSame(found.get(row), expected.get(row))) {
        return "row %d is %s, not %s".formatted(row + 1, found.get(row), expected.get(row));
      }
    }
    return found.size() == expected.size()
        ? ""
        : "%d rows, not %d".formatted(found.size(), expected.size());
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

  private static boolean isSame(String found, String expected) {
    if (!NUMBER.matcher(found).matches() || !NUMBER.matcher(expected).matches()) {
      return found.equals(expected);
    }
    double number = Double.parseDouble(expected);
    return Math.abs(Double.parseDouble(found) - number)
        <= Math.max(1, Math.abs(number)) * TOLERANCE;
  }
}
