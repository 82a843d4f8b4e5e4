package io.gpdb.planner;

import java.sql.SQLException;
import java.util.stream.LongStream;

/**
 * The seeds of a test's rounds: {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs
 * N rounds, from that seed's on where both are given.
 */
final class RandomSeeds {
  private static final long FIRST = 1;

  private RandomSeeds() {}

  /** A round with a database of gpDB's and one of H2, both empty. */
  @FunctionalInterface
  interface BesideH2 {
    void run(long seed, EndToEnd db, OtherEngine h2) throws SQLException;
  }

  /**
   * Runs the rounds beside H2.
   *
   * @param usual how many rounds there are where nothing is said
   * @param test names H2's databases
   */
  static void besideH2(int usual, String test, BesideH2 round) {
    of(usual)
        .forEach(
            seed -> {
              try (EndToEnd db = new EndToEnd();
                  OtherEngine h2 = new OtherEngine("H2", "jdbc:h2:mem:" + test + seed)) {
                round.run(seed, db, h2);
              } catch (SQLException e) {
                throw new AssertionError(e);
              }
            });
  }

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
