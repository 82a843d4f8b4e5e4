package io.gpdb.planner;

import java.util.stream.LongStream;

/**
 * The seeds of a test's rounds: {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs
 * N rounds, from that seed's on where both are given.
 */
final class RandomSeeds {
  private static final long FIRST = 1;

  private RandomSeeds() {}

  /**
   * @param usual how many rounds there are where nothing is said
   */
  static LongStream of(int usual) {
    Long given = Long.getLong("gpdb.seed");
    long first = given == null ? FIRST : given;
    return LongStream.range(
        first, first + Integer.getInteger("gpdb.fuzz", given == null ? usual : 1));
  }
}
