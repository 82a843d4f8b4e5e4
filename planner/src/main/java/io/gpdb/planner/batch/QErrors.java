package io.gpdb.planner.batch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How far the rows that were expected of operators are from those that came. The q-error is the
 * factor between the two, in whichever direction (Moerkotte, Neumann and Steidl, "Preventing bad
 * plans by bounding the impact of cardinality estimation errors", VLDB 2009, section 2), with less
 * than one row taken as one.
 */
final class QErrors {
  private final List<OfOperator> errors = new ArrayList<>();

  private record OfOperator(String operator, double qError) {}

  void add(String operator, double expected, double came) {
    double more = Math.max(1, Math.max(expected, came));
    double fewer = Math.max(1, Math.min(expected, came));
    errors.add(new OfOperator(operator, more / fewer));
  }

  /** Median and greatest in words; empty where no operator counted its rows. */
  String text() {
    if (errors.isEmpty()) {
      return "";
    }
    errors.sort(Comparator.comparingDouble(OfOperator::qError));
    OfOperator greatest = errors.getLast();
    return String.format(
        Locale.ROOT,
        "estimates of %d operators: median q-error %.2f, greatest %.2f of %s",
        errors.size(),
        errors.get((errors.size() - 1) / 2).qError(),
        greatest.qError(),
        greatest.operator());
  }
}
