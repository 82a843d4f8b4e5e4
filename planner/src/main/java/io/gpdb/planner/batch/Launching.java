package io.gpdb.planner.batch;

import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.function.Supplier;

/** What operators with kernels have in common. */
public final class Launching {
  private Launching() {}

  /** Runs launches; a trap of an expression becomes the error that SQL wants. */
  public static <T> T translated(KernelExpressions expressions, Supplier<T> launches) {
    try {
      return launches.get();
    } catch (KernelTrap trap) {
      throw expressions.failure(trap);
    }
  }

  public static io.gpdb.exec.ir.Kernel.Element element(SqlTypeSpec type) {
    return LaneInputs.element(type.element());
  }
}
