package io.gpdb.exec.ir;

import java.util.Locale;

/** The type of a register. */
public enum Type {
  I32,
  I64,
  F32,
  F64,
  PRED;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
