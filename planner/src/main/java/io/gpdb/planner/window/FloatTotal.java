package io.gpdb.planner.window;

import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.HostBuffer;

/**
 * SUM and AVG of floats. Nothing is taken out again, for what was lost to a large number would not
 * come back.
 */
final class FloatTotal extends Accumulator {
  private final Function function;
  private final WindowColumn argument;
  private long count;
  private double sum;

  FloatTotal(Function function, WindowColumn argument) {
    this.function = function;
    this.argument = argument;
  }

  @Override
  void clear() {
    count = 0;
    sum = 0;
  }

  @Override
  void add(int row) {
    if (!argument.isNull(row)) {
      count++;
      sum += argument.number(row);
    }
  }

  @Override
  int summaryWords() {
    return 2;
  }

  @Override
  void store(HostBuffer to, long word) {
    to.setLong(word, count);
    to.setLong(word + 1, Double.doubleToRawLongBits(sum));
  }

  @Override
  void merge(HostBuffer from, long word) {
    count += from.longAt(word);
    sum += Double.longBitsToDouble(from.longAt(word + 1));
  }

  @Override
  void write(WindowOutput output, int row) {
    if (count == 0 && function != Function.SUM_OR_ZERO) {
      output.setNull(row);
      return;
    }
    double result = function == Function.AVG ? sum / count : sum;
    output.set(
        row,
        output.type().kind() == SqlTypeSpec.Kind.REAL
            ? Float.floatToRawIntBits((float) result)
            : Double.doubleToRawLongBits(result));
  }
}
