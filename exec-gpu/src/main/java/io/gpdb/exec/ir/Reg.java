package io.gpdb.exec.ir;

/** A per-lane register. Registers may be assigned more than once; a read needs an earlier write. */
public record Reg(int id, Type type) {
  public String text() {
    return "%" + id;
  }
}
