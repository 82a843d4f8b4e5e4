package io.gpdb.storage;

/**
 * How one value of a column lies in memory, little-endian. {@code CODE} is a 32-bit index into the
 * column's {@link Dictionary}.
 */
public enum ElementType {
  I8(1),
  I16(2),
  I32(4),
  I64(8),
  F32(4),
  F64(8),
  CODE(4);

  private final int bytes;

  ElementType(int bytes) {
    this.bytes = bytes;
  }

  public int bytes() {
    return bytes;
  }
}
