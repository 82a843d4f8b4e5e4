package io.gpdb.exec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.BumpMemory;
import io.gpdb.storage.memory.Cells;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HeldBlocks;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostRoom;
import io.gpdb.storage.memory.MemoryAccount;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the memory and the streams of every device do. */
public abstract class DeviceMemoryContract {
  private static final int N = 128;

  private Device device;
  private DeviceMemory memory;
  private DatabaseMemory database;
  private MemoryAccount account;
  private LoadedKernel addOne;

  protected abstract Device open();

  @BeforeEach
  void begin() {
    device = open();
    memory = device.memory();
    database = new DatabaseMemory(memory);
    account = database.work().statement("a test");
    addOne = device.load(addOne());
  }

  @AfterEach
  void end() {
    account.close();
    database.close();
    device.close();
  }

  /** Lane i: {@code to[i] = from[i] + 1}. */
  private static Kernel addOne() {
    KernelBuilder b = new KernelBuilder("add_one").blockSize(N);
    int from = b.buffer(BufferParam.input("from", Element.I32));
    int to = b.buffer(BufferParam.output("to", Element.I32));
    b.store(to, b.global(), b.add(b.load(from, b.global()), 1));
    return b.build();
  }

  private List<LaunchGroup> added(DeviceBuffer from, DeviceBuffer to) {
    return List.of(
        new LaunchGroup(1, new Arguments(addOne.kernel()).buffer(0, from).buffer(1, to)));
  }

  private DeviceBuffer allocated() {
    return memory.allocate(N * 4L, account);
  }

  private HostBuffer counted(int first) {
    HostBuffer host = memory.pin(N * 4L, account);
    host.write(0, IntStream.range(first, first + N).toArray(), 0, N);
    return host;
  }

  private static void requireCounted(DeviceBuffer buffer, int first) {
    int[] found = new int[N];
    buffer.onHost().read(0, found, 0, N);
    assertThat(found).isEqualTo(IntStream.range(first, first + N).toArray());
  }

  @Test
  void memoryIsCountedUntilItIsFreed() {
    DeviceBuffer buffer = memory.allocate(1000, account);
    HostBuffer pinned = memory.pin(1000, account);
    assertThat(buffer.bytes()).isGreaterThanOrEqualTo(1000);
    assertThat(buffer.isAligned(256) && pinned.isAligned(256)).isTrue();
    assertThat(account.usedBytes()).isEqualTo(buffer.bytes() + pinned.bytes());
    assertThat(buffer.memory()).isSameAs(memory);
    memory.free(buffer, account);
    memory.free(pinned, account);
    assertThat(account.usedBytes()).isZero();
  }

  @Test
  void aCopyInARoomIsOfTheBufferThatWasReadLast() {
    requireReadLast(new HostRoom());
    BumpMemory copies = BumpMemory.unlimited(account);
    requireReadLast(new HostRoom(bytes -> copies.buffer(bytes, 64)));
    assertThat(copies.totalBytes()).isLessThan(4 << 20);
    copies.free();
    assertThat(account.usedBytes()).isZero();
  }

