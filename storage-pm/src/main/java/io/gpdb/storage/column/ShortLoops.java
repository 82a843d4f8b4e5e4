package io.gpdb.storage.column;

/**
 * A loop over the rows of a batch, as calls of a method for a few rows each.
 *
 * <p>HotSpot compiles a method fully when it was called 600 times and its loops have turned 15 000
 * times; a loop that runs on in one call turns 60 000 times interpreted and 40 000 times compiled
 * lightly before it is. So a process is done with that in its second batch of 10 000 rows, not in
 * its tenth.
 */
public final class ShortLoops {
  /** So many that a method called for all rows meets both thresholds at once. */
  private static final int ROWS = 24;

  private ShortLoops() {}

  /** Behind the last row of the call that begins with {@code from}, of n rows. */
  public static int end(int from, int n) {
    return n - from > ROWS ? from + ROWS : n;
  }

  /** The least of some numbers; {@code Integer.MAX_VALUE} of none. */
  public static int least(int[] numbers) {
    int least = Integer.MAX_VALUE;
    for (int from = 0; from < numbers.length; from = end(from, numbers.length)) {
      least = Math.min(least, least(numbers, from, end(from, numbers.length)));
    }
    return least;
  }

  private static int least(int[] numbers, int from, int to) {
    int least = Integer.MAX_VALUE;
    for (int i = from; i < to; i++) {
      least = Math.min(least, numbers[i]);
    }
    return least;
  }

  /** The greatest of some numbers; {@code Integer.MIN_VALUE} of none. */
  public static int greatest(int[] numbers) {
    int greatest = Integer.MIN_VALUE;
    for (int from = 0; from < numbers.length; from = end(from, numbers.length)) {
      greatest = Math.max(greatest, greatest(numbers, from, end(from, numbers.length)));
    }
    return greatest;
  }

  private static int greatest(int[] numbers, int from, int to) {
    int greatest = Integer.MIN_VALUE;
    for (int i = from; i < to; i++) {
      greatest = Math.max(greatest, numbers[i]);
    }
    return greatest;
  }
}
