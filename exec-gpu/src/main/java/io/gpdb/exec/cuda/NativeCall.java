package io.gpdb.exec.cuda;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;

/**
 * A function of the driver's library that returns a result code. Every argument is passed as a
 * {@code long}: on the 64-bit systems that CUDA runs on, an integer or a pointer takes one register
 * or one slot of 8 bytes, and the callee looks at as many bits of it as its type has.
 */
@SuppressWarnings("restricted") // calling a native library is what the class is for
final class NativeCall {
  private static final Linker LINKER = Linker.nativeLinker();

  private final String name;
  private final MethodHandle handle;

  private NativeCall(String name, MethodHandle handle) {
    this.name = name;
    this.handle = handle;
  }

  /** Finds the function; throws {@link java.util.NoSuchElementException} where there is none. */
  static NativeCall find(SymbolLookup library, String name, int arguments) {
    MemorySegment symbol = library.findOrThrow(name);
    MemoryLayout[] longs =
        Collections.nCopies(arguments, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new);
    FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_INT, longs);
    return new NativeCall(name, LINKER.downcallHandle(symbol, type));
  }

  String name() {
    return name;
  }

  int run(long a) {
    try {
      return (int) handle.invokeExact(a);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  int run(long a, long b) {
    try {
      return (int) handle.invokeExact(a, b);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  int run(long a, long b, long c) {
    try {
      return (int) handle.invokeExact(a, b, c);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  int run(long a, long b, long c, long d) {
    try {
      return (int) handle.invokeExact(a, b, c, d);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  int run(long a, long b, long c, long d, long e) {
    try {
      return (int) handle.invokeExact(a, b, c, d, e);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** As {@code cuLaunchKernel}: grids and blocks of one dimension, no dynamic shared memory. */
  int run(long function, long blocks, long blockSize, long stream, MemorySegment extra) {
    try {
      return (int)
          handle.invokeExact(
              function, blocks, 1L, 1L, blockSize, 1L, 1L, 0L, stream, 0L, extra.address());
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  private IllegalStateException impossible(Throwable e) {
    return new IllegalStateException("calling " + name, e);
  }
}
