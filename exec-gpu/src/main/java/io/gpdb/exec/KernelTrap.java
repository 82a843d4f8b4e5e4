package io.gpdb.exec;

import io.gpdb.exec.ir.Op;

/** A launch in which a lane trapped: the smallest (detail, code) among its trapped lanes. */
public final class KernelTrap extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final long detail;

  public KernelTrap(String kernel, int code, long detail) {
    super(message(kernel, code, detail));
    this.code = code;
    this.detail = detail;
  }

  private static String message(String kernel, int code, long detail) {
    return switch (code) {
      case Op.OUT_OF_RANGE -> "kernel " + kernel + ": index out of range in lane " + detail;
      case Op.DIVIDE_BY_ZERO -> "kernel " + kernel + ": division by zero in lane " + detail;
      default -> "kernel " + kernel + ": trap code=" + code + ", detail=" + detail;
    };
  }

  /** The code of the {@link Op.Trap}, or one of Op's negative codes. */
  public int code() {
    return code;
  }

  /** The detail that the lane reported (mostly a row number), or the lane's GLOBAL position. */
  public long detail() {
    return detail;
  }
}
