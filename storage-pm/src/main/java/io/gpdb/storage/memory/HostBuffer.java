package io.gpdb.storage.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/**
 * Host memory as a buffer: what the host reads and writes value by value. Indexes count values of
 * the method's width, from 0 on.
 */
public final class HostBuffer implements DeviceBuffer {
  /** As heap values and blocks of the pool are. */
  private static final int ALIGNMENT_BYTES = 64;

  /** Without bytes; every device takes it. */
  public static final HostBuffer NONE = new HostBuffer(MemorySegment.NULL, HostMemory.INSTANCE);

  private final MemorySegment segment;
  private final DeviceMemory memory;

  /**
   * Only a {@link DeviceMemory} makes one: what its kernels are to reach.
   *
   * @param segment native
   */
  public HostBuffer(MemorySegment segment, DeviceMemory memory) {
    if (!segment.isNative()) {
      throw new IllegalArgumentException("a buffer needs a native segment");
    }
    this.segment = segment;
    this.memory = memory;
  }

  /** Zeros that live as long as somebody refers to them; not counted, not reached by kernels. */
  public static HostBuffer collected(long bytes) {
    MemorySegment segment = Arena.ofAuto().allocate(Math.max(1, bytes), ALIGNMENT_BYTES);
    return new HostBuffer(segment.asSlice(0, bytes), HostMemory.INSTANCE);
  }

  /** For what deals with host memory as such: files, logs, and devices that run on the host. */
  public MemorySegment segment() {
    return segment;
  }

  /**
   * The same bytes, 2 GiB at most, in the machine's order: HotSpot compiles loops over a buffer
   * sooner than those over a segment, and until then they take less than half of the time.
   */
  public ByteBuffer buffer() {
    return segment.asByteBuffer().order(ByteOrder.nativeOrder());
  }

  @Override
  public long bytes() {
    return segment.byteSize();
  }

  @Override
  public DeviceMemory memory() {
    return memory;
  }

  @Override
  public HostBuffer slice(long offset, long bytes) {
    return new HostBuffer(segment.asSlice(offset, bytes), memory);
  }

  @Override
  public HostBuffer slice(long offset) {
    return slice(offset, bytes() - offset);
  }

  @Override
  public boolean isAligned(int alignmentBytes) {
    return segment.address() % alignmentBytes == 0;
  }

  @Override
  public boolean isWritable() {
    return !segment.isReadOnly();
  }

  @Override
  public HostBuffer onHost() {
    return this;
  }

  @Override
  public void edit(Consumer<HostBuffer> change) {
    change.accept(this);
  }

  @Override
  public void fill(byte value) {
    segment.fill(value);
  }

  /** Whether that thread may read it: what callers give may be their own thread's alone. */
  public boolean isAccessibleBy(Thread thread) {
    return segment.isAccessibleBy(thread);
  }

  public byte byteAt(long index) {
    return segment.get(JAVA_BYTE, index);
  }

  public void setByte(long index, byte value) {
    segment.set(JAVA_BYTE, index, value);
  }

  public short shortAt(long index) {
    return segment.get(JAVA_SHORT_UNALIGNED, index << 1);
  }

  public void setShort(long index, short value) {
    segment.set(JAVA_SHORT_UNALIGNED, index << 1, value);
  }

  public int intAt(long index) {
    return segment.get(JAVA_INT_UNALIGNED, index << 2);
  }

  public void setInt(long index, int value) {
    segment.set(JAVA_INT_UNALIGNED, index << 2, value);
  }

  public long longAt(long index) {
    return segment.get(JAVA_LONG_UNALIGNED, index << 3);
  }

  public void setLong(long index, long value) {
    segment.set(JAVA_LONG_UNALIGNED, index << 3, value);
  }

  public double doubleAt(long index) {
    return segment.get(JAVA_DOUBLE_UNALIGNED, index << 3);
  }

  /** {@code to[toIndex + i]} = value {@code index + i}, for i below n. */
  public void read(long index, int[] to, int toIndex, int n) {
    MemorySegment.copy(segment, JAVA_INT_UNALIGNED, index << 2, to, toIndex, n);
  }

  public void read(long index, long[] to, int toIndex, int n) {
    MemorySegment.copy(segment, JAVA_LONG_UNALIGNED, index << 3, to, toIndex, n);
  }

  /** Value {@code index + i} = {@code from[fromIndex + i]}, for i below n. */
  public void write(long index, int[] from, int fromIndex, int n) {
    MemorySegment.copy(from, fromIndex, segment, JAVA_INT_UNALIGNED, index << 2, n);
  }

  public void write(long index, long[] from, int fromIndex, int n) {
    MemorySegment.copy(from, fromIndex, segment, JAVA_LONG_UNALIGNED, index << 3, n);
  }
}
