package io.gpdb.exec.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.DeviceMemoryContract;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The CUDA device's memory on a driver that knows what is allocated and registered. */
class StubbedCudaMemoryTest extends DeviceMemoryContract {
  private final StubDriver stub = new StubDriver();

  @Override
  protected Device open() {
    return new AnnouncingDevice(new StubDriver());
  }

  /** Lane i stores 1. */
  private static LoadedKernel ones(Device device) {
    KernelBuilder b = new KernelBuilder("ones").blockSize(32);
    b.store(b.buffer(BufferParam.output("to", Element.I32)), b.global(), b.i32(1));
    return device.load(b.build());
  }

  private static void launch(LoadedKernel ones, DeviceBuffer to) {
    ones.launch(1, new Arguments(ones.kernel()).buffer(0, to));
  }

  @Test
  void hostMemoryOfAnotherDeviceIsRefused() {
    try (Device device = new AnnouncingDevice(stub)) {
      LoadedKernel ones = ones(device);
      assertThatThrownBy(() -> launch(ones, HostBuffer.collected(128)))
          .hasMessage("kernel ones: argument to is in the memory of another device");
    }
  }

  @Test
  void theHostSeesACopyThatTakesNoStores() {
    try (Device device = new AnnouncingDevice(stub);
        DatabaseMemory memory = new DatabaseMemory(device.memory())) {
      DeviceBuffer buffer = device.memory().allocate(256, memory.work());
      buffer.fill((byte) 1);
      HostBuffer seen = buffer.slice(0, 100).onHost();
      buffer.fill((byte) 2);
      assertThat(seen.byteAt(99)).isEqualTo((byte) 1);
      assertThatThrownBy(() -> seen.setInt(0, 3)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static void requireZeros(DeviceBuffer buffer) {
    HostBuffer all = buffer.onHost();
    for (long at = 0; at < buffer.bytes(); at += 1000) {
      assertThat(all.byteAt(at)).isZero();
    }
  }

  /** What is left of a piece is filled at once; a block that comes back is filled by itself. */
  @Test
  void zerosTakeACallForEachPieceNotForEachBlock() {
    try (Device device = new AnnouncingDevice(stub);
        DatabaseMemory memory = new DatabaseMemory(device.memory())) {
      int blockBytes = 256 << 10;
      int pieces = stub.allocations();
      List<DeviceBuffer> zeroed = new ArrayList<>();
      int fillsBefore = stub.fills();
      for (int i = 0; i < 100; i++) {
        DeviceBuffer other = device.memory().allocate(blockBytes, memory.work());
        zeroed.add(device.memory().allocateZeroed(blockBytes, memory.work()));
        assertThat(other.bytes()).isEqualTo(blockBytes);
      }
      assertThat(stub.fills() - fillsBefore).isLessThanOrEqualTo(stub.allocations() - pieces + 1);
      for (DeviceBuffer each : zeroed) {
        requireZeros(each);
        each.fill((byte) 7);
      }
      device.memory().free(zeroed.getFirst(), memory.work());
      requireZeros(device.memory().allocateZeroed(blockBytes, memory.work()));
    }
  }

  /** Pieces grow with what is cut; where no large one fits there are small ones. */
  @Test
  void allOfTheMemoryIsCutIntoBlocks() {
    try (Device device = new AnnouncingDevice(stub);
        DatabaseMemory memory = new DatabaseMemory(device.memory())) {
      int piecesBefore = stub.allocations();
      long limit = 300L << 20;
      stub.limit(limit);
      int blockBytes = 1 << 20;
      long taken = 0;
      try {
        while (taken <= limit) {
          device.memory().allocate(blockBytes, memory.work());
          taken += blockBytes;
        }
      } catch (GpdbException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_MEMORY);
      }
      assertThat(taken).isBetween(limit - (10 << 20), limit);
      assertThat(stub.allocations() - piecesBefore).isLessThan(28);
    }
  }

  @Test
  void severalLongCopiesToTheHostAreOneWait() {
    try (Device device = new AnnouncingDevice(stub);
        DatabaseMemory memory = new DatabaseMemory(device.memory());
        Arena arena = Arena.ofShared()) {
      MemorySegment all = arena.allocate(5 << 18, 256);
      List<DeviceMemory.ToHost> copies = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        DeviceBuffer from = device.memory().allocate(1 << 18, memory.work());
        from.fill((byte) i);
        HostBuffer to = device.memory().map(all.asSlice((long) i << 18, 1 << 18));
        copies.add(new DeviceMemory.ToHost(from, to));
      }
      ExecutionCounters.Snapshot before = device.counters().snapshot();
      device.memory().copyToHost(copies);
      ExecutionCounters.Snapshot cost = device.counters().snapshot().minus(before);
      assertThat(List.of(cost.waits(), cost.copies(), cost.bytesCopied()))
          .isEqualTo(List.of(1L, 5L, 5L << 18));
      for (int i = 0; i < 5; i++) {
        assertThat(all.get(ValueLayout.JAVA_BYTE, ((long) i << 18) + 77)).isEqualTo((byte) i);
      }
    }
  }

  /** Parts of pages share their registration; it ends when none of their memories is left. */
  @Test
  void pagesAreRegisteredOnceAndLetGo() {
    try (Device device = new AnnouncingDevice(stub)) {
      LoadedKernel ones = ones(device);
      List<Arena> arenas = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        Arena arena = Arena.ofShared();
        arenas.add(arena);
        MemorySegment small = arena.allocate(128, 4);
        launch(ones, device.memory().map(small));
        launch(ones, device.memory().map(small));
        assertThat(small.get(ValueLayout.JAVA_INT, 124)).isEqualTo(1);
        MemorySegment large = arena.allocate(3 * 4096 + 100, 4);
        launch(ones, device.memory().map(large.asSlice(4000, 4096)));
        launch(ones, device.memory().map(large));
      }
      arenas.forEach(Arena::close);
      for (int i = 0; i < 200; i++) {
        try (Arena arena = Arena.ofShared()) {
          launch(ones, device.memory().map(arena.allocate(128 << 10, 4096)));
        }
      }
      assertThat(stub.registrations()).isLessThan(80);
    }
    assertThat(stub.registrations()).isZero();
  }

