package io.gpdb.exec.library.join;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.ByName;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.move.GridPick.Regions;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Batches of the probe side that one grouped launch joins, a group for each; one launch for each
 * variant of the kernel that they need. Made by {@link JoinBuild#start}. Used by one thread.
 */
public final class JoinWindow {
  private final JoinBuild build;
  private final List<Part> parts = new ArrayList<>();
  private int blocks;

  /** A batch with the blocks that are its own. */
  private record Part(Ready<ByName> ready, Arguments arguments, int firstBlock, int blocks) {
    DeviceBuffer own(DeviceBuffer perBlock, int elementBytes, int perBlockElements) {
      long bytes = (long) elementBytes * perBlockElements;
      return perBlock.slice(firstBlock * bytes, blocks * bytes);
    }
  }

  JoinWindow(JoinBuild build) {
    this.build = build;
  }

  /**
   * Adds the next batch; what is bound must stay valid until {@link #finish} returns.
   *
   * @param live bitmap, bit set = row exists; null when all do
   */
  public JoinWindow add(LaneBindings bindings, int rows, @Nullable DeviceBuffer live) {
    Ready<ByName> ready = build.plan.probe.ready(build.form(), bindings, live);
    int own = LaneKernels.blocks(rows, JoinProbe.BLOCK_LANES);
    LaneKernels.blocks((long) (blocks + own) * JoinProbe.BLOCK_LANES, JoinProbe.BLOCK_LANES);
    parts.add(new Part(ready, JoinProbe.bind(ready, bindings, rows, live, build), blocks, own));
    blocks += own;
    return this;
  }

  /** Launches; the matches have memory of their own. */
  public JoinMatches finish() {
    Scratch scratch = new Scratch();
    try {
      return finish(scratch);
    } catch (RuntimeException | Error e) {
      scratch.close();
      throw e;
    }
  }

  private JoinMatches finish(Scratch scratch) {
    long lanes = (long) blocks * JoinProbe.BLOCK_LANES;
    boolean writesMatches = JoinProbe.writesMatches(build.plan.kind);
    DeviceBuffer counts = scratch.ints(blocks);
    DeviceBuffer probeRows = scratch.ints(lanes);
    DeviceBuffer matches = scratch.ints(writesMatches ? lanes : 0);
    Map<Ready<ByName>, List<LaunchGroup>> launches = new LinkedHashMap<>();
    for (Part part : parts) {
      part.arguments
          .buffer(JoinProbe.COUNTS, part.own(counts, Integer.BYTES, 1))
          .buffer(JoinProbe.PROBE_ROWS, part.own(probeRows, Integer.BYTES, JoinProbe.BLOCK_LANES));
      if (writesMatches) {
        part.arguments.buffer(
            JoinProbe.MATCHES, part.own(matches, Integer.BYTES, JoinProbe.BLOCK_LANES));
      }
      if (part.blocks > 0) {
        launches
            .computeIfAbsent(part.ready, _ -> new ArrayList<>())
            .add(new LaunchGroup(part.blocks, part.arguments));
      }
    }
    launches.forEach((ready, groups) -> KernelLibrary.launch(ready.kernel(), groups));
    return matches(scratch, counts, probeRows, matches, writesMatches);
  }

  private JoinMatches matches(
      Scratch scratch,
      DeviceBuffer counts,
      DeviceBuffer probeRows,
      DeviceBuffer matches,
      boolean writesMatches) {
    HostBuffer counted = counts.onHost();
    HostBuffer offsets = scratch.pin((long) blocks << 3);
    int[] owns = new int[parts.size()];
    for (int p = 0; p < owns.length; p++) {
      Part part = parts.get(p);
      for (int i = part.firstBlock; i < part.firstBlock + part.blocks; i++) {
        offsets.setLong(i, owns[p]);
        owns[p] += counted.intAt(i);
      }
    }
    DeviceBuffer settled = scratch.settled(offsets);
    List<JoinMatches.Part> passed = new ArrayList<>();
    int total = 0;
    for (int p = 0; p < owns.length; p++) {
      Part part = parts.get(p);
      int own = owns[p];
      DeviceBuffer ownCounts = part.own(counts, Integer.BYTES, 1);
      DeviceBuffer ownOffsets = part.own(settled, Long.BYTES, 1);
      passed.add(
          new JoinMatches.Part(
              total,
              own,
              regions(part, ownCounts, ownOffsets, probeRows),
              writesMatches ? regions(part, ownCounts, ownOffsets, matches) : null));
      total += own;
    }
    return new JoinMatches(build, total, passed, scratch);
  }

  private static Regions regions(
      Part part, DeviceBuffer counts, DeviceBuffer offsets, DeviceBuffer indexes) {
    return new Regions(
        part.blocks, counts, offsets, part.own(indexes, Integer.BYTES, JoinProbe.BLOCK_LANES));
  }
}
