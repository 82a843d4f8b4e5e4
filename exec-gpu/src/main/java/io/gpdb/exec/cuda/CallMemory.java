package io.gpdb.exec.cuda;

import io.gpdb.exec.ir.KernelLimits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.LongConsumer;

/**
 * Host memory for what calls of the driver take and return: a block for each call that is made at a
 * time. No thread owns it, since memory with an owner makes the loops of all threads slower.
 */
final class CallMemory {
  /** What the driver reads of a launch: names of its two values, the values, the end. */
  private static final int EXTRA_WORDS = 5;

  private static final int LAUNCH_PARAM_END = 0;
  private static final int LAUNCH_PARAM_BUFFER = 1;
  private static final int LAUNCH_PARAM_BYTES = 2;

  private static final long SIZE_AT = (long) EXTRA_WORDS * Long.BYTES;
  private static final long VALUES_AT = SIZE_AT + Long.BYTES;

  /** The trap's address is one more parameter than the kernel has. */
  private static final long BLOCK_BYTES =
      VALUES_AT + KernelLimits.ENTRY_PARAMETER_BYTES_MAX + Long.BYTES;

  private final ConcurrentLinkedDeque<MemorySegment> free = new ConcurrentLinkedDeque<>();

  /** A call that is handed a launch's parameters. */
  @FunctionalInterface
  interface LaunchCall {
    void with(MemorySegment extra);
  }

  private MemorySegment taken() {
    MemorySegment block = free.pollFirst();
    return block == null ? Arena.ofAuto().allocate(BLOCK_BYTES, Long.BYTES) : block;
  }

  /** What a call has stored to the address of 8 bytes that it is given. */
  long answer(LongConsumer call) {
    MemorySegment block = taken();
    try {
      call.accept(block.address());
      return block.get(ValueLayout.JAVA_LONG, 0);
    } finally {
      free.addFirst(block);
    }
  }

  /** Has the call find the parameters where the driver looks for them. */
  void hand(long[] parameters, LaunchCall call) {
    MemorySegment block = taken();
    try {
      long at = block.address();
      long[] extra = {
        LAUNCH_PARAM_BUFFER, at + VALUES_AT, LAUNCH_PARAM_BYTES, at + SIZE_AT, LAUNCH_PARAM_END
      };
      MemorySegment.copy(extra, 0, block, ValueLayout.JAVA_LONG, 0, EXTRA_WORDS);
      block.set(ValueLayout.JAVA_LONG, SIZE_AT, (long) Long.BYTES * parameters.length);
      MemorySegment.copy(parameters, 0, block, ValueLayout.JAVA_LONG, VALUES_AT, parameters.length);
      call.with(block);
    } finally {
      free.addFirst(block);
    }
  }
}
