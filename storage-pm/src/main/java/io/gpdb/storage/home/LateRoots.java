package io.gpdb.storage.home;

import net.openhft.chronicle.core.shutdown.PriorityHook;

/**
 * Roots that are written while the process ends. Chronicle Bytes, which writes their tables,
 * registers a hook when it is first used, which the JVM then refuses, and its classes are of no use
 * any more. It asks once: whoever has asked before takes the refusal in its place.
 *
 * <p>To ask loads two hundred classes, so nobody does before a root with tables is written: neither
 * an opening, after a kill or not, nor a change.
 */
final class LateRoots {
  private LateRoots() {}

  /** Called before Chronicle Bytes is used. */
  static void prepare() {
    try {
      PriorityHook.add(0, () -> {});
    } catch (IllegalStateException ending) {
      // It takes its hook for registered from now on.
    }
  }
}
