package io.gpdb.exec.library.reduce;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.KeptLaunch;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tablets of a window that run the same variant, and are in one part of the memory. */
final class ReducePass {
  /** What the tablets have in common. */
  record Key(LaneVariant variant, int part) {}

  /**
   * More partial results are copied to the host: 16 M rows. A store to the host's memory costs 2 ns
   * there, a copy 5 microseconds.
   */
  private static final int STORED_BLOCKS_MAX = 1024;

  private static final long PART_ALIGNMENT = Long.BYTES;

  private final GridReduce of;
  private final Key key;
  private final Ready<ReduceText.Places> ready;
  private final List<Arguments> arguments = new ArrayList<>();
  private final List<Integer> rows = new ArrayList<>();
  private final List<LaunchGroup> groups = new ArrayList<>();
  private final List<Integer> firstBlocks = new ArrayList<>();
  private final List<HostBuffer> onHost = new ArrayList<>();
  private int blocks;
  private long[] starts = {0};
  private DeviceBuffer partials = HostBuffer.NONE;
  private @Nullable KeptLaunch kept;

  /** What the partials are a part of, and where in it; null where they are by themselves. */
  private @Nullable DeviceBuffer common;

  private long commonAt;

  ReducePass(GridReduce of, Key key) {
    this.of = of;
    this.key = key;
    ready = of.ready(key.variant);
  }

  boolean isOf(LaneBindings bindings, boolean live) {
    return key.variant.isOf(bindings, live);
  }

  int add(Arguments bound, int boundRows) {
    arguments.add(bound);
    rows.add(boundRows);
    return rows.size() - 1;
  }

  /** Shares the rows of all tablets among blocks. */
  private void share() {
    int least = 0;
    for (int each : rows) {
      least += LaneKernels.blocks(each, ReduceShape.BLOCK_ROWS);
    }
    int scalar = ready.places().blockRows();
    int blockRows = scalar < 0 ? ReduceShape.BLOCK_ROWS : of.shape().blockRows(least);
    for (int g = 0; g < rows.size(); g++) {
      if (scalar >= 0) {
        arguments.get(g).scalar(scalar, blockRows);
      }
      firstBlocks.add(blocks);
      int count = LaneKernels.blocks(rows.get(g), blockRows);
      groups.add(new LaunchGroup(count, arguments.get(g), rows.get(g)));
      blocks += count;
    }
  }

  /** The partial results of all parts are neighbours, so that one copy takes them to the host. */
  void bind(Scratch scratch) {
    share();
    reserve(scratch);
    for (int group = 0; group < groups.size(); group++) {
      bindPartials(group);
    }
  }

  void reserve(Scratch scratch) {
    starts = partStarts();
    partials = forHost(scratch, bytes());
  }

  /** Of all partial results. */
  long bytes() {
    return starts[starts.length - 1];
  }

  /** Takes its place among the results of several passes. */
  void reserveIn(DeviceBuffer all, long at) {
    common = all;
    commonAt = at;
    partials = all.slice(at, bytes());
  }

  /** What the results of several passes are in; null where they are by themselves. */
  @Nullable DeviceBuffer common() {
    return common;
  }

  /** The results of several passes are on the host. */
  void takeOf(HostBuffer all) {
    resultsAt(all.slice(commonAt, bytes()));
    common = null;
  }

  /** Where the results of each part begin, and where those of the last end. */
  private long[] partStarts() {
    List<ReducePart> parts = ready.places().parts();
    long[] starts = new long[parts.size() + 1];
    for (int p = 0; p < parts.size(); p++) {
      long bytes = (long) blocks * parts.get(p).element().bytes();
      starts[p + 1] = starts[p] + (bytes + PART_ALIGNMENT - 1) / PART_ALIGNMENT * PART_ALIGNMENT;
    }
    return starts;
  }

  private void bindPartials(int group) {
    LaunchGroup bound = groups.get(group);
    List<ReducePart> parts = ready.places().parts();
    for (int p = 0; p < parts.size(); p++) {
      int bytes = parts.get(p).element().bytes();
      long at = starts[p] + (long) firstBlocks.get(group) * bytes;
      DeviceBuffer own = partials.slice(at, (long) bound.blocks() * bytes);
      bound.arguments().buffer(parts.get(p).buffer(), own);
    }
  }

  void takeToHost(Scratch scratch) {
    resultsAt(partials instanceof HostBuffer pinned ? pinned : copied(scratch, partials));
  }

  private void resultsAt(HostBuffer all) {
    onHost.clear();
    for (int p = 0; p < starts.length - 1; p++) {
      onHost.add(all.slice(starts[p]));
    }
  }

  /** In memory that is there already: a copy of its own would have new pages. */
  static HostBuffer copied(Scratch scratch, DeviceBuffer partials) {
    HostBuffer copy = scratch.pin(partials.bytes());
    copy.copyFrom(partials, 0, 0, partials.bytes());
    return copy;
  }

  /** Of the groups the first remains, to be bound again; false where they cannot be kept. */
  boolean keep() {
    kept = blocks == 0 ? null : ready.kernel().keep(groups);
    onHost.clear();
    if (kept != null) {
      groups.subList(1, groups.size()).clear();
      arguments.clear();
    }
    return kept != null;
  }

  /** Binds the first group's parameters and results; false where all has to be bound. */
  boolean launchKept(LaneBindings bindings) {
    KeptLaunch launch = kept;
    if (launch == null || !key.variant.hasNullsOf(bindings)) {
      return false;
    }
    Arguments first = groups.getFirst().arguments();
    ready.layout().bindParameters(first, bindings);
    bindPartials(0);
    return launch.enqueue(first);
  }

  /** Whether what was launched counts. */
  boolean isCurrent() {
    return kept != null && kept.isCurrent();
  }

  /**
   * Few results are stored where the host reads them; many are copied faster. Of several devices
   * none is waited for before all have their work, as it is where the host's memory is used.
   */
  private DeviceBuffer forHost(Scratch scratch, long bytes) {
    return blocks <= STORED_BLOCKS_MAX && of.parts() == 1
        ? scratch.pin(bytes)
        : scratch.allocate(bytes, key.part);
  }

  /** Of the groups from..to, which are one tablet where floats are summed. */
  GridReduce.Partial partial(int from, int to) {
    int end = to < firstBlocks.size() ? firstBlocks.get(to) : blocks;
    return of.combine(ready.places(), onHost, firstBlocks.get(from), end);
  }

  /** Whether the order of additions shows: those of a tablet before those of the next. */
  boolean sumsFloats() {
    ReduceText.Places places = ready.places();
    for (int i = 0; i < of.aggregates().size(); i++) {
      if (of.aggregates().get(i).function() == Aggregate.Function.SUM
          && places.sources().get(i).type() == Type.F64) {
        return true;
      }
    }
    return false;
  }

  /** How many tablets there are. */
  int count() {
    return rows.size();
  }

  Key key() {
    return key;
  }

  Ready<ReduceText.Places> ready() {
    return ready;
  }

  List<LaunchGroup> groups() {
    return groups;
  }
}
