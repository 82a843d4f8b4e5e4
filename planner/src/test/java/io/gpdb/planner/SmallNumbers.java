package io.gpdb.planner;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random rows of whole numbers that are often equal, some of them NULL. */
final class SmallNumbers {
  private static final int ONE_NULL_IN = 8;
  private static final int BOUND = 6;

  private SmallNumbers() {}

  /** Rows as VALUES has them. */
  static String rows(Random random, int count, int columns) {
    return IntStream.range(0, count)
        .mapToObj(_ -> row(random, columns))
        .collect(Collectors.joining(", "));
  }

  private static String row(Random random, int columns) {
    return IntStream.range(0, columns)
        .mapToObj(_ -> random.nextInt(ONE_NULL_IN) == 0 ? "NULL" : "" + random.nextInt(BOUND))
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
