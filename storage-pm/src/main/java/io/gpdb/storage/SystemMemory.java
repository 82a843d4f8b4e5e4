package io.gpdb.storage;

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
import org.jspecify.annotations.Nullable;

/**
 * Off-heap memory whose pages go back to the system when its arena is closed. What the C library
 * frees, it mostly keeps: of blocks below 32 MiB that come and go on several threads more than is
 * in use.
 *
 * <p>A block is a private mapping of the same empty file, which has no name any more: nothing of it
 * is ever written to the file, and pages that were not touched take no memory. Smaller and larger
 * blocks, and all where such a file cannot be made, are those of the arena.
 */
public final class SystemMemory {
  private static final long LEAST_BYTES = 64 << 10;
  private static final long MOST_BYTES = 32 << 20;

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
          return zeros().map(MapMode.PRIVATE, 0, bytes, arena);
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

  private static FileChannel zeros() throws IOException {
    FileChannel open = zeros;
    if (open == null) {
      open = opened();
      zeros = open;
      open.write(ByteBuffer.allocate(1), MOST_BYTES - 1); // the rest is a hole
    }
    return open;
  }

  private static FileChannel opened() throws IOException {
    Path file = Files.createTempFile("gpdb-", ".zeros");
    try {
      return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } finally {
      Files.delete(file);
    }
  }
}
