package io.gpdb.bench.harness;

import java.util.function.LongFunction;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A whole number of an option that must not be too small; picocli adds the usage and status 2. */
public abstract class Count<N extends Number> implements ITypeConverter<N> {
  private final long least;
  private final long most;
  private final LongFunction<N> narrowed;

  private Count(long least, long most, LongFunction<N> narrowed) {
    this.least = least;
    this.most = most;
    this.narrowed = narrowed;
  }

  @Override
  public N convert(String text) {
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return narrowed.apply(number);
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw new TypeConversionException(
        "'" + text + "' is not a whole number from " + least + " to " + most);
  }

  /** Of what there is at least one. */
  public static final class One extends Count<Integer> {
    public One() {
      super(1, Integer.MAX_VALUE, number -> (int) number);
    }
  }

  /** Where 0 has a meaning of its own. */
  public static final class Zero extends Count<Integer> {
    public Zero() {
      super(0, Integer.MAX_VALUE, number -> (int) number);
    }
  }

  /** Rows of which five percent are changed. */
  public static final class Twenty extends Count<Integer> {
    public Twenty() {
      super(20, Integer.MAX_VALUE, number -> (int) number);
    }
  }

  /** As {@link One}, for what may be very many. */
  public static final class LongOne extends Count<Long> {
    public LongOne() {
      super(1, Long.MAX_VALUE, number -> number);
    }
  }

  /** As {@link Zero}, for what may be very many. */
  public static final class LongZero extends Count<Long> {
    public LongZero() {
      super(0, Long.MAX_VALUE, number -> number);
    }
  }
}
