package io.gpdb.planner.expression.compiler;

import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import org.jspecify.annotations.Nullable;

/** A table that a plan is made with, and that its kernels read: the device has it from then on. */
final class PlanTable {
  private final HostBuffer content;
  private @Nullable DeviceBuffer kept;

  PlanTable(HostBuffer content) {
    this.content = content;
  }

  /** For a launch of the statement that the thread works for. */
  synchronized DeviceBuffer kept() {
    DeviceBuffer known = kept;
    if (known == null) {
      known = MemoryAccount.current().memory().keep(content);
      kept = known;
    }
    return known;
  }
}
