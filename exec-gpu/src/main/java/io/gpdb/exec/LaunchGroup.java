package io.gpdb.exec;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelLimits;
import java.util.List;

/**
 * One group of a grouped launch: {@code blocks} blocks with bindings of their own. Inside of the
 * group a kernel sees a grid of its own: positions, block numbers and the grid's size count from
 * the group's first block.
 *
 * @param rows about how often a lane of the group does the kernel's work: how many lanes there are,
 *     or how many rows, where each lane takes several; a device may go by it to share the work
 */
public record LaunchGroup(int blocks, Arguments arguments, long rows) {
  /** One row a lane. */
  public LaunchGroup(int blocks, Arguments arguments) {
    this(blocks, arguments, (long) blocks * arguments.kernel().blockSize());
  }

  /** The rows of all groups. */
  public static long rowsOf(List<LaunchGroup> groups) {
    long rows = 0;
    for (LaunchGroup group : groups) {
      rows += group.rows();
    }
    return rows;
  }

  /** The blocks of all groups of a launch; refuses those that are not the kernel's, or too many. */
  public static int blocksOf(Kernel kernel, List<LaunchGroup> groups) {
    long blocks = 0;
    for (LaunchGroup group : groups) {
      if (!isThe(kernel, group.arguments().kernel())) {
        throw new IllegalArgumentException(
            "kernel " + kernel.name() + ": arguments of " + group.arguments().kernel().name());
      }
      requireBlocks(kernel, group.blocks());
      blocks += group.blocks();
    }
    requireBlocks(kernel, blocks);
    return (int) blocks;
  }

  private static void requireBlocks(Kernel kernel, long blocks) {
    long lanes = blocks * kernel.blockSize();
    if (blocks < 0 || lanes > KernelLimits.GRID_LANES_MAX) {
      throw new IllegalArgumentException(
          "kernel %s: blocks=%d, lanes=%d, limit=%d"
              .formatted(kernel.name(), blocks, lanes, KernelLimits.GRID_LANES_MAX));
    }
  }

  @SuppressWarnings("ReferenceEquality") // the usual case; comparing whole kernels is slow
  private static boolean isThe(Kernel kernel, Kernel other) {
    return other == kernel || other.equals(kernel);
  }
}
