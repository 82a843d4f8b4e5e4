package io.gpdb.simulation.far;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.DeviceContract;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.spread.SpreadDevice;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Three far devices as one: where the groups of a launch run, and what they then see. */
class SpreadDeviceTest extends DeviceContract {
  private static final int LANES = 64;

  private final List<Device> members = new ArrayList<>();

  @Override
  protected Device open() {
    FarMachine machine = new FarMachine();
    members.clear();
    for (int i = 0; i < 3; i++) {
      members.add(new FarDevice(new EmulatedDevice(EmulatedOptions.standard()), machine));
    }
    return new SpreadDevice(members);
  }

  /** {@code out[i] = in[i] + 1}, and {@code total[0]} counts the lanes. */
  private static KernelBuilder addAndCount() {
    KernelBuilder b = new KernelBuilder("add_and_count").blockSize(LANES);
    int in = b.buffer(BufferParam.input("in", Element.I32));
    int out = b.buffer(BufferParam.output("out", Element.I32));
    int total = b.buffer(BufferParam.output("total", Element.I32));
    b.store(out, b.global(), b.add(b.load(in, b.global()), 1));
    b.atomic(AtomicOp.ADD, total, b.i32(0), b.i32(1));
    return b;
  }

  private long[] launches() {
    return members.stream().mapToLong(m -> m.counters().snapshot().launches()).toArray();
  }

  /** A device, a kernel of it, and memory that is counted by nobody's statement. */
  private final class Setting implements AutoCloseable {
    final Device device = open();
    final DeviceMemory memory = device.memory();
    final DatabaseMemory database = new DatabaseMemory(memory);
    final LoadedKernel kernel = device.load(addAndCount().build());
    final List<LaunchGroup> groups = new ArrayList<>();

    DeviceBuffer zeros(int part) {
      return memory.part(part).allocateZeroed(4L * LANES, database.work()).slice(0, 4L * LANES);
    }

    HostBuffer pinned() {
      HostBuffer host = memory.pin(4L * LANES, database.work());
      host.fill((byte) 0);
      return host.slice(0, 4L * LANES);
    }

    void add(DeviceBuffer in, DeviceBuffer out, DeviceBuffer total) {
      Arguments arguments = new Arguments(kernel.kernel());
      groups.add(new LaunchGroup(1, arguments.buffer(0, in).buffer(1, out).buffer(2, total)));
    }

    @Override
    public void close() {
      database.close();
      device.close();
    }
  }

  @AfterEach
  void membersAreNotUsedTwice() {
    members.clear();
  }

  @Test
  void groupsRunWhereTheyWrite() {
    try (Setting s = new Setting()) {
      List<DeviceBuffer> outs = new ArrayList<>();
      List<DeviceBuffer> totals = new ArrayList<>();
      for (int g = 0; g < 6; g++) {
        outs.add(s.zeros(g));
        totals.add(s.zeros(g));
        s.add(s.zeros(0), outs.get(g), totals.get(g).slice(0, 4));
      }
      s.kernel.enqueue(s.groups);
      assertThat(launches()).containsExactly(1, 1, 1);
      for (int g = 0; g < 6; g++) {
        assertThat(outs.get(g).part()).isEqualTo(g % 3);
        assertThat(outs.get(g).onHost().intAt(LANES - 1)).isEqualTo(1);
        assertThat(totals.get(g).onHost().intAt(0)).isEqualTo(LANES);
      }
    }
  }

  @Test
  void groupsThatWriteToTheHostRunWhereTheyRead() {
    try (Setting s = new Setting()) {
      HostBuffer out = s.pinned();
      HostBuffer totals = s.pinned();
      DeviceBuffer in = s.zeros(2);
      in.fill((byte) 3);
      s.add(in, out, totals.slice(0, 4));
      s.kernel.launch(s.groups);
      assertThat(launches()).containsExactly(0, 0, 1);
      assertThat(out.intAt(5)).isEqualTo(0x03030304);
      assertThat(totals.intAt(0)).isEqualTo(LANES);
    }
  }

  /** Atomic operations of two devices are not atomic to each other. */
  @Test
  void oneMemberRunsGroupsThatShareWhatTheyWrite() {
    for (boolean onHost : new boolean[] {true, false}) {
      try (Setting s = new Setting()) {
        DeviceBuffer total = onHost ? s.pinned() : s.zeros(2);
        for (int g = 0; g < 6; g++) {
          s.add(s.zeros(1), s.zeros(g), total.slice(0, 4));
        }
        s.kernel.enqueue(s.groups);
        assertThat(IntStream.of(0, 1, 2).filter(m -> launches()[m] > 0).count()).isEqualTo(1);
        assertThat(total.onHost().intAt(0)).isEqualTo(6 * LANES);
      }
    }
  }

  /** Which of two groups comes first is open; that each sees whole values is not. */
  @Test
  void oneMemberRunsGroupsOfWhichOneReadsWhatAnotherWrites() {
    try (Setting s = new Setting()) {
      DeviceBuffer between = s.zeros(1);
      DeviceBuffer last = s.zeros(2);
      s.add(s.zeros(1), between, s.zeros(1).slice(0, 4));
      s.add(between, last, s.zeros(2).slice(0, 4));
      s.kernel.enqueue(s.groups);
      assertThat(IntStream.of(0, 1, 2).filter(m -> launches()[m] > 0).count()).isEqualTo(1);
      assertThat(last.onHost().intAt(0)).isBetween(1, 2);
    }
  }

  @Test
  void theSmallestTrapOfAllMembersIsThrownAndAllHaveRun() {
    try (Setting s = new Setting()) {
      List<DeviceBuffer> outs = new ArrayList<>();
      for (int g = 0; g < 3; g++) {
        outs.add(s.zeros(g));
        s.add(s.zeros(g).slice(0, 4L * (40 - 10 * g)), outs.get(g), s.zeros(g).slice(0, 4));
      }
      KernelTrap trap = catchThrowableOfType(KernelTrap.class, () -> s.kernel.launch(s.groups));
      assertThat(trap.detail()).isEqualTo(20);
      for (DeviceBuffer out : outs) {
        assertThat(out.onHost().intAt(0)).isEqualTo(1);
      }
    }
  }

  @Test
  void whatIsKeptIsReadByEachMemberInItsOwnMemory() {
    try (Setting s = new Setting()) {
      HostBuffer content = HostBuffer.collected(4L * LANES);
      content.fill((byte) 1);
      DeviceBuffer kept = s.memory.keep(content);
      for (int g = 0; g < 3; g++) {
        s.add(kept, s.zeros(g), s.zeros(g).slice(0, 4));
      }
      s.kernel.enqueue(s.groups);
      assertThat(launches()).containsExactly(1, 1, 1);
      for (Device member : members) {
        assertThat(((FarDevice) member).memory().bytesToDevice()).isEqualTo(4L * LANES);
      }
    }
  }

  @Test
  void bytesAreCopiedFromMemberToMember() {
    try (Setting s = new Setting()) {
      DeviceBuffer from = s.zeros(1);
      from.edit(host -> host.setInt(3, 7));
      DeviceBuffer to = s.zeros(2);
      to.copyFrom(from, 8, 0, 16);
      assertThat(to.onHost().intAt(1)).isEqualTo(7);
      assertThat(s.database.work().usedBytes()).isPositive();
      s.memory.free(s.memory.part(1).allocate(100, s.database.work()), s.database.work());
    }
  }
}
