package io.gpdb.planner.window;

import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.storage.memory.HostBuffer;

/**
 * Variances and standard deviations: counts, means and sums of squared distances (Welford), which
 * are merged as Chan, Golub and LeVeque do.
 */
final class Spread extends Accumulator {
  private final Function function;
  private final WindowColumn argument;
  private long count;
  private double mean;
  private double squares;

  Spread(Function function, WindowColumn argument) {
    this.function = function;
    this.argument = argument;
  }

  @Override
  void clear() {
    count = 0;
    mean = 0;
    squares = 0;
  }

  @Override
  void add(int row) {
    if (argument.isNull(row)) {
      return;
    }
    double value = argument.number(row);
    count++;
    double distance = value - mean;
    mean += distance / count;
    squares += distance * (value - mean);
  }

  @Override
  int summaryWords() {
    return 3;
  }

  @Override
  void store(HostBuffer to, long word) {
    to.setLong(word, count);
    to.setLong(word + 1, Double.doubleToRawLongBits(mean));
    to.setLong(word + 2, Double.doubleToRawLongBits(squares));
  }

  @Override
  void merge(HostBuffer from, long word) {
    long others = from.longAt(word);
    if (others == 0) {
      return;
    }
    double distance = Double.longBitsToDouble(from.longAt(word + 1)) - mean;
    long all = count + others;
    mean += distance * others / all;
    squares +=
        Double.longBitsToDouble(from.longAt(word + 2))
            + distance * distance * ((double) count * others / all);
    count = all;
  }

  @Override
  void write(WindowOutput output, int row) {
    boolean isSample = function == Function.VAR_SAMP || function == Function.STDDEV_SAMP;
    long divisor = isSample ? count - 1 : count;
    if (divisor <= 0) {
      output.setNull(row);
      return;
    }
    double variance = squares / divisor;
    boolean isRoot = function == Function.STDDEV_POP || function == Function.STDDEV_SAMP;
    output.set(row, Double.doubleToRawLongBits(isRoot ? Math.sqrt(variance) : variance));
  }
}
