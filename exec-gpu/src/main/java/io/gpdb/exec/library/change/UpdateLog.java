package io.gpdb.exec.library.change;

import io.gpdb.exec.PersistTarget;
import io.gpdb.storage.memory.DeviceBuffer;

/** Where a kernel appends log entries. */
public sealed interface UpdateLog permits UpdateLog.Hcl, ConventionalLog {
  /**
   * A region of a hierarchical coalesced log: entry i of the launch becomes entry i of the region.
   * Unused slots of the last group keep their old contents: pass a zeroed region, or seal n.
   *
   * @param words the log, i32 words
   * @param baseWord where the region starts; a multiple of 32 to keep appends to whole lines
   * @param target makes the region durable for kernels with persist barriers
   */
  record Hcl(DeviceBuffer words, long baseWord, PersistTarget target) implements UpdateLog {
    public Hcl(DeviceBuffer words, long baseWord) {
      this(words, baseWord, PersistTarget.VOLATILE);
    }
  }
}
