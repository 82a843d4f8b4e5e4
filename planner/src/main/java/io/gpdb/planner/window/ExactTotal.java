package io.gpdb.planner.window;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.function.NumberFunctions;
import io.gpdb.planner.function.OutOfRange;
import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.HostBuffer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * COUNT, SUM and AVG of exact numbers and intervals: the sum has 192 bits, which no number of rows
 * of 38 digits fills, so only a result that its type does not hold raises an error.
 */
final class ExactTotal extends Accumulator {
  private static final int WORDS = 4;

  /** The first number of more than 18 digits. */
  private static final long NARROW_END = 1_000_000_000_000_000_000L;

  private final Function function;
  private final WindowColumn argument;
  private final boolean isWide;
  private long count;
  private long low;
  private long middle;
  private long high;

  ExactTotal(Function function, WindowColumn argument) {
    this.function = function;
    this.argument = argument;
    this.isWide = argument.type().kind().isString();
  }

  @Override
  void clear() {
    count = 0;
    low = 0;
    middle = 0;
    high = 0;
  }

  @Override
  void add(int row) {
    if (argument.isNull(row)) {
      return;
    }
    count++;
    if (function == Function.COUNT) {
      return;
    }
    if (isWide) {
      BigInteger value = argument.decimal(row).unscaledValue();
      add(value.longValue(), value.shiftRight(64).longValue(), value.signum() >> 1);
    } else {
      long value = argument.raw(row);
      add(value, value >> 63, value >> 63);
    }
  }

  @Override
  boolean removes() {
    return true;
  }

  @Override
  void remove(int row) {
    if (argument.isNull(row)) {
      return;
    }
    count--;
    if (function == Function.COUNT) {
      return;
    }
    if (isWide) {
      BigInteger value = argument.decimal(row).unscaledValue().negate();
      add(value.longValue(), value.shiftRight(64).longValue(), value.signum() >> 1);
    } else {
      long value = -argument.raw(row);
      long sign = value == Long.MIN_VALUE ? 0 : value >> 63; // the negative of 2^63 is none
      add(value, sign, sign);
    }
  }

  private void add(long lowWord, long middleWord, long highWord) {
    long sum = low + lowWord;
    long carry = Long.compareUnsigned(sum, lowWord) < 0 ? 1 : 0;
    low = sum;
    long next = middle + middleWord;
    long carried = next + carry;
    long overflow =
        (Long.compareUnsigned(next, middleWord) < 0 ? 1L : 0)
            + (Long.compareUnsigned(carried, next) < 0 ? 1L : 0);
    middle = carried;
    high += highWord + overflow;
  }

  @Override
  int summaryWords() {
    return WORDS;
  }

  @Override
  void store(HostBuffer to, long word) {
    to.setLong(word, count);
    to.setLong(word + 1, low);
    to.setLong(word + 2, middle);
    to.setLong(word + 3, high);
  }

  @Override
  void merge(HostBuffer from, long word) {
    count += from.longAt(word);
    add(from.longAt(word + 1), from.longAt(word + 2), from.longAt(word + 3));
  }

  @Override
  void write(WindowOutput output, int row) {
    switch (function) {
      case COUNT -> output.set(row, count);
      case AVG -> writeAverage(output, row);
      default -> {
        if (count == 0 && function == Function.SUM) {
          output.setNull(row);
        } else {
          writeSum(output, row);
        }
      }
    }
  }

  private void writeSum(WindowOutput output, int row) {
    SqlTypeSpec type = output.type();
    if (type.kind() == SqlTypeSpec.Kind.BIGINT || type.kind().isInterval()) {
      if (!isLong()) {
        throw OutOfRange.of("SUM", type);
      }
      output.set(row, low);
    } else if (type.kind() == SqlTypeSpec.Kind.WIDE_DECIMAL || !isLong()) {
      writeDecimal(output, row, decimal());
    } else {
      if (low >= NARROW_END || low <= -NARROW_END) {
        throw OutOfRange.of(decimal().toPlainString(), type);
      }
      output.set(row, low);
    }
  }

  private static void writeDecimal(WindowOutput output, int row, BigDecimal value) {
    SqlTypeSpec type = output.type();
    boolean wide = type.kind() == SqlTypeSpec.Kind.WIDE_DECIMAL;
    int digits = wide ? SqlTypeSpec.DECIMAL_DIGITS_MAX : SqlTypeSpec.NARROW_DIGITS_MAX;
    if (value.precision() > digits) {
      throw OutOfRange.of(value.toPlainString(), SqlTypeSpec.decimal(digits, value.scale()));
    }
    if (wide) {
      output.setBytes(row, HostValue.bytes(type, value));
    } else {
      output.set(row, HostValue.raw(type, value));
    }
  }

  private void writeAverage(WindowOutput output, int row) {
    if (count == 0) {
      output.setNull(row);
      return;
    }
    SqlTypeSpec type = output.type();
    if (type.kind() == SqlTypeSpec.Kind.DOUBLE) {
      double sum = isLong() ? (double) low : total().doubleValue();
      output.set(row, Double.doubleToRawLongBits(sum / count));
      return;
    }
    if (type.kind().isInterval()) {
      long average = total().divide(BigInteger.valueOf(count)).longValueExact();
      output.set(row, average - average % IntervalType.of(type).unit());
      return;
    }
    BigDecimal average =
        decimal().divide(BigDecimal.valueOf(count), type.scale(), RoundingMode.HALF_UP);
    int digits =
        type.kind() == SqlTypeSpec.Kind.WIDE_DECIMAL
            ? SqlTypeSpec.DECIMAL_DIGITS_MAX
            : SqlTypeSpec.NARROW_DIGITS_MAX;
    writeDecimal(output, row, NumberFunctions.scaledDecimal(average, digits, type.scale()));
  }

  private boolean isLong() {
    return middle == low >> 63 && high == middle;
  }

  private BigDecimal decimal() {
    return new BigDecimal(total(), argument.type().scale());
  }

  private BigInteger total() {
    return BigInteger.valueOf(high)
        .shiftLeft(64)
        .add(unsigned(middle))
        .shiftLeft(64)
        .add(unsigned(low));
  }

  private static BigInteger unsigned(long word) {
    BigInteger value = BigInteger.valueOf(word);
    return word < 0 ? value.add(BigInteger.ONE.shiftLeft(64)) : value;
  }
}
