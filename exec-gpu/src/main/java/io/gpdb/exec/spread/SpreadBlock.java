package io.gpdb.exec.spread;

import io.gpdb.storage.memory.DeviceBuffer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What was taken as a whole. Thread-safe. */
sealed interface SpreadBlock {
  /** The member whose memory it is in, or that reads it mostly. */
  int home();

  /** The block as a member's kernels reach it. */
  DeviceBuffer on(int member);

  /** In the memory of one member, reached by all. */
  record Own(int home, DeviceBuffer buffer) implements SpreadBlock {
    @Override
    public DeviceBuffer on(int member) {
      return buffer;
    }
  }

  /** What does not change: each member that needs it has its own. */
  final class Fixed implements SpreadBlock {
    private final int home;
    private final boolean isEverywhere;
    private final IntFunction<DeviceBuffer> made;

    /** By member; guarded by this. */
    private final @Nullable DeviceBuffer[] each;

    private Fixed(int home, boolean isEverywhere, int members, IntFunction<DeviceBuffer> made) {
      this.home = home;
      this.isEverywhere = isEverywhere;
      this.made = made;
      each = new DeviceBuffer[members];
    }

    /** What all members read alike. */
    static Fixed everywhere(int members, IntFunction<DeviceBuffer> made) {
      return new Fixed(0, true, members, made);
    }

    /** What one member reads, and others if need be. */
    static Fixed of(int home, int members, IntFunction<DeviceBuffer> made) {
      return new Fixed(home, false, members, made);
    }

    /** Whether it is the same to all members which of them reads it. */
    boolean isEverywhere() {
      return isEverywhere;
    }

    @Override
    public int home() {
      return home;
    }

    @Override
    public synchronized DeviceBuffer on(int member) {
      DeviceBuffer known = each[member];
      if (known == null) {
        known = made.apply(member);
        each[member] = known;
      }
      return known;
    }

    /** That of a member, if it has one. */
    synchronized @Nullable DeviceBuffer known(int member) {
      return each[member];
    }
  }
}
