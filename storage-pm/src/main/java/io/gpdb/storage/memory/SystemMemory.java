package io.gpdb.storage.memory;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Off-heap memory whose pages go back to the system when its arena is closed. What the C library
 * frees, it mostly keeps: of blocks below 32 MiB that come and go on several threads more than is
 * in use.
 *
 * <p>A block is a private mapping of one file of zeros, which has no name any more: nothing of a
 * block is ever written to the file, and pages that were not touched take no memory. The file has
 * all its bytes before they are mapped, since a page that it had no room for would be a fault. It
 * is as long as the longest block. Smaller and larger blocks, and all where the file cannot be made
 * or grow, are those of the arena.
 */
public final class SystemMemory {
  private static final long LEAST_BYTES = 64 << 10;
  private static final long MOST_BYTES = 32 << 20;
  private static final int ZEROS_AT_ONCE = 1 << 20;

  private static final Set<StandardOpenOption> OPTIONS =
      EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);

  private static @Nullable FileChannel zeros;
  private static boolean failed;

  private SystemMemory() {}

  /** A zero-filled block that lives as long as the arena. */
  public static MemorySegment allocate(Arena arena, long bytes, long alignment) {
    if (bytes < LEAST_BYTES || bytes > MOST_BYTES) {
      return arena.allocate(bytes, alignment);
    }
    MemorySegment mapped = map(arena, bytes);
    return mapped == null ? arena.allocate(bytes, alignment) : mapped;
  }

  private static synchronized @Nullable MemorySegment map(Arena arena, long bytes) {
    boolean interrupted = Thread.interrupted(); // it would close the channel
    try {
      while (!failed) {
        try {
          return PlainSegments.of(zeros(bytes).map(MapMode.PRIVATE, 0, bytes, arena));
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          zeros = null;
        }
      }
    } catch (IOException | UnsupportedOperationException e) {
      failed = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return null;
  }

  /** The file, with at least that many zeros. */
  private static FileChannel zeros(long bytes) throws IOException {
    FileChannel open = zeros;
    if (open == null) {
      open = opened();
      zeros = open;
    }
    for (long end = open.size(); end < bytes; end += ZEROS_AT_ONCE) {
      write(open, end);
    }
    return open;
  }

  private static void write(FileChannel file, long at) throws IOException {
    ByteBuffer some = ByteBuffer.allocate(ZEROS_AT_ONCE);
    while (some.hasRemaining()) {
      file.write(some, at + some.position());
    }
  }

  /** Nobody else may open the file; another one of its name is never taken for it. */
  private static FileChannel opened() throws IOException {
    String name = "gpdb-" + Long.toHexString(ThreadLocalRandom.current().nextLong()) + ".zeros";
    Path file = Path.of(System.getProperty("java.io.tmpdir"), name);
    FileChannel open = FileChannel.open(file, OPTIONS, ownersAlone(file));
    try {
      Files.delete(file);
      return open;
    } catch (IOException e) {
      open.close();
      throw e;
    }
  }

  private static FileAttribute<?>[] ownersAlone(Path file) {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return new FileAttribute<?>[0];
    }
    Set<PosixFilePermission> permissions =
        EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)};
  }
}
