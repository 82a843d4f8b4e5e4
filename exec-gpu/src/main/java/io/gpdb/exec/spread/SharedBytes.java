package io.gpdb.exec.spread;

import io.gpdb.exec.LaunchGroup;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;

/**
 * The bytes that the groups of a launch use, and whether members would meet at some of them. Blocks
 * that one member alone uses, which are most, are left out at once.
 */
final class SharedBytes {
  private static final Comparator<Range> IN_ORDER =
      Comparator.comparingInt(Range::space).thenComparingLong(Range::start);

  private static final int SEVERAL = -1;

  /** So few blocks are looked for one by one. */
  private static final int FEW = 4;

  private final IdentityHashMap<SpreadBlock, Integer> spaces = new IdentityHashMap<>();

  /** Of the blocks that groups may write the member that uses it, or {@link #SEVERAL}. */
  private final IdentityHashMap<SpreadBlock, Integer> users = new IdentityHashMap<>();

  private final List<Range> ranges = new ArrayList<>();
  private final int memberCount;

  /**
   * Bytes that a group of a member uses.
   *
   * @param space a block's number, or 0 for the host's memory, in which places are addresses
   */
  private record Range(int space, long start, long end, int member, boolean written) {}

  SharedBytes(boolean[] isWritten, List<LaunchGroup> groups, int[] members) {
    memberCount = Arrays.stream(members).max().orElse(0) + 1;
    DeviceBuffer[][] bound = new DeviceBuffer[members.length][];
    boolean writesHost = false;
    for (int g = 0; g < members.length; g++) {
      bound[g] = groups.get(g).arguments().boundBuffers();
      for (int i = 0; i < isWritten.length; i++) {
        if (isWritten[i]) {
          writesHost |= bound[g][i] instanceof HostBuffer && bound[g][i].bytes() > 0;
          noteWritten(bound[g][i], members[g]);
        }
      }
    }
    if (noteRead(bound, isWritten, members) || writesHost) {
      addRanges(bound, isWritten, members);
    }
  }

  private void noteWritten(DeviceBuffer buffer, int member) {
    if (buffer instanceof SpreadBuffer own && own.bytes() > 0) {
      users.merge(own.block(), member, (a, b) -> a.equals(b) ? a : SEVERAL);
    }
  }

  /** Returns whether members share a block that groups may write. */
  private boolean noteRead(DeviceBuffer[][] bound, boolean[] isWritten, int[] members) {
    SpreadBlock[] written = users.keySet().toArray(SpreadBlock[]::new);
    for (int g = 0; g < members.length; g++) {
      for (int i = 0; i < isWritten.length; i++) {
        if (!isWritten[i]
            && bound[g][i] instanceof SpreadBuffer own
            && isAmong(written, own.block())) {
          noteWritten(own, members[g]);
        }
      }
    }
    return users.values().stream().anyMatch(user -> user == SEVERAL);
  }

  @SuppressWarnings("ReferenceEquality") // blocks are what they are, not what they hold
  private boolean isAmong(SpreadBlock[] written, SpreadBlock block) {
    if (written.length > FEW) {
      return users.containsKey(block);
    }
    for (SpreadBlock each : written) {
      if (each == block) {
        return true;
      }
    }
    return false;
  }

  private void addRanges(DeviceBuffer[][] bound, boolean[] isWritten, int[] members) {
    for (int g = 0; g < members.length; g++) {
      for (int i = 0; i < isWritten.length; i++) {
        if (bound[g][i].bytes() > 0) {
          add(bound[g][i], members[g], isWritten[i]);
        }
      }
    }
    ranges.sort(IN_ORDER);
  }

  private void add(DeviceBuffer buffer, int member, boolean written) {
    if (buffer instanceof HostBuffer host) {
      long start = host.segment().address();
      ranges.add(new Range(0, start, start + host.bytes(), member, written));
    } else if (buffer instanceof SpreadBuffer own
        && Objects.equals(users.get(own.block()), SEVERAL)) {
      int space = spaces.computeIfAbsent(own.block(), block -> spaces.size() + 1);
      ranges.add(new Range(space, own.offset(), own.offset() + own.bytes(), member, written));
    }
  }

  /** Whether what a group may write, no group of another member uses. */
  boolean areApart() {
    long[] usedEnd = new long[memberCount];
    long[] writtenEnd = new long[memberCount];
    int space = -1;
    for (Range range : ranges) {
      if (range.space != space) {
        space = range.space;
        Arrays.fill(usedEnd, Long.MIN_VALUE);
        Arrays.fill(writtenEnd, Long.MIN_VALUE);
      }
      for (int other = 0; other < memberCount; other++) {
        long end = range.written ? usedEnd[other] : writtenEnd[other];
        if (other != range.member && end > range.start) {
          return false;
        }
      }
      usedEnd[range.member] = Math.max(usedEnd[range.member], range.end);
      if (range.written) {
        writtenEnd[range.member] = Math.max(writtenEnd[range.member], range.end);
      }
    }
    return true;
  }
}
