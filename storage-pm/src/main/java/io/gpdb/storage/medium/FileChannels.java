package io.gpdb.storage.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.Future;

/**
 * File input and output that a thread's interrupt does not break.
 *
 * <p>A {@link FileChannel} is closed when a thread that uses it is interrupted, and a database
 * whose log was closed by one cancelled task is lost to all. An {@link AsynchronousFileChannel} is
 * not; with an executor that runs tasks at once it reads and writes in the calling thread.
 */
final class FileChannels {
  private static final int PIECE_BYTES = 1 << 20;

  private FileChannels() {}

  static AsynchronousFileChannel open(Path path, boolean create) throws IOException {
    Set<StandardOpenOption> options =
        create
            ? Set.of(
                StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)
            : Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
    return AsynchronousFileChannel.open(
        path,
        options,
        DirectExecutor.INSTANCE,
        create ? OwnFiles.file(path) : new FileAttribute<?>[0]);
  }

  /** A new file that is deleted at once where that is possible, else when it is closed. */
  static AsynchronousFileChannel openUnnamed(Path path) throws IOException {
    return AsynchronousFileChannel.open(
        path,
        Set.of(
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.DELETE_ON_CLOSE),
        DirectExecutor.INSTANCE,
        OwnFiles.file(path));
  }

  /** To write past the system's cache, as that option says. */
  static AsynchronousFileChannel openDirect(Path path, OpenOption direct) throws IOException {
    return AsynchronousFileChannel.open(
        path,
        Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, direct),
        DirectExecutor.INSTANCE);
  }

  static AsynchronousFileChannel openToRead(Path path) throws IOException {
    return AsynchronousFileChannel.open(
        path, Set.of(StandardOpenOption.READ), DirectExecutor.INSTANCE);
  }

  /** Whether the segment is of an array that no {@link ByteBuffer} can view. */
  private static boolean needsCopy(MemorySegment segment) {
    return !segment.isNative() && !(segment.heapBase().orElse(null) instanceof byte[]);
  }

  /** Writes all of the segment. */
  static void write(AsynchronousFileChannel channel, long offset, MemorySegment source)
      throws IOException {
    if (needsCopy(source)) {
      write(channel, offset, MemorySegment.ofArray(source.toArray(ValueLayout.JAVA_BYTE)));
      return;
    }
    for (long done = 0; done < source.byteSize(); ) {
      long n = Math.min(PIECE_BYTES, source.byteSize() - done);
      ByteBuffer piece = source.asSlice(done, n).asByteBuffer();
      int written = result(channel.write(piece, offset + done));
      if (written <= 0) {
        throw new IOException("the medium takes no byte at offset " + (offset + done));
      }
      done += written;
    }
  }

  /** Writes some of the segment, which is off-heap, by one call; how many bytes of it. */
  static long writeSome(AsynchronousFileChannel channel, long offset, MemorySegment source)
      throws IOException {
    return result(channel.write(source.asByteBuffer(), offset));
  }

  /** Fills all of the segment; to read beyond the end of the file is an error. */
  static void read(AsynchronousFileChannel channel, long offset, MemorySegment target)
      throws IOException {
    if (needsCopy(target)) {
      MemorySegment bytes = MemorySegment.ofArray(new byte[(int) target.byteSize()]);
      read(channel, offset, bytes);
      target.copyFrom(bytes);
      return;
    }
    for (long done = 0; done < target.byteSize(); ) {
      long n = Math.min(PIECE_BYTES, target.byteSize() - done);
      ByteBuffer piece = target.asSlice(done, n).asByteBuffer();
      int read = result(channel.read(piece, offset + done));
      if (read < 0) {
        throw new IOException("file ends before offset " + (offset + target.byteSize()));
      }
      done += read;
    }
  }

  /** The executor has run the task: there is nothing to wait for. */
  private static int result(Future<Integer> done) throws IOException {
    return switch (done.state()) {
      case SUCCESS -> done.resultNow();
      case FAILED -> throw asIo(done.exceptionNow());
      case RUNNING, CANCELLED -> throw new IOException("not carried out: " + done.state());
    };
  }

  private static IOException asIo(Throwable failure) {
    return failure instanceof IOException io ? io : new IOException(failure);
  }

  /** Maps a range. */
  static MemorySegment map(Path path, MapMode mode, long offset, long bytes, Arena arena)
      throws IOException {
    return uninterrupted(
        () -> {
          try (FileChannel channel = openToMap(path, mode)) {
            return channel.map(mode, offset, bytes, arena);
          }
        });
  }

  /** An act on files that can be begun anew. */
  interface FileAct<T> {
    T run() throws IOException;
  }

  /**
   * Runs an act with channels of its own; after an interrupt it begins anew, and the interrupt is
   * kept for later.
   */
  static <T> T uninterrupted(FileAct<T> act) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        interrupted |= Thread.interrupted();
        try {
          return act.run();
        } catch (ClosedByInterruptException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static FileChannel openToMap(Path path, MapMode mode) throws IOException {
    return mode.equals(MapMode.READ_ONLY)
        ? FileChannel.open(path, StandardOpenOption.READ)
        : FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }
}
