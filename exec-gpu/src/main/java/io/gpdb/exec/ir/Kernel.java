package io.gpdb.exec.ir;

import java.util.List;

/**
 * A kernel program: what every lane of a grid executes. Buffers and scalars are bound by position
 * at launch. {@code blockSize} is a multiple of 32 and at most 1024.
 */
public record Kernel(
    String name,
    int blockSize,
    List<BufferParam> buffers,
    List<ScalarParam> scalars,
    List<SharedArray> shared,
    List<Op> body) {

  public Kernel {
    buffers = List.copyOf(buffers);
    scalars = List.copyOf(scalars);
    shared = List.copyOf(shared);
    body = List.copyOf(body);
  }

  /** What buffers and scalars take of the parameter space. */
  public long parameterBytes() {
    return (long) buffers.size() * KernelLimits.BUFFER_PARAMETER_BYTES
        + (long) scalars.size() * KernelLimits.SCALAR_PARAMETER_BYTES;
  }

  /** How one element of a buffer lies in memory; I8 and I16 are sign-extended to i32 registers. */
  public enum Element {
    I8(1, Type.I32),
    I16(2, Type.I32),
    I32(4, Type.I32),
    I64(8, Type.I64),
    F32(4, Type.F32),
    F64(8, Type.F64);

    private final int bytes;
    private final Type register;

    Element(int bytes, Type register) {
      this.bytes = bytes;
      this.register = register;
    }

    public int bytes() {
      return bytes;
    }

    public Type register() {
      return register;
    }
  }

  /** Where a buffer lives. */
  public enum Space {
    DEVICE,
    PERSISTENT,
    HOST
  }

  /** Whether the kernel may write a buffer. */
  public enum Access {
    READ,
    READ_WRITE
  }

  /** A named global buffer. */
  public record BufferParam(String name, Element element, Space space, Access access) {}

  /** A named uniform value. */
  public record ScalarParam(String name, Type type) {}

  /** An array in block-shared memory, zeroed at the start of each block. */
  public record SharedArray(String name, Element element, int size) {}
}
