package io.gpdb.bench.device;

import java.util.SplittableRandom;

/**
 * Numbers below a bound of which some are drawn far more often: the one of rank r in proportion to
 * r^-theta, found as by Gray et al., "Quickly generating billion-record synthetic databases"
 * (1994). Ranks are spread over the numbers, so that those drawn often are not next to each other.
 */
final class ZipfKeys {
  /** A prime greater than any bound: products with it visit every number. */
  private static final long SPREADING = 2_147_483_647L;

  private final int bound;
  private final double theta;
  private final double sum;
  private final double alpha;
  private final double eta;
  private final SplittableRandom random;

  /**
   * @param theta 0 for all alike, and less than 1
   */
  ZipfKeys(int bound, double theta, long seed) {
    if (bound < 2 || bound >= SPREADING || theta < 0 || theta >= 1) {
      throw new IllegalArgumentException("bound=" + bound + ", theta=" + theta);
    }
    this.bound = bound;
    this.theta = theta;
    this.random = new SplittableRandom(seed);
    double weights = 0;
    for (int rank = 1; rank <= bound; rank++) {
      weights += Math.pow(rank, -theta);
    }
    this.sum = weights;
    this.alpha = 1 / (1 - theta);
    this.eta = (1 - Math.pow(2.0 / bound, 1 - theta)) / (1 - (1 + Math.pow(2, -theta)) / weights);
  }

  /** The next one, from 0 on. */
  int next() {
    return (int) (rank() * SPREADING % bound);
  }

  private long rank() {
    double u = random.nextDouble();
    double weight = u * sum;
    if (weight < 1) {
      return 0;
    }
    if (weight < 1 + Math.pow(2, -theta)) {
      return 1;
    }
    return Math.min(bound - 1L, (long) (bound * Math.pow(eta * u - eta + 1, alpha)));
  }
}
