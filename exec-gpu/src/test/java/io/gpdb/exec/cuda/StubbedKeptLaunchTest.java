package io.gpdb.exec.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.KeptLaunch;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Type;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Groups that are kept are launched again as they would be if they were bound again. */
class StubbedKeptLaunchTest {
  private static final int LANES = 32;
  private static final int IN = 0;
  private static final int OUT = 1;
  private static final int FACTOR = 0;
  private static final int OWN = 1;

  private final Device device = new AnnouncingDevice();
  private final DatabaseMemory memory = new DatabaseMemory(device.memory());
  private final Arena arena = Arena.ofShared();
  private final LoadedKernel scale = scale(device);

  @AfterEach
  void close() {
    memory.close();
    device.close();
    arena.close();
  }

  /** Lane i stores {@code in[i] * factor + own}. */
  private static LoadedKernel scale(Device device) {
    KernelBuilder b = new KernelBuilder("scale").blockSize(LANES);
    int in = b.buffer(BufferParam.input("in", Element.I32));
    int out = b.buffer(BufferParam.output("out", Element.I32));
    var factor = b.scalar(new ScalarParam("factor", Type.I32));
    var own = b.scalar(new ScalarParam("own", Type.I32));
    b.store(out, b.global(), b.add(b.mul(b.load(in, b.global()), factor), own));
    return device.load(b.build());
  }

  private DeviceBuffer numbers(int from) {
    DeviceBuffer buffer = device.memory().allocate(4L * LANES, memory.work());
    buffer.edit(all -> fill(all, from));
    return buffer;
  }

  private static void fill(HostBuffer all, int from) {
    for (int i = 0; i < LANES; i++) {
      all.setInt(i, from + i);
    }
  }

  /** An unchanging file's bytes, which the device copies when it first reads them. */
  private DeviceBuffer mapped(int from) {
    MemorySegment segment = arena.allocate(4L * LANES, 4096);
    for (int i = 0; i < LANES; i++) {
      segment.setAtIndex(ValueLayout.JAVA_INT, i, from + i);
    }
    return device.memory().mapUnchanging(segment.asReadOnly());
  }

  private List<LaunchGroup> groups(List<DeviceBuffer> in, DeviceBuffer out, int factor) {
    List<LaunchGroup> groups = new ArrayList<>();
    for (int g = 0; g < in.size(); g++) {
      Arguments arguments =
          new Arguments(scale.kernel())
              .buffer(IN, in.get(g))
              .buffer(OUT, out.slice(4L * LANES * g, 4L * LANES))
              .scalar(FACTOR, factor)
              .scalar(OWN, 1000 * g);
      groups.add(new LaunchGroup(1, arguments));
    }
    return groups;
  }

  private static void requireScaled(DeviceBuffer out, int groups, int factor) {
    HostBuffer all = out.onHost();
    for (int i = 0; i < groups * LANES; i++) {
      int group = i / LANES;
      assertThat(all.intAt(i))
          .as("value " + i)
          .isEqualTo((100 * group + i % LANES) * factor + 1000 * group);
    }
  }

  private DeviceBuffer room(int groups, boolean pinned) {
    long bytes = 4L * LANES * groups;
    DeviceBuffer room =
        pinned
            ? device.memory().pin(bytes, memory.work())
            : device.memory().allocate(bytes, memory.work());
    room.fill((byte) -1);
    return room;
  }

  private void requireKept(List<DeviceBuffer> in) {
    int n = in.size();
    KeptLaunch kept = scale.keep(groups(in, room(n, false), 1));
    assertThat(kept).isNotNull();
    for (int factor = 2; factor < 6; factor++) {
      DeviceBuffer out = room(n, factor % 2 == 0);
      assertThat(kept.enqueue(groups(in, out, factor).getFirst().arguments())).isTrue();
      requireScaled(out, n, factor);
      assertThat(kept.isCurrent()).isTrue();
    }
  }

  @Test
  void scalarsInCommonAndResultsAreBoundAnew() {
    requireKept(List.of(numbers(0), numbers(100), numbers(200)));
    requireKept(List.of(numbers(0)));
  }

  /** The records stay in the GPU's memory once two launches have had the same. */
  @Test
  void launchesWithTheSameArgumentsHandNothingOver() {
    List<DeviceBuffer> in = List.of(numbers(0), numbers(100), numbers(200));
    DeviceBuffer out = room(3, false);
    KeptLaunch kept = scale.keep(groups(in, out, 1));
    assertThat(kept).isNotNull();
    int[] factors = {2, 2, 2, 3, 4, 4, 4, 2};
    long[] copies = {1, 1, 0, 1, 1, 1, 0, 1};
    for (int i = 0; i < factors.length; i++) {
      out.fill((byte) -1);
      ExecutionCounters.Snapshot before = device.counters().snapshot();
      Arguments first = groups(in, out, factors[i]).getFirst().arguments();
      assertThat(kept.enqueue(first)).isTrue();
      assertThat(device.counters().snapshot().minus(before).copies())
          .as("copies of launch " + i)
          .isEqualTo(copies[i]);
      requireScaled(out, 3, factors[i]);
    }
  }

  @Test
  void copiesForReadingAreReadWhereTheyAre() {
    requireKept(List.of(mapped(0), mapped(100)));
  }

  @Test
  void aCopyThatIsGivenUpEndsIt() {
    DeviceBuffer first = mapped(0);
    DeviceBuffer second = mapped(100);
    List<DeviceBuffer> in = List.of(first, second);
    KeptLaunch kept = scale.keep(groups(in, room(2, false), 1));
    assertThat(kept).isNotNull();
    Arguments arguments = groups(in, room(2, false), 1).getFirst().arguments();
    assertThat(kept.enqueue(arguments)).isTrue();
    device.memory().unmap(second);
    assertThat(kept.isCurrent()).isFalse();
    assertThat(kept.enqueue(arguments)).isFalse();
  }

  private @Nullable KeptLaunch keptBeside(DeviceBuffer other) {
    return scale.keep(groups(List.of(numbers(0), other), room(2, false), 1));
  }

  @Test
  void whatMayGoBackToTheSystemIsNotKept() {
    HostBuffer pinned = device.memory().pin(4L * LANES, memory.work());
    assertThat(keptBeside(pinned)).as("the host's memory").isNull();
    HostBuffer content = HostBuffer.collected(4L * LANES);
    assertThat(keptBeside(device.memory().keep(content))).as("a plan's table").isNull();
    DeviceBuffer large = device.memory().allocate(16 << 20, memory.work());
    assertThat(keptBeside(large)).as("a block that the driver gets back").isNull();
    assertThat(keptBeside(numbers(100))).isNotNull();
  }
}
