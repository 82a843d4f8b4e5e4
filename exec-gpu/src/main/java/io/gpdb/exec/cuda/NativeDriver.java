package io.gpdb.exec.cuda;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The driver's own library. What is given back after a fault is left to the end of the process. */
final class NativeDriver implements CudaDriver {
  private static final int ERROR_LOG_BYTES = 8192;
  private static final int STREAM_NON_BLOCKING = 1;
  private static final int REGISTER_PORTABLE_MAPPED = 3;
  private static final int REGISTER_READ_ONLY = 8;
  private static final int JIT_ERROR_LOG_BUFFER = 5;
  private static final int JIT_ERROR_LOG_BYTES = 6;
  private static final int INVALID_PTX = 218;

  private final CudaContext gpu;
  private final CallMemory memory = new CallMemory();
  private final List<Long> modules = new CopyOnWriteArrayList<>();

  NativeDriver(CudaContext gpu) {
    this.gpu = gpu;
  }

  @Override
  public String description() {
    return gpu.description();
  }

  @Override
  public long memoryBytes() {
    return gpu.memoryBytes();
  }

  @Override
  public long bandwidth() {
    return gpu.bandwidth();
  }

  @Override
  public long allocate(long bytes) {
    return memory.answer(
        out -> {
          gpu.enter();
          gpu.check(gpu.calls.allocate, gpu.calls.allocate.run(out, bytes));
        });
  }

  @Override
  public void free(long address) {
    giveBack(gpu.calls.free, address);
  }

  @Override
  public boolean register(long address, long bytes, boolean readOnly) {
    gpu.enter();
    int flags = REGISTER_PORTABLE_MAPPED | (readOnly ? REGISTER_READ_ONLY : 0);
    return gpu.calls.register.run(address, bytes, flags) == 0;
  }

  @Override
  public void unregister(long address) {
    giveBack(gpu.calls.unregister, address);
  }

  @Override
  public long load(String ptx, String entry) {
    Arena arena = Arena.ofAuto();
    try {
      long module = memory.answer(out -> load(ptx, entry, out, arena));
      modules.add(module);
      MemorySegment name = arena.allocateFrom(entry);
      return memory.answer(
          out ->
              gpu.check(gpu.calls.function, gpu.calls.function.run(out, module, name.address())));
    } finally {
      Reference.reachabilityFence(arena);
    }
  }

  private void load(String ptx, String entry, long out, Arena arena) {
    MemorySegment log = arena.allocate(ERROR_LOG_BYTES);
    MemorySegment options =
        arena.allocateFrom(ValueLayout.JAVA_INT, JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BYTES);
    MemorySegment values =
        arena.allocateFrom(ValueLayout.JAVA_LONG, log.address(), ERROR_LOG_BYTES);
    MemorySegment text = arena.allocateFrom(ptx);
    gpu.enter();
    int result = gpu.calls.load.run(out, text.address(), 2, options.address(), values.address());
    if (result == INVALID_PTX) {
      throw new GpdbException(
          ErrorCode.INTERNAL, "the driver refuses the PTX of " + entry + ": " + log.getString(0));
    }
    gpu.check(gpu.calls.load, result);
  }

  @Override
  public long openStream() {
    return memory.answer(
        out -> {
          gpu.enter();
          gpu.check(gpu.calls.openStream, gpu.calls.openStream.run(out, STREAM_NON_BLOCKING));
        });
  }

  @Override
  public void closeStream(long stream) {
    giveBack(gpu.calls.closeStream, stream);
  }

  @Override
  public void copy(long to, long from, long bytes, long stream) {
    gpu.enter();
    gpu.check(gpu.calls.copy, gpu.calls.copy.run(to, from, bytes, stream));
  }

  @Override
  public void fill(long address, byte value, long bytes, long stream) {
    gpu.enter();
    gpu.check(gpu.calls.fill, gpu.calls.fill.run(address, value & 0xff, bytes, stream));
  }

  @Override
  public void launch(long entry, int blocks, int blockSize, long[] parameters, long stream) {
    memory.hand(
        parameters,
        extra -> {
          gpu.enter();
          gpu.check(
              gpu.calls.launch, gpu.calls.launch.run(entry, blocks, blockSize, stream, extra));
        });
  }

  @Override
  public void await(long stream) {
    gpu.enter();
    gpu.check(gpu.calls.await, gpu.calls.await.run(stream));
  }

  private void giveBack(NativeCall call, long handle) {
    if (!gpu.hasFailed()) {
      gpu.enter();
      gpu.check(call, call.run(handle));
    }
  }

  @Override
  public void close() {
    modules.forEach(module -> giveBack(gpu.calls.unload, module));
    modules.clear();
  }
}
