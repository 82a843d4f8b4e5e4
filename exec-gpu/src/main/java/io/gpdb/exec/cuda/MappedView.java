package io.gpdb.exec.cuda;

import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Consumer;

/** A part of mapped memory that does not change: the host reads it, kernels may read a copy. */
final class MappedView implements DeviceBuffer {
  private final CudaMemory memory;
  private final ReadCopy copy;
  private final long offset;
  private final long bytes;

  MappedView(CudaMemory memory, MemorySegment segment) {
    this(memory, new ReadCopy(segment), 0, segment.byteSize());
  }

  private MappedView(CudaMemory memory, ReadCopy copy, long offset, long bytes) {
    this.memory = memory;
    this.copy = copy;
    this.offset = offset;
    this.bytes = bytes;
  }

  /** What kernels may read instead of the whole mapping. */
  ReadCopy copy() {
    return copy;
  }

  long offset() {
    return offset;
  }

  MemorySegment segment() {
    return copy.source().asSlice(offset, bytes);
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public CudaMemory memory() {
    return memory;
  }

  @Override
  public MappedView slice(long from, long n) {
    Objects.checkFromIndexSize(from, n, bytes);
    return new MappedView(memory, copy, offset + from, n);
  }

  @Override
  public boolean isAligned(int alignmentBytes) {
    return segment().address() % alignmentBytes == 0;
  }

  @Override
  public boolean isWritable() {
    return false;
  }

  @Override
  public HostBuffer onHost() {
    return new HostBuffer(segment().asReadOnly(), memory);
  }

  @Override
  public void edit(Consumer<HostBuffer> change) {
    change.accept(onHost());
  }
}
