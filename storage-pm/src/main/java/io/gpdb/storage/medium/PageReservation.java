package io.gpdb.storage.medium;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Has Linux give pages to a file in memory (tmpfs), which read as zeros. Nothing is written: a page
 * is made zero when somebody first uses it, by the thread that does. Zeros that are written are
 * stored by one thread at a time, whatever the number of threads that want to.
 *
 * <p>It is done where native access was allowed, so that the JVM prints no warning.
 */
@SuppressWarnings("restricted") // calling the system is what the class is for
final class PageReservation {
  /** To find the system's functions takes longer than to write fewer zeros. */
  static final long BYTES_MIN = 32L << 20;

  private static final int READ_WRITE = 2;
  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final int FROM_THE_END = 2;

  private final MethodHandle open;
  private final MethodHandle seek;
  private final MethodHandle allocate;
  private final MethodHandle close;

  private PageReservation(Linker linker, SymbolLookup system) {
    open =
        linker.downcallHandle(
            system.findOrThrow("open"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    seek =
        linker.downcallHandle(
            system.findOrThrow("lseek"),
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    allocate =
        linker.downcallHandle(
            system.findOrThrow("posix_fallocate"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    close =
        linker.downcallHandle(
            system.findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  }

  private static final class Holder {
    static final @Nullable PageReservation SYSTEM = find();

    private static @Nullable PageReservation find() {
      boolean isAllowed = PageReservation.class.getModule().isNativeAccessEnabled();
      if (!isAllowed || !System.getProperty("os.name").equals("Linux")) {
        return null;
      }
      Linker linker = Linker.nativeLinker();
      return new PageReservation(linker, linker.defaultLookup());
    }
  }

  /**
   * Extends a file, all of whose bytes have pages, with pages that read as zeros.
   *
   * @param from the file's size
   * @return false where nothing was done, or not all of it: the caller writes zeros, and learns why
   */
  static boolean extend(Path file, long from, long to) {
    PageReservation system = to - from < BYTES_MIN ? null : Holder.SYSTEM;
    return system != null && system.tryToExtend(file, from, to);
  }

  private boolean tryToExtend(Path file, long from, long to) {
    MemorySegment name = Arena.ofAuto().allocateFrom(file.toString());
    try {
      int opened = (int) open.invokeExact(name, READ_WRITE | CLOSE_ON_EXEC);
      if (opened < 0) {
        return false;
      }
      try {
        return (long) seek.invokeExact(opened, 0L, FROM_THE_END) == from
            && (int) allocate.invokeExact(opened, from, to - from) == 0;
      } finally {
        int _ = (int) close.invokeExact(opened);
      }
    } catch (Throwable e) {
      throw new IllegalStateException("a function of the system raised an exception", e);
    }
  }
}