  /** Long and short, of the device's memory and of the host's, each to a place of one segment. */
  @Test
  void severalCopiesToTheHostAreWhatEachIs() {
    Random random = new Random(7);
    int[] lengths = {1 << 18, 0, 40, 1 << 17, (1 << 17) + 8, 300_000, 1 << 18};
    try (Arena arena = Arena.ofShared()) {
      byte[] expected = new byte[3 << 20];
      MemorySegment all = arena.allocate(expected.length, 256);
      List<DeviceMemory.ToHost> copies = new ArrayList<>();
      List<DeviceBuffer> taken = new ArrayList<>();
      int at = 0;
      for (int length : lengths) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        HostBuffer source = memory.pin(length + 16L, account);
        source.segment().asSlice(8, length).copyFrom(MemorySegment.ofArray(bytes));
        DeviceBuffer own = memory.allocate(length + 16L, account);
        own.copyFrom(source, 0, 0, length + 16L);
        taken.add(source);
        taken.add(own);
        for (DeviceBuffer from : taken.subList(taken.size() - 2, taken.size())) {
          System.arraycopy(bytes, 0, expected, at, length);
          HostBuffer to = memory.map(all.asSlice(at, length));
          copies.add(new DeviceMemory.ToHost(from.slice(8, length), to));
          at += length;
        }
      }
      memory.copyToHost(copies);
      memory.copyToHost(List.of());
      assertThat(all.toArray(JAVA_BYTE)).isEqualTo(expected);
      taken.forEach(buffer -> memory.free(buffer, account));
    }
  }

  private void requireReadLast(HostRoom room) {
    DeviceBuffer buffer = allocated();
    for (int first = 0; first < 3; first++) {
      HostBuffer source = counted(first);
      buffer.copyFrom(source, 0, 0, N * 4L);
      memory.free(source, account);
      HostBuffer seen = buffer.slice(0, N * 4L).onHost(room);
      assertThat(seen.bytes()).isEqualTo(N * 4L);
      requireCounted(seen, first);
    }
    DeviceBuffer large = memory.allocate(1 << 20, account);
    large.fill((byte) 7);
    HostBuffer seen = large.onHost(room);
    assertThat(seen.byteAt(0) + seen.byteAt((1 << 20) - 1)).isEqualTo(14);
    requireCounted(buffer.slice(0, N * 4L).onHost(room), 2);
    memory.free(large, account);
    memory.free(buffer, account);
  }

  /** Held against arrays of the host's: values of all sizes, some of them in the host's memory. */
  @Test
  void cellsComeToTheHostAndGoBackTogether() {
    Random random = new Random(Long.getLong("gpdb.seed", 11));
    int bytes = N * 4;
    List<DeviceBuffer> buffers = List.of(allocated(), counted(5), allocated());
    byte[][] expected = new byte[buffers.size()][bytes];
    for (int i = 0; i < buffers.size(); i++) {
      random.nextBytes(expected[i]);
      HostBuffer content = memory.pin(bytes, account);
      content.segment().copyFrom(MemorySegment.ofArray(expected[i]));
      buffers.get(i).copyFrom(content, 0, 0, bytes);
    }
    Cells cells = new Cells();
    for (int round = 0; round < 50; round++) {
      cells.clear();
      List<int[]> places = new ArrayList<>();
      for (int i = random.nextInt(70); i > 0; i--) {
        int of = random.nextInt(buffers.size());
        int at = random.nextInt(bytes / 8) * 8; // one size at a place
        int size = 1 << (at / 8 % 4);
        int cell = cells.add(buffers.get(of), at, size);
        places.add(new int[] {of, at, size, cell});
      }
      cells.fetch(memory);
      for (int[] place : places) {
        MemorySegment host = MemorySegment.ofArray(expected[place[0]]);
        assertThat(low(cells.word(place[3]), place[2])).isEqualTo(value(host, place[1], place[2]));
      }
      boolean goesBack = random.nextBoolean();
      for (int[] place : places) {
        long word = random.nextLong();
        cells.set(place[3], word);
        for (int b = 0; goesBack && b < place[2]; b++) {
          expected[place[0]][place[1] + b] = (byte) (word >>> 8 * b);
        }
      }
      if (goesBack) {
        cells.store(memory);
      }
    }
    for (int i = 0; i < buffers.size(); i++) {
      byte[] found = buffers.get(i).slice(0, bytes).onHost().segment().toArray(JAVA_BYTE);
      assertThat(found).isEqualTo(expected[i]);
    }
  }

  private static long low(long word, int bytes) {
    return bytes == Long.BYTES ? word : word & ((1L << 8 * bytes) - 1);
  }

  private static long value(MemorySegment host, int at, int bytes) {
    long value = 0;
    for (int b = 0; b < bytes; b++) {
      value |= (host.get(JAVA_BYTE, at + b) & 0xffL) << 8 * b;
    }
    return value;
  }

  @Test
  void memoryBeyondTheLimitIsRefused() {
    database.work().limit(1 << 20);
    assertThatThrownBy(() -> memory.allocate(2 << 20, account))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_MEMORY));
    assertThat(account.usedBytes()).isZero();
  }

  @Test
  void theEndOfAStatementFreesWhatItHeld() {
    HeldBlocks held = new HeldBlocks(account);
    held.allocate(1000);
    held.pin(1000);
    assertThat(database.work().usedBytes()).isPositive();
    account.close();
    assertThat(database.work().usedBytes()).isZero();
  }

  @Test
  void copiesGoEitherWayAndWithinTheDevice() {
    DeviceBuffer one = allocated();
    DeviceBuffer other = allocated();
    one.copyFrom(counted(7), 0, 0, N * 4L);
    other.fill((byte) 0);
    other.copyFrom(one, 40, 80, 160);
    int[] found = new int[N];
    HostBuffer back = memory.pin(N * 4L, account);
    back.copyFrom(other, 0, 0, N * 4L);
    back.read(0, found, 0, N);
    int[] expected = new int[N];
    for (int i = 0; i < 40; i++) {
      expected[20 + i] = 17 + i;
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void whatTheHostEditsReachesTheKernels() {
    DeviceBuffer buffer = memory.allocateZeroed(N * 4L, account);
    assertThat(buffer.onHost().intAt(N - 1)).isZero();
    buffer.copyFrom(counted(20), 0, 0, N * 4L);
    buffer.slice(0, 8).edit(part -> part.setInt(1, -7));
    DeviceBuffer to = allocated();
    addOne.launch(added(buffer, to));
    assertThat(to.onHost().intAt(0)).isEqualTo(21);
    assertThat(to.onHost().intAt(1)).isEqualTo(-6);
    assertThat(to.onHost().intAt(2)).isEqualTo(23);
  }

  @Test
  void slicesArePartsOfTheirBuffer() {
    DeviceBuffer whole = allocated();
    whole.copyFrom(counted(0), 0, 0, N * 4L);
    whole.slice(40, 4).fill((byte) -1);
    assertThat(whole.onHost().intAt(9)).isEqualTo(9);
    assertThat(whole.onHost().intAt(10)).isEqualTo(-1);
    assertThat(whole.slice(44).onHost().intAt(0)).isEqualTo(11);
    assertThat(whole.slice(44).bytes()).isEqualTo(whole.bytes() - 44);
    assertThatThrownBy(() -> whole.slice(4, whole.bytes()))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void kernelsAndTheHostSeeWhatTheOtherHasStored() {
    DeviceBuffer between = allocated();
    HostBuffer pinned = counted(3);
    addOne.launch(added(pinned, between));
    requireCounted(between, 4);
    addOne.launch(added(between, pinned));
    requireCounted(pinned, 5);
    between.copyFrom(counted(50), 0, 0, N * 4L);
    addOne.launch(added(between, pinned));
    requireCounted(pinned, 51);
  }

  @Test
  void kernelsReachMappedMemoryWhereItIs() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment from = arena.allocate(N * 4L, 64);
      MemorySegment to = arena.allocate(N * 4L, 64);
      from.copyFrom(counted(11).segment().asSlice(0, N * 4L));
      addOne.launch(added(memory.map(from.asReadOnly()), memory.map(to)));
      requireCounted(memory.map(to), 12);
      assertThat(to.mismatch(counted(12).segment().asSlice(0, N * 4L))).isEqualTo(-1);
      assertThatThrownBy(() -> added(memory.map(from), memory.map(to.asReadOnly())))
          .hasMessageContaining("needs a writable buffer");
    }
  }

  @Test
  void whatIsKeptIsReadByKernels() {
    HostBuffer content = HostBuffer.collected(N * 4L);
    content.write(0, IntStream.range(0, N).toArray(), 0, N);
    DeviceBuffer kept = memory.keep(content);
    DeviceBuffer to = allocated();
    addOne.launch(added(kept, to));
    requireCounted(to, 1);
    assertThat(kept.bytes()).isEqualTo(N * 4L);
  }

  @Test
  void aKernelSeesNoMoreThanItsSlice() {
    DeviceBuffer from = allocated();
    from.fill((byte) 0);
    DeviceBuffer to = allocated();
    assertThatThrownBy(() -> addOne.launch(added(from, to.slice(0, (N - 1) * 4L))))
        .isInstanceOf(KernelTrap.class);
  }

  @Test
  void aBufferOfNoDeviceIsRefused() {
    assertThatThrownBy(() -> addOne.launch(added(new Nowhere(), allocated())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("kernel add_one: argument from is in the memory of another device");
  }

  @Test
  void aStreamKeepsItsOrder() {
    DeviceBuffer one = allocated();
    DeviceBuffer other = allocated();
    HostBuffer back = memory.pin(N * 4L, account);
    try (Stream stream = device.stream()) {
      stream.copy(counted(0), 0, one, 0, N * 4L);
      stream.launch(addOne, added(one, other));
      stream.launch(addOne, added(other, one));
      stream.copy(one, 0, back, 0, N * 4L);
      stream.await();
      requireCounted(back, 2);
      stream.launch(addOne, added(one, other));
      stream.await();
    }
    requireCounted(other, 3);
  }

  @Test
  void whatIsAfterAFailureIsNotDone() {
    DeviceBuffer one = allocated();
    one.copyFrom(counted(0), 0, 0, N * 4L);
    DeviceBuffer other = allocated();
    other.copyFrom(counted(70), 0, 0, N * 4L);
    try (Stream stream = device.stream()) {
      stream.launch(addOne, added(one.slice(0, 4), other));
      stream.copy(one, 0, other, 0, N * 4L);
      assertThatThrownBy(stream::await).isInstanceOf(KernelTrap.class);
      assertThat(other.onHost().intAt(N - 1)).isEqualTo(70 + N - 1);
      stream.copy(one, 0, other, 0, N * 4L);
      stream.await();
      requireCounted(other, 0);
    }
  }

  @Test
  void closingAStreamWaitsForItsWork() {
    DeviceBuffer one = allocated();
    try (Stream stream = device.stream()) {
      stream.copy(counted(5), 0, one, 0, N * 4L);
    }
    requireCounted(one, 5);
  }

  /** A buffer that no device knows. */
  private static final class Nowhere implements DeviceBuffer {
    @Override
    public long bytes() {
      return N * 4L;
    }

    @Override
    public DeviceMemory memory() {
      throw new UnsupportedOperationException();
    }

    @Override
    public DeviceBuffer slice(long offset, long bytes) {
      return this;
    }

    @Override
    public boolean isAligned(int alignmentBytes) {
      return true;
    }

    @Override
    public boolean isWritable() {
      return true;
    }

    @Override
    public HostBuffer onHost() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void edit(Consumer<HostBuffer> change) {
      throw new UnsupportedOperationException();
    }
  }
}
