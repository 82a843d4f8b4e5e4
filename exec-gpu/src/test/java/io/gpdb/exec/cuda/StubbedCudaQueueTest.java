package io.gpdb.exec.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Type;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Launches that nobody waits for, on a driver whose streams do nothing before they are awaited. */
class StubbedCudaQueueTest {
  private static final int N = 64;
  private static final int BYTES = 4 * N;

  private final Device device = new AnnouncingDevice();
  private final DatabaseMemory database = new DatabaseMemory(device.memory());
  private final LoadedKernel add = device.load(added());

  @AfterEach
  void close() {
    database.close();
    device.close();
  }

  /** Lane i: {@code to[i] = from[i] + plus}. */
  private static Kernel added() {
    KernelBuilder b = new KernelBuilder("added").blockSize(N);
    int from = b.input("from", Element.I32);
    int to = b.output("to", Element.I32);
    b.store(to, b.global(), b.add(b.load(from, b.global()), b.scalar("plus", Type.I32)));
    return b.build();
  }

  private LaunchGroup group(DeviceBuffer from, DeviceBuffer to, int plus) {
    Arguments arguments = new Arguments(add.kernel());
    return new LaunchGroup(1, arguments.buffer(0, from).buffer(1, to).scalar(0, plus));
  }

  private DeviceBuffer zeros() {
    return device.memory().allocateZeroed(BYTES, database.work());
  }

  private ExecutionCounters.Snapshot since(ExecutionCounters.Snapshot before) {
    return device.counters().snapshot().minus(before);
  }

  @Test
  void launchesInTheDevicesMemoryAreNotWaitedFor() {
    DeviceBuffer one = zeros();
    DeviceBuffer other = zeros();
    ExecutionCounters.Snapshot before = device.counters().snapshot();
    for (int i = 0; i < 10; i++) {
      add.enqueue(List.of(group(one, other, 1)));
      add.enqueue(List.of(group(other, one, 1)));
    }
    assertThat(since(before).launches()).isEqualTo(20);
    assertThat(since(before).waits()).isZero();
    assertThat(one.onHost().intAt(N - 1)).isEqualTo(20);
    assertThat(since(before).waits()).isEqualTo(1);
    assertThat(since(before).bytesCopied()).isEqualTo(one.bytes());
  }

  @Test
  void aLaunchThatReachesTheHostsMemoryComesBehindThemAndIsWaitedFor() {
    DeviceBuffer one = zeros();
    HostBuffer pinned = device.memory().pin(BYTES, database.work());
    add.enqueue(List.of(group(one, one, 3)));
    add.enqueue(List.of(group(one, pinned, 4)));
    assertThat(pinned.intAt(5)).isEqualTo(7);
    pinned.setInt(5, 100);
    add.enqueue(List.of(group(pinned, one, 1)));
    pinned.setInt(5, 0);
    add.launch(List.of(group(one, pinned, 0)));
    assertThat(pinned.intAt(5)).isEqualTo(101);
  }

  /** More grouped launches than there are slots, which hand over their records. */
  @Test
  void whatALaunchIsHandedStaysUntilItHasEnded() {
    DeviceBuffer one = zeros();
    DeviceBuffer other = zeros();
    for (int i = 0; i < 200; i++) {
      add.enqueue(List.of(group(one, one, i), group(other, other, 2 * i)));
    }
    assertThat(one.onHost().intAt(0)).isEqualTo(199 * 100);
    assertThat(other.onHost().intAt(0)).isEqualTo(2 * 199 * 100);
  }

  @Test
  void smallCopiesToTheDeviceTakeWhatTheHostHadThen() {
    DeviceBuffer one = zeros();
    HostBuffer from = HostBuffer.collected(BYTES);
    for (int i = 0; i < 200; i++) {
      from.setInt(3, i);
      one.copyFrom(from, 0, 0, BYTES);
      add.enqueue(List.of(group(one, one, 1)));
    }
    from.setInt(3, -1);
    assertThat(one.onHost().intAt(3)).isEqualTo(200);
  }

  @Test
  void anIndexOutOfRangeIsThrownByALaterCallOnce() {
    DeviceBuffer one = zeros();
    add.enqueue(List.of(group(one.slice(0, BYTES - 4), one, 1)));
    assertThatThrownBy(one::onHost)
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
        .hasCauseInstanceOf(KernelTrap.class);
    assertThat(one.onHost().intAt(0)).isEqualTo(1);
  }

  @Test
  void trapsOfTheTextAreThrownByTheLaunch() {
    KernelBuilder b = new KernelBuilder("refusing").blockSize(N);
    int to = b.output("to", Element.I32);
    b.trap(b.eq(b.load(to, b.global()), b.i32(0)), 7, b.global());
    LoadedKernel refusing = device.load(b.build());
    List<LaunchGroup> groups =
        List.of(new LaunchGroup(1, new Arguments(refusing.kernel()).buffer(0, zeros())));
    assertThatThrownBy(() -> refusing.enqueue(groups))
        .isInstanceOfSatisfying(KernelTrap.class, e -> assertThat(e.code()).isEqualTo(7));
  }

  /** Blocks that threads free behind their launches are other threads' at once. */
  @Test
  void threadsTakeBlocksThatAreFreedBehindLaunches() throws Exception {
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      for (int seed = 0; seed < 3; seed++) {
        Random random = new Random(seed);
        running.add(threads.submit(() -> chains(random)));
      }
    }
    for (Future<?> each : running) {
      requireDone(each);
    }
  }

  private static void requireDone(Future<?> each) throws InterruptedException {
    try {
      each.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  private void chains(Random random) {
    try (MemoryAccount account = database.work().statement("chains")) {
      for (int chain = 0; chain < 40; chain++) {
        DeviceBuffer from = device.memory().allocateZeroed(BYTES, account);
        int expected = 0;
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
          DeviceBuffer to = device.memory().allocate(BYTES, account);
          int plus = random.nextInt(100);
          add.enqueue(List.of(group(from, to, plus)));
          expected += plus;
          device.memory().free(from, account);
          from = to;
        }
        assertThat(from.onHost().intAt(random.nextInt(N))).isEqualTo(expected);
        device.memory().free(from, account);
      }
    }
  }
}
