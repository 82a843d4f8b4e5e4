package io.gpdb.bench.compared;

import java.util.stream.LongStream;

/**
 * The seeds of a test's rounds: {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs
 * N rounds, from that seed's on where both are given.
 */
final class Seeds {
  private static final long FIRST = 1;

  private Seeds() {}

  /**
   * @param usual how many rounds there are where nothing is said
   */
  static long[] of(int usual) {
    Long given = Long.getLong("gpdb.seed");
    long first = given == null ? FIRST : given;
    int rounds = Integer.getInteger("gpdb.fuzz", given == null ? usual : 1);
    return LongStream.range(first, first + rounds).toArray();
  }
}