  /** What the system maps where freed memory was has other pages, which the GPU does not know. */
  @Test
  void registrationsOfFreedMemoryAreNotUsedAgain() {
    try (Device device = new AnnouncingDevice(stub);
        DatabaseMemory memory = new DatabaseMemory(device.memory())) {
      LoadedKernel ones = ones(device);
      DeviceBuffer own = device.memory().allocate(1 << 20, memory.work());
      int again = 0;
      long last = 0;
      for (int i = 0; i < 50; i++) {
        try (Arena arena = Arena.ofShared()) {
          MemorySegment fresh = arena.allocate(1 << 20, 4096);
          int before = stub.registrationsMade();
          if (i % 2 == 0) {
            launch(ones, device.memory().map(fresh));
            assertThat(stub.registrationsMade()).isGreaterThan(before);
          } else if (fresh.address() == last) {
            again++;
            int count = stub.registrations();
            own.copyFrom(device.memory().map(fresh), 0, 0, 1 << 20);
            assertThat(stub.registrations()).isLessThan(count);
          }
          last = fresh.address();
        }
      }
      assumeThat(again).isPositive();
    }
  }

  @Test
  void pagesThatAGpuMayNotWriteAreReadAlone() {
    try (Device device = new AnnouncingDevice(stub);
        Arena arena = Arena.ofShared()) {
      KernelBuilder b = new KernelBuilder("copy").blockSize(32);
      int from = b.input("from", Element.I32);
      int to = b.output("to", Element.I32);
      b.store(to, b.global(), b.load(from, b.global()));
      LoadedKernel copy = device.load(b.build());
      MemorySegment file = arena.allocate(4096, 4096).fill((byte) 7);
      stub.refuseStoresTo(file);
      MemorySegment memory = arena.allocate(4096, 4096);
      DeviceBuffer target = device.memory().map(memory);
      copy.launch(
          1, new Arguments(copy.kernel()).buffer(0, device.memory().map(file)).buffer(1, target));
      assertThat(memory.asSlice(0, 128).mismatch(file.asSlice(0, 128))).isEqualTo(-1);
      LoadedKernel ones = ones(device);
      assertThatThrownBy(() -> launch(ones, device.memory().map(file)))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
    }
  }

  private static LoadedKernel copying(Device device) {
    KernelBuilder b = new KernelBuilder("copying").blockSize(32);
    int from = b.input("from", Element.I32);
    int to = b.output("to", Element.I32);
    b.store(to, b.global(), b.load(from, b.global()));
    return device.load(b.build());
  }

  private static int firstOf(LoadedKernel copying, DeviceBuffer from, DeviceBuffer to) {
    copying.enqueue(
        List.of(new LaunchGroup(1, new Arguments(copying.kernel()).buffer(0, from).buffer(1, to))));
    return to.onHost().intAt(0);
  }

  @Test
  void whatDoesNotChangeIsCopiedOnceAndAgainWhenItIsMappedAgain() {
    try (Device device = new AnnouncingDevice(stub);
        DatabaseMemory memory = new DatabaseMemory(device.memory());
        Arena arena = Arena.ofShared()) {
      LoadedKernel copying = copying(device);
      MemorySegment file = arena.allocate(1 << 20, 4096);
      DeviceBuffer to = device.memory().allocate(128, memory.work());
      long copied = 0;
      for (int content = 1; content < 40; content++) {
        file.set(ValueLayout.JAVA_INT, 4096, content);
        DeviceBuffer view = device.memory().mapUnchanging(file.asReadOnly());
        assertThat(view.onHost().intAt(1024)).isEqualTo(content);
        for (int i = 0; i < 3; i++) {
          assertThat(firstOf(copying, view.slice(4096, 128), to)).isEqualTo(content);
        }
        copied += file.byteSize() + 3 * to.bytes();
        assertThat(device.counters().snapshot().bytesCopied()).isEqualTo(copied);
        device.memory().unmap(view);
        assertThat(view.onHost().intAt(1024)).isEqualTo(content);
      }
      assertThat(stub.allocations()).isLessThan(5);
    }
  }

