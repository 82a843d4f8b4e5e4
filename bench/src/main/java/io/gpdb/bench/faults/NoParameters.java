package io.gpdb.bench.faults;

import io.gpdb.planner.statement.ParameterValues;

/** The values of a statement without parameters. */
enum NoParameters implements ParameterValues {
  INSTANCE;

  @Override
  public int count() {
    return 0;
  }

  @Override
  public boolean isNull(int parameter) {
    return true;
  }

  @Override
  public long raw(int parameter) {
    return 0;
  }

  @Override
  public byte[] bytes(int parameter) {
    return new byte[0];
  }

  @Override
  public long nowMicros() {
    return 0;
  }
}
