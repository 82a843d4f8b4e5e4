package io.gpdb.exec;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelPrinter;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A kernel with a launch: what its result is depends on nothing but this record.
 *
 * @param buffers the first contents of each buffer
 */
public record GeneratedKernel(
    long seed, Kernel kernel, int blocks, List<byte[]> buffers, long[] scalars) {

  /** What a launch left: each buffer's contents, and the trap as text or the empty string. */
  public record Outcome(List<byte[]> buffers, String trap) {}

  public Outcome runOn(Device device) {
    return runOn(device.load(kernel), device.memory());
  }

  /** On a device whose kernels run on the host. */
  public Outcome runOn(LoadedKernel loaded) {
    return runOn(loaded, HostMemory.INSTANCE);
  }

  private Outcome runOn(LoadedKernel loaded, DeviceMemory memory) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment[] segments = segments(arena);
      KernelTrap trap = null;
      try {
        loaded.launch(blocks, bind(segments, memory));
      } catch (KernelTrap e) {
        trap = e;
      }
      List<byte[]> left =
          Arrays.stream(segments).map(s -> s.toArray(ValueLayout.JAVA_BYTE)).toList();
      return new Outcome(left, text(trap));
    }
  }

  /** New memory with each buffer's first contents. */
  MemorySegment[] segments(Arena arena) {
    MemorySegment[] segments = new MemorySegment[buffers.size()];
    for (int i = 0; i < segments.length; i++) {
      segments[i] = arena.allocate(Math.max(1, buffers.get(i).length), 128);
      segments[i] = segments[i].asSlice(0, buffers.get(i).length);
      segments[i].copyFrom(MemorySegment.ofArray(buffers.get(i)));
    }
    return segments;
  }

  Arguments bind(MemorySegment[] segments) {
    return bind(segments, HostMemory.INSTANCE);
  }

  private Arguments bind(MemorySegment[] segments, DeviceMemory memory) {
    Arguments arguments = new Arguments(kernel);
    for (int i = 0; i < segments.length; i++) {
      arguments.buffer(i, memory.map(segments[i]));
    }
    for (int i = 0; i < scalars.length; i++) {
      arguments.scalar(i, scalars[i]);
    }
    return arguments;
  }

  static String text(@Nullable KernelTrap trap) {
    return trap == null ? "" : "trap code=" + trap.code() + ", detail=" + trap.detail();
  }

  /** The same kernel with other contents, other scalars and another number of blocks. */
  GeneratedKernel withValues(Random random, int newBlocks) {
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < buffers.size(); i++) {
      Kernel.Element element = kernel.buffers().get(i).element();
      int length = buffers.get(i).length / element.bytes();
      contents.add(GeneratedValues.contents(random, element, length));
    }
    long[] values =
        kernel.scalars().stream().mapToLong(s -> GeneratedValues.bits(random, s.type())).toArray();
    return new GeneratedKernel(seed, kernel, newBlocks, contents, values);
  }

  /** The same launch of another kernel with the same parameters. */
  public GeneratedKernel with(Kernel other) {
    return new GeneratedKernel(seed, other, blocks, buffers, scalars);
  }

  /** Where two outcomes differ, or the empty string. */
  public String difference(Outcome expected, Outcome actual) {
    if (!expected.trap().equals(actual.trap())) {
      return "expected '" + expected.trap() + "', was '" + actual.trap() + "'";
    }
    for (int i = 0; i < buffers.size(); i++) {
      byte[] want = expected.buffers().get(i);
      byte[] found = actual.buffers().get(i);
      int at = Arrays.mismatch(want, found);
      if (at >= 0) {
        Kernel.BufferParam buffer = kernel.buffers().get(i);
        int bytes = buffer.element().bytes();
        int index = at / bytes;
        return "buffer "
            + buffer.name()
            + "["
            + index
            + "]: expected "
            + hex(want, index, bytes)
            + ", was "
            + hex(found, index, bytes);
      }
    }
    return "";
  }

  private static String hex(byte[] contents, int index, int bytes) {
    StringBuilder text = new StringBuilder("0x");
    for (int i = bytes - 1; i >= 0; i--) {
      text.append(String.format("%02x", contents[index * bytes + i]));
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return "-Dgpdb.seed=" + seed + ", blocks=" + blocks + "\n" + KernelPrinter.print(kernel);
  }
}
