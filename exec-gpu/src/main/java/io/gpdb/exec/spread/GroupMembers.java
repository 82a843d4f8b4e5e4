package io.gpdb.exec.spread;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which member runs which groups of a launch: the one that has most of the bytes that a group may
 * write, or else most of those that it reads, or else the first; the first of equal ones. Where
 * groups of different members would then use bytes that one of them may write, one member runs all:
 * atomic operations are so within a device only.
 */
final class GroupMembers {
  private final SpreadMemory memory;
  private final boolean[] isWritten;

  /**
   * Groups for one member.
   *
   * @param others the members that have other memory that the groups use
   * @param usesHost whether the groups use memory of the host
   */
  record Placed(
      int member, List<LaunchGroup> groups, SortedSet<Integer> others, boolean usesHost) {}

  GroupMembers(Kernel kernel, SpreadMemory memory) {
    this.memory = memory;
    isWritten = new boolean[kernel.buffers().size()];
    for (int i = 0; i < isWritten.length; i++) {
      isWritten[i] = kernel.buffers().get(i).access() != Access.READ;
    }
  }

  /** The groups by members in ascending order, those of a member in theirs; at least one part. */
  List<Placed> of(List<LaunchGroup> groups) {
    int[] members = new int[groups.size()];
    Bytes bytes = new Bytes(memory.parts());
    boolean isOne = true;
    for (int g = 0; g < members.length; g++) {
      members[g] = bytes.memberOf(groups.get(g).arguments().boundBuffers());
      isOne &= members[g] == members[0];
    }
    if (!isOne && !new SharedBytes(isWritten, groups, members).areApart()) {
      Arrays.fill(members, most(bytes.writtenByAll));
    }
    return parts(groups, members);
  }

  /** Whether the member runs a group with these arguments, and has all memory that they name. */
  boolean isOf(int member, Arguments arguments) {
    DeviceBuffer[] buffers = arguments.boundBuffers();
    for (int i = 0; i < buffers.length; i++) {
      if (isWritten[i] && isOwn(buffers[i]) && buffers[i].part() != member) {
        return false;
      }
    }
    return true;
  }

  /** How many bytes groups use of each member's memory. */
  private final class Bytes {
    private final long[] written;
    private final long[] read;
    private final long[] writtenByAll;

    Bytes(int members) {
      written = new long[members];
      read = new long[members];
      writtenByAll = new long[members];
    }

    int memberOf(DeviceBuffer[] buffers) {
      Arrays.fill(written, 0);
      Arrays.fill(read, 0);
      boolean anyWritten = false;
      for (int i = 0; i < buffers.length; i++) {
        if (!(buffers[i] instanceof SpreadBuffer buffer) || buffer.bytes() == 0) {
          continue;
        }
        if (isWritten[i]) {
          written[buffer.part()] += buffer.bytes();
          writtenByAll[buffer.part()] += buffer.bytes();
          anyWritten = true;
        } else if (!buffer.isEverywhere()) {
          read[buffer.part()] += buffer.bytes();
        }
      }
      return most(anyWritten ? written : read);
    }
  }

  private static int most(long[] bytes) {
    int most = 0;
    for (int member = 1; member < bytes.length; member++) {
      if (bytes[member] > bytes[most]) {
        most = member;
      }
    }
    return most;
  }

  private List<Placed> parts(List<LaunchGroup> groups, int[] members) {
    TreeMap<Integer, List<LaunchGroup>> byMember = new TreeMap<>();
    for (int g = 0; g < members.length; g++) {
      byMember.computeIfAbsent(members[g], member -> new ArrayList<>()).add(groups.get(g));
    }
    if (byMember.isEmpty()) {
      byMember.put(0, List.of());
    }
    List<Placed> parts = new ArrayList<>();
    byMember.forEach((member, own) -> parts.add(placed(member, own)));
    return parts;
  }

  private static Placed placed(int member, List<LaunchGroup> groups) {
    SortedSet<Integer> others = new TreeSet<>();
    boolean usesHost = false;
    for (LaunchGroup group : groups) {
      for (DeviceBuffer buffer : group.arguments().boundBuffers()) {
        if (isOwn(buffer) && buffer.part() != member) {
          others.add(buffer.part());
        }
        usesHost |= buffer instanceof HostBuffer && buffer.bytes() > 0;
      }
    }
    return new Placed(member, groups, others, usesHost);
  }

  /** Whether it is in the memory of one member alone. */
  private static boolean isOwn(DeviceBuffer buffer) {
    return buffer instanceof SpreadBuffer own
        && own.bytes() > 0
        && own.block() instanceof SpreadBlock.Own;
  }
}
