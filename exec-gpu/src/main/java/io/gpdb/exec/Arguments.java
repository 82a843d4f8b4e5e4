package io.gpdb.exec;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Type;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a launch binds to a kernel's buffers and scalars. Reusable; used by one thread at a time.
 */
public final class Arguments {
  private final Kernel kernel;
  private final @Nullable DeviceBuffer[] buffers;
  private final @Nullable PersistTarget[] persistTargets;
  private final long[] scalars;
  private final boolean[] scalarSet;

  public Arguments(Kernel kernel) {
    this.kernel = kernel;
    this.buffers = new DeviceBuffer[kernel.buffers().size()];
    this.persistTargets = new PersistTarget[kernel.buffers().size()];
    this.scalars = new long[kernel.scalars().size()];
    this.scalarSet = new boolean[kernel.scalars().size()];
  }

  private Arguments(Arguments other, UnaryOperator<DeviceBuffer> reached) {
    kernel = other.kernel;
    buffers = other.buffers.clone();
    for (int i = 0; i < buffers.length; i++) {
      DeviceBuffer buffer = buffers[i];
      if (buffer != null) {
        buffers[i] = reached.apply(buffer);
      }
    }
    persistTargets = other.persistTargets.clone();
    scalars = other.scalars.clone();
    scalarSet = other.scalarSet.clone();
  }

  /** The same bindings, each buffer as another device reaches the same bytes. */
  public Arguments as(UnaryOperator<DeviceBuffer> reached) {
    return new Arguments(this, reached);
  }

  public Kernel kernel() {
    return kernel;
  }

  /** Binds a buffer that the kernel declares. */
  public Arguments buffer(Kernel.BufferParam buffer, DeviceBuffer bound) {
    return buffer(kernel.numberOf(buffer), bound);
  }

  /** Binds a PERSISTENT buffer that the kernel declares. */
  public Arguments persistent(Kernel.BufferParam buffer, DeviceBuffer bound, PersistTarget target) {
    return persistent(kernel.numberOf(buffer), bound, target);
  }

  /** Binds a scalar that the kernel declares. */
  public Arguments scalar(Kernel.ScalarParam scalar, long bits) {
    return scalar(kernel.numberOf(scalar), bits);
  }

  /**
   * Binds a buffer of the device's memory; its length in whole elements bounds the kernel's
   * indices.
   */
  public Arguments buffer(int index, DeviceBuffer bound) {
    return persistent(index, bound, PersistTarget.VOLATILE);
  }

  /** Binds a PERSISTENT buffer with the target of the kernel's persist barriers. */
  public Arguments persistent(int index, DeviceBuffer bound, PersistTarget target) {
    Kernel.BufferParam buffer = kernel.buffers().get(index);
    if (!bound.isAligned(buffer.element().bytes())) {
      throw new IllegalArgumentException(
          place(buffer.name()) + " is not aligned to " + buffer.element().bytes() + " bytes");
    }
    if (!bound.isWritable() && buffer.access() != Kernel.Access.READ) {
      throw new IllegalArgumentException(place(buffer.name()) + " needs a writable buffer");
    }
    buffers[index] = bound;
    persistTargets[index] = target;
    return this;
  }

  /** Binds a scalar by raw bits: integers sign-extended, F32 in the low 32 bits, pred 0 or 1. */
  public Arguments scalar(int index, long bits) {
    Type type = kernel.scalars().get(index).type();
    scalars[index] =
        switch (type) {
          case I32, F32 -> (int) bits;
          case I64, F64 -> bits;
          case PRED -> bits == 0 ? 0 : 1;
        };
    scalarSet[index] = true;
    return this;
  }

  public Arguments scalar(int index, int value) {
    requireType(index, value, Type.I32, Type.I64, Type.PRED);
    return scalar(index, (long) value);
  }

  public Arguments scalar(int index, float value) {
    requireType(index, value, Type.F32);
    return scalar(index, (long) Float.floatToRawIntBits(value));
  }

  public Arguments scalar(int index, double value) {
    requireType(index, value, Type.F64);
    return scalar(index, Double.doubleToRawLongBits(value));
  }

  private void requireType(int index, Object value, Type... types) {
    Kernel.ScalarParam scalar = kernel.scalars().get(index);
    for (Type type : types) {
      if (scalar.type() == type) {
        return;
      }
    }
    throw new IllegalArgumentException(
        place(scalar.name()) + " is " + scalar.type().text() + ", given " + value);
  }

  /** The bound buffers in order; every buffer must be bound. */
  public DeviceBuffer[] boundBuffers() {
    DeviceBuffer[] bound = new DeviceBuffer[buffers.length];
    for (int i = 0; i < bound.length; i++) {
      DeviceBuffer buffer = buffers[i];
      if (buffer == null) {
        throw new IllegalArgumentException(place(kernel.buffers().get(i).name()) + " is not bound");
      }
      bound[i] = buffer;
    }
    return bound;
  }

  /** The targets in order; {@link PersistTarget#VOLATILE} where none was bound. */
  public PersistTarget[] persistTargets() {
    PersistTarget[] targets = new PersistTarget[persistTargets.length];
    for (int i = 0; i < targets.length; i++) {
      PersistTarget target = persistTargets[i];
      targets[i] = target == null ? PersistTarget.VOLATILE : target;
    }
    return targets;
  }

  /** A copy of the scalars' bits; every scalar must be bound. */
  public long[] boundScalars() {
    for (int i = 0; i < scalarSet.length; i++) {
      if (!scalarSet[i]) {
        throw new IllegalArgumentException(place(kernel.scalars().get(i).name()) + " is not bound");
      }
    }
    return scalars.clone();
  }

  private String place(String parameter) {
    return "kernel " + kernel.name() + ": argument " + parameter;
  }
}
