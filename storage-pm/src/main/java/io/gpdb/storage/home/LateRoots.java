package io.gpdb.storage.home;

import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import java.util.concurrent.atomic.AtomicBoolean;
import net.openhft.chronicle.core.shutdown.PriorityHook;

/**
 * Roots that are written while the process ends. Chronicle Bytes, which writes their tables,
 * registers a hook of its own when it is first used, which is then too late.
 */
public final class LateRoots {
  private static final AtomicBoolean EXPECTED = new AtomicBoolean();

  private LateRoots() {}

  /**
   * Called before the first change after an opening or a checkpoint, and where there will be
   * another root without a change. It loads some two hundred classes, so a database that will write
   * no root goes without: one in memory, and one that is only read.
   */
  public static void expect(PersistentMemory home) {
    if (home.domain() == PersistenceDomain.NONE || !EXPECTED.compareAndSet(false, true)) {
      return;
    }
    try {
      PriorityHook.add(0, () -> {});
    } catch (IllegalStateException ending) {
      // The process ends already: this database was opened by a hook.
    }
  }
}