  /** A limit of 5 MiB, and 8 views of 1 MiB that are read in turn: 5 are copied, and stay. */
  @Test
  void whatHasNoRoomIsReadWhereItIs() {
    stub.limit(10L << 20);
    try (Device device = new AnnouncingDevice(stub);
        DatabaseMemory memory = new DatabaseMemory(device.memory());
        Arena arena = Arena.ofShared()) {
      stub.limit(Long.MAX_VALUE);
      LoadedKernel copying = copying(device);
      DeviceBuffer to = device.memory().allocate(128, memory.work());
      List<DeviceBuffer> views = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        MemorySegment file = arena.allocate(1 << 20, 4096);
        file.set(ValueLayout.JAVA_INT, 0, i);
        views.add(device.memory().mapUnchanging(file.asReadOnly()));
      }
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 8; i++) {
          assertThat(firstOf(copying, views.get(i), to)).isEqualTo(i);
        }
      }
      long toHost = 32 * to.bytes();
      assertThat(device.counters().snapshot().bytesCopied()).isEqualTo((5L << 20) + toHost);
      for (int i = 0; i < 50; i++) {
        assertThat(firstOf(copying, views.get(7), to)).isEqualTo(7);
      }
      assertThat(device.counters().snapshot().bytesCopied())
          .isEqualTo((6L << 20) + toHost + 50 * to.bytes());
    }
  }

  @Test
  void copiesForReadingMakeRoomWhereTheGpuIsFull() {
    stub.limit(100L << 20);
    try (Device device = new AnnouncingDevice(stub);
        DatabaseMemory memory = new DatabaseMemory(device.memory());
        Arena arena = Arena.ofShared()) {
      memory.work().limit(1L << 30);
      LoadedKernel copying = copying(device);
      DeviceBuffer to = device.memory().allocate(128, memory.work());
      DeviceBuffer view = device.memory().mapUnchanging(arena.allocate(48 << 20, 4096));
      assertThat(firstOf(copying, view, to)).isZero();
      DeviceBuffer large = device.memory().allocate(70L << 20, memory.work());
      assertThat(firstOf(copying, view, to)).isZero();
      assertThat(large.bytes()).isEqualTo(70L << 20);
    }
  }

  @Test
  void memoryIsTakenFromTheDriverRarelyAndFreedAtTheEnd() {
    try (Device device = new AnnouncingDevice(stub);
        DatabaseMemory memory = new DatabaseMemory(device.memory())) {
      for (int round = 0; round < 20; round++) {
        List<DeviceBuffer> taken = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          taken.add(device.memory().allocate(300L << i % 12, memory.work()));
        }
        taken.forEach(each -> device.memory().free(each, memory.work()));
      }
      assertThat(stub.allocations()).isLessThan(8);
      assertThat(memory.work().usedBytes()).isZero();
    }
    assertThat(stub.allocations()).isZero();
    assertThat(stub.isClosed()).isTrue();
  }

  /** Each copy that nobody has waited for holds a slot; what is in it arrives all the same. */
  @Test
  void slotsInUseShareWhatTheDriverIsAskedFor() {
    try (Device device = new AnnouncingDevice(stub);
        DatabaseMemory memory = new DatabaseMemory(device.memory())) {
      DeviceBuffer to = device.memory().allocate(60 * 1024, memory.work());
      HostBuffer from = device.memory().pin(1024, memory.work());
      int registered = stub.registrationsMade();
      int allocated = stub.allocations();
      int streams = stub.streams();
      for (int i = 0; i < 60; i++) {
        from.segment().fill((byte) i);
        to.copyFrom(from, 0, i * 1024L, 1024);
      }
      HostBuffer found = to.onHost();
      for (int i = 0; i < 60 * 1024; i++) {
        assertThat(found.byteAt(i)).isEqualTo((byte) (i / 1024));
      }
      assertThat(stub.registrationsMade() - registered).isLessThanOrEqualTo(4);
      assertThat(stub.allocations() - allocated).isLessThanOrEqualTo(4);
      assertThat(stub.streams() - streams).isLessThanOrEqualTo(4);
    }
    assertThat(stub.allocations()).isZero();
    assertThat(stub.registrations()).isZero();
    assertThat(stub.streams()).isZero();
  }

  @Test
  void freeBlocksAreGivenBackWhereTheGpuIsFull() {
    stub.limit(100L << 20);
    try (Device device = new AnnouncingDevice(stub);
        DatabaseMemory memory = new DatabaseMemory(device.memory())) {
      memory.work().limit(1L << 30);
      DeviceBuffer first = device.memory().allocate(60L << 20, memory.work());
      device.memory().free(first, memory.work());
      DeviceBuffer second = device.memory().allocate(70L << 20, memory.work());
      assertThatThrownBy(() -> device.memory().allocate(40L << 20, memory.work()))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_MEMORY));
      assertThat(memory.work().usedBytes()).isEqualTo(second.bytes());
    }
  }
}
