package io.gpdb.planner.statement;

import io.gpdb.sql.type.TemporalText;
import java.time.Instant;
import java.time.ZoneId;

/**
 * The bound values of one execution with its time, which is taken when it is first asked for and
 * stays. For one thread.
 */
public final class StatementValues implements ParameterValues {
  private final ParameterValues bound;
  private final SequenceNumbers numbers;
  private boolean timed;
  private long nowMicros;

  public StatementValues(ParameterValues bound, SequenceNumbers numbers) {
    this.bound = bound;
    this.numbers = numbers;
  }

  /** Microseconds since 1970-01-01 00:00:00 of the session's clock. */
  static long clockMicros() {
    Instant now = Instant.now();
    long offsetSeconds = ZoneId.systemDefault().getRules().getOffset(now).getTotalSeconds();
    return (now.getEpochSecond() + offsetSeconds) * TemporalText.MICROS_PER_SECOND
        + now.getNano() / 1000;
  }

  @Override
  public int count() {
    return bound.count();
  }

  @Override
  public boolean isNull(int parameter) {
    return bound.isNull(parameter);
  }

  @Override
  public long raw(int parameter) {
    return bound.raw(parameter);
  }

  @Override
  public byte[] bytes(int parameter) {
    return bound.bytes(parameter);
  }

  @Override
  public SequenceNumbers numbers() {
    return numbers;
  }

  @Override
  public long nowMicros() {
    if (!timed) {
      nowMicros = clockMicros();
      timed = true;
    }
    return nowMicros;
  }
}
