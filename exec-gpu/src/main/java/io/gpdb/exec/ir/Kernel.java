package io.gpdb.exec.ir;

import java.util.List;

/**
 * A kernel program: what every lane of a grid executes. Buffers and scalars are bound at launch.
 * {@code blockSize} is a multiple of 32 and at most 1024.
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

  /**
   * How one element of a buffer is stored in memory; I8 and I16 are sign-extended to i32 registers.
   */
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

  /**
   * A named global buffer. Whoever writes a kernel keeps it as a constant, declares it with {@link
   * KernelBuilder#buffer(BufferParam)}, and binds it where the kernel is launched; variants of a
   * kernel may declare it with another element, space or access.
   */
  public record BufferParam(String name, Element element, Space space, Access access) {
    /** A READ buffer in DEVICE memory. */
    public static BufferParam input(String name, Element element) {
      return new BufferParam(name, element, Space.DEVICE, Access.READ);
    }

    /** A READ_WRITE buffer in DEVICE memory. */
    public static BufferParam output(String name, Element element) {
      return new BufferParam(name, element, Space.DEVICE, Access.READ_WRITE);
    }

    public BufferParam of(Element other) {
      return new BufferParam(name, other, space, access);
    }

    public BufferParam in(Space other) {
      return new BufferParam(name, element, other, access);
    }

    public BufferParam with(Access other) {
      return new BufferParam(name, element, space, other);
    }
  }

  /** A named uniform value; kept, declared and bound like a {@link BufferParam}. */
  public record ScalarParam(String name, Type type) {}

  /** The number of the buffer declared by that name. */
  public int numberOf(BufferParam buffer) {
    for (int i = 0; i < buffers.size(); i++) {
      if (buffers.get(i).name().equals(buffer.name())) {
        return i;
      }
    }
    throw new IllegalArgumentException("kernel " + name + " has no buffer " + buffer.name());
  }

  /** The number of the scalar declared by that name. */
  public int numberOf(ScalarParam scalar) {
    for (int i = 0; i < scalars.size(); i++) {
      if (scalars.get(i).name().equals(scalar.name())) {
        return i;
      }
    }
    throw new IllegalArgumentException("kernel " + name + " has no scalar " + scalar.name());
  }

  /** An array in block-shared memory, zeroed at the start of each block. */
  public record SharedArray(String name, Element element, int size) {}
}
