package io.gpdb.exec.library.group.accumulator;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The accumulators of groups by their numbers, see {@link AccumulatorLayout}, and the totals of
 * float sums. Used by one thread at a time.
 */
public final class Accumulators implements AutoCloseable {
  private static final int GROUPS_SET_AT_ONCE = 1 << 10;
  private static final int GROUPS_OF_PIECE = 1 << 15;

  private final Device device;
  private final boolean setsOnHost;
  private final AccumulatorLayout layout;
  private final LoadedKernel init;
  private final Scratch scratch = new Scratch();
  private final List<DeviceBuffer> totals = new ArrayList<>();
  private DeviceBuffer words = HostBuffer.NONE;
  private int capacity;

  /**
   * @param setsOnHost whether the host, not a kernel, sets groups to their identities
   */
  public Accumulators(
      Device device, AccumulatorLayout layout, LoadedKernel init, boolean setsOnHost) {
    this.device = device;
    this.setsOnHost = setsOnHost;
    this.layout = layout;
    this.init = init;
    for (int i = 0; i < layout.floatSums(); i++) {
      totals.add(HostBuffer.NONE);
    }
  }

  /** Bytes of a group. */
  public static long bytes(AccumulatorLayout layout) {
    return (long) (layout.words().size() + layout.floatSums()) * Long.BYTES;
  }

  public int capacity() {
    return capacity;
  }

  public DeviceBuffer words() {
    return words;
  }

  /** The words of {@code groups} groups, from group {@code first} on. */
  public DeviceBuffer words(int first, int groups) {
    long bytes = (long) layout.words().size() * Long.BYTES;
    return words.slice(first * bytes, groups * bytes);
  }

  /** f64 per group, of each float sum. */
  public List<DeviceBuffer> totals() {
    return totals;
  }

  /** Makes room for exactly that number of groups; new ones hold their identities. */
  public void grow(int groups) {
    DeviceBuffer old = words;
    int before = capacity;
    words = scratch.atLeast((long) groups * layout.words().size() * Long.BYTES);
    words.copyFrom(old, 0, 0, (long) before * layout.words().size() * Long.BYTES);
    if (setsOnHost) {
      setOnHost(words.onHost(), before, groups);
    } else {
      setByKernel(before, groups);
    }
    for (int i = 0; i < totals.size(); i++) {
      DeviceBuffer more = scratch.atLeast((long) groups << 3);
      more.copyFrom(totals.get(i), 0, 0, (long) before << 3);
      more.slice((long) before << 3).fill((byte) 0);
      scratch.release(totals.get(i));
      totals.set(i, more);
    }
    capacity = groups;
    scratch.release(old);
  }

  private void setByKernel(int from, int to) {
    Arguments arguments =
        new Arguments(init.kernel())
            .scalar(GroupText.N, to - from)
            .scalar(GroupText.FROM, from)
            .buffer(GroupText.ACCUMULATORS, words);
    KernelLibrary.launch(init, LaneKernels.blocks(to - from, GroupText.BLOCK_LANES), arguments);
  }

  /** The host's threads copy groups that hold their identities. */
  private void setOnHost(HostBuffer into, int from, int to) {
    int count = layout.words().size();
    long[] identities = new long[Math.min(to - from, GROUPS_SET_AT_ONCE) * count];
    for (int i = 0; i < identities.length; i++) {
      identities[i] = layout.words().get(i % count).identity();
    }
    device.share(
        Math.ceilDiv(to - from, GROUPS_OF_PIECE),
        piece -> {
          StopSignal.poll();
          int first = from + piece * GROUPS_OF_PIECE;
          int end = Math.min(to, first + GROUPS_OF_PIECE);
          for (int g = first; g < end; g += GROUPS_SET_AT_ONCE) {
            int n = Math.min(GROUPS_SET_AT_ONCE, end - g) * count;
            into.write((long) g * count, identities, 0, n);
          }
        });
  }

  /** Adds what group {@code from} of others has to group {@code to}, for each pair. */
  public void add(Accumulators others, int[] from, int[] to) {
    HostBuffer source = others.words.onHost();
    words.edit(
        target -> {
          for (int i = 0; i < from.length; i++) {
            StopSignal.poll(i);
            add(source, from[i], target, to[i]);
          }
        });
    for (int t = 0; t < totals.size(); t++) {
      HostBuffer sums = others.totals.get(t).onHost();
      totals
          .get(t)
          .edit(
              target -> {
                for (int i = 0; i < from.length; i++) {
                  target.setLong(to[i], sums.longAt(from[i]));
                }
              });
    }
  }

  private void add(HostBuffer source, int from, HostBuffer target, int to) {
    int count = layout.words().size();
    for (int w = 0; w < count; w++) {
      long at = (long) to * count + w;
      long more = source.longAt((long) from * count + w);
      target.setLong(at, layout.words().get(w).combined(target.longAt(at), more));
    }
  }

  @Override
  public void close() {
    scratch.close();
  }
}
