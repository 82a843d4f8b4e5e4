package io.gpdb.exec.emulated.common;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;

/** How many registers a kernel names. */
public final class RegisterCount {
  private RegisterCount() {}

  /** One more than the greatest register id. */
  public static int of(Kernel kernel) {
    int[] greatest = {-1};
    Ops.forEach(
        kernel.body(),
        op -> {
          for (Reg register : Ops.reads(op)) {
            greatest[0] = Math.max(greatest[0], register.id());
          }
          Reg written = Ops.write(op);
          if (written != null) {
            greatest[0] = Math.max(greatest[0], written.id());
          }
        });
    return greatest[0] + 1;
  }
}
