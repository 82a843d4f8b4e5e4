package io.gpdb.planner.window;

import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.storage.memory.HostBuffer;

/**
 * Covariances, the correlation and the line of least squares of pairs of numbers, y and then x:
 * their count, means and sums of products of distances (Welford), which are merged as Chan, Golub
 * and LeVeque do.
 */
final class Regression extends Accumulator {
  private static final int WORDS = 6;

  private final Function function;
  private final WindowColumn dependent;
  private final WindowColumn independent;
  private long count;
  private double meanX;
  private double meanY;
  private double sxx;
  private double syy;
  private double sxy;

  Regression(Function function, WindowColumn dependent, WindowColumn independent) {
    this.function = function;
    this.dependent = dependent;
    this.independent = independent;
  }

  @Override
  void clear() {
    count = 0;
    meanX = 0;
    meanY = 0;
    sxx = 0;
    syy = 0;
    sxy = 0;
  }

  @Override
  void add(int row) {
    double x = independent.number(row);
    double y = dependent.number(row);
    count++;
    double distanceX = x - meanX;
    double distanceY = y - meanY;
    meanX += distanceX / count;
    meanY += distanceY / count;
    sxx += distanceX * (x - meanX);
    syy += distanceY * (y - meanY);
    sxy += distanceX * (y - meanY);
  }

  @Override
  int summaryWords() {
    return WORDS;
  }

  @Override
  void store(HostBuffer to, long word) {
    to.setLong(word, count);
    double[] numbers = {meanX, meanY, sxx, syy, sxy};
    for (int i = 0; i < numbers.length; i++) {
      to.setLong(word + 1 + i, Double.doubleToRawLongBits(numbers[i]));
    }
  }

  private static double number(HostBuffer from, long word) {
    return Double.longBitsToDouble(from.longAt(word));
  }

  @Override
  void merge(HostBuffer from, long word) {
    long others = from.longAt(word);
    if (others == 0) {
      return;
    }
    double distanceX = number(from, word + 1) - meanX;
    double distanceY = number(from, word + 2) - meanY;
    long all = count + others;
    double weight = (double) count * others / all;
    meanX += distanceX * others / all;
    meanY += distanceY * others / all;
    sxx += number(from, word + 3) + distanceX * distanceX * weight;
    syy += number(from, word + 4) + distanceY * distanceY * weight;
    sxy += number(from, word + 5) + distanceX * distanceY * weight;
    count = all;
  }

  @Override
  void write(WindowOutput output, int row) {
    if (function == Function.REGR_COUNT) {
      output.set(row, count);
    } else if (hasResult()) {
      output.set(row, Double.doubleToRawLongBits(result()));
    } else {
      output.setNull(row);
    }
  }

  private boolean hasResult() {
    return switch (function) {
      case COVAR_SAMP -> count > 1;
      case CORR -> count > 0 && sxx != 0 && syy != 0;
      case REGR_SLOPE, REGR_INTERCEPT, REGR_R2 -> count > 0 && sxx != 0;
      default -> count > 0;
    };
  }

  /** Of the product of both sums of squares, which may be beyond a DOUBLE itself. */
  private double root() {
    double product = sxx * syy;
    boolean isExact = product >= Double.MIN_NORMAL && product <= Double.MAX_VALUE;
    return isExact ? Math.sqrt(product) : Math.sqrt(sxx) * Math.sqrt(syy);
  }

  private double result() {
    return switch (function) {
      case COVAR_POP -> sxy / count;
      case COVAR_SAMP -> sxy / (count - 1);
      case CORR -> Math.clamp(sxy / root(), -1, 1);
      case REGR_AVGX -> meanX;
      case REGR_AVGY -> meanY;
      case REGR_SLOPE -> sxy / sxx;
      case REGR_INTERCEPT -> meanY - meanX * (sxy / sxx);
      case REGR_R2 -> syy == 0 ? 1 : sxy / sxx * (sxy / syy);
      case REGR_SXX -> sxx;
      case REGR_SXY -> sxy;
      case REGR_SYY -> syy;
      default -> throw new IllegalStateException("not of pairs: " + function);
    };
  }
}
