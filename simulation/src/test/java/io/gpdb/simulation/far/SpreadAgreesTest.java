package io.gpdb.simulation.far;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.GeneratedGroups;
import io.gpdb.exec.GeneratedKernel;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.spread.SpreadDevice;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Generated launches, whose buffers are anywhere in the memories of two to four devices and the
 * host, leave what each group leaves on one device. More: {@code -Dgpdb.fuzz=N}; one again: {@code
 * -Dgpdb.seed=S}.
 */
class SpreadAgreesTest {
  private static final int LAUNCHES = 60;

  @Test
  void launchesOverMembersLeaveWhatTheirGroupsLeaveAlone() {
    Long replay = Long.getLong("gpdb.seed");
    long first = replay == null ? 1 : replay;
    long count = LAUNCHES * Long.getLong("gpdb.fuzz", 1);
    try (Device reference = new EmulatedDevice(new EmulatedOptions(Mode.REFERENCE, 1, false))) {
      for (long seed = first; seed < first + count; seed++) {
        GeneratedGroups generated = GeneratedGroups.fromSeed(seed);
        GeneratedGroups.Outcome expected = generated.runAlone(reference);
        GeneratedGroups.Outcome found = run(generated, new Random(seed));
        assertThat(generated.difference(expected, found)).as(generated.toString()).isEmpty();
      }
    }
  }

  private static GeneratedGroups.Outcome run(GeneratedGroups generated, Random random) {
    FarMachine machine = new FarMachine();
    List<FarDevice> members =
        IntStream.range(0, 2 + random.nextInt(3))
            .mapToObj(i -> new EmulatedDevice(EmulatedOptions.standard()))
            .map(runner -> new FarDevice(runner, machine))
            .toList();
    try (Device device = new SpreadDevice(members);
        DatabaseMemory memory = new DatabaseMemory(device.memory());
        Arena arena = Arena.ofShared()) {
      LoadedKernel loaded = device.load(generated.groups().getFirst().kernel());
      List<LaunchGroup> launch = new ArrayList<>();
      List<List<DeviceBuffer>> bound = new ArrayList<>();
      for (GeneratedKernel group : generated.groups()) {
        Arguments arguments = new Arguments(group.kernel());
        int home = random.nextInt(members.size());
        List<DeviceBuffer> buffers = new ArrayList<>();
        for (byte[] content : group.buffers()) {
          int part = random.nextInt(3) > 0 ? home : random.nextInt(members.size());
          DeviceBuffer buffer =
              random.nextInt(4) > 0
                  ? onPart(content, device.memory().part(part), memory)
                  : onHost(content, device.memory(), arena);
          arguments.buffer(buffers.size(), buffer);
          buffers.add(buffer);
        }
        for (int i = 0; i < group.scalars().length; i++) {
          arguments.scalar(i, group.scalars()[i]);
        }
        bound.add(buffers);
        launch.add(new LaunchGroup(group.blocks(), arguments));
      }
      String trap = "";
      try {
        if (random.nextBoolean()) {
          loaded.launch(launch);
        } else {
          loaded.enqueue(launch);
        }
      } catch (KernelTrap e) {
        trap = "trap code=" + e.code() + ", detail=" + e.detail();
      }
      return new GeneratedGroups.Outcome(bound.stream().map(SpreadAgreesTest::left).toList(), trap);
    }
  }

  private static DeviceBuffer onPart(byte[] content, DeviceMemory part, DatabaseMemory memory) {
    DeviceBuffer buffer = part.allocate(content.length, memory.work()).slice(0, content.length);
    HostBuffer host = HostBuffer.collected(content.length);
    host.segment().copyFrom(MemorySegment.ofArray(content));
    buffer.copyFrom(host, 0, 0, content.length);
    return buffer;
  }

  private static DeviceBuffer onHost(byte[] content, DeviceMemory memory, Arena arena) {
    MemorySegment segment =
        arena.allocate(Math.max(1, content.length), 128).asSlice(0, content.length);
    segment.copyFrom(MemorySegment.ofArray(content));
    return memory.map(segment);
  }

  private static GeneratedKernel.Outcome left(List<DeviceBuffer> buffers) {
    return new GeneratedKernel.Outcome(
        buffers.stream().map(b -> b.onHost().segment().toArray(ValueLayout.JAVA_BYTE)).toList(),
        "");
  }
}
