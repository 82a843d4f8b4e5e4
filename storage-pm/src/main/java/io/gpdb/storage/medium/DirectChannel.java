package io.gpdb.storage.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A file opened to write whole blocks of it past the system's cache. Such writes and those through
 * the cache see each other's bytes on Linux, where {@link DirectStore} keeps them apart.
 */
final class DirectChannel implements AutoCloseable {
  /** At least what any disk asks for: offsets, lengths and addresses are multiples of it. */
  static final int BLOCK_BYTES = 4096;

  static final int BUFFER_BYTES = 256 << 10;

  private static final @Nullable OpenOption DIRECT = directOption();

  private final AsynchronousFileChannel channel;
  private final Buffers buffers;

  /** Aligned memory for those who write, as many as write at once; shared by a database's files. */
  static final class Buffers implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final ConcurrentLinkedQueue<MemorySegment> idle = new ConcurrentLinkedQueue<>();

    private MemorySegment take() {
      MemorySegment buffer = idle.poll();
      return buffer == null ? arena.allocate(BUFFER_BYTES, BLOCK_BYTES) : buffer;
    }

    @Override
    public void close() {
      arena.close();
    }
  }

  private DirectChannel(AsynchronousFileChannel channel, Buffers buffers) {
    this.channel = channel;
    this.buffers = buffers;
  }

  /** By name, because it is the JDK's own; null where it has none. */
  private static @Nullable OpenOption directOption() {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      return null;
    }
    try {
      Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
      return (OpenOption) options.getField("DIRECT").get(null);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Null where the file system does not take such writes, or no more files may be open. */
  static @Nullable DirectChannel open(Path path, Buffers buffers) {
    OpenOption direct = DIRECT;
    if (direct == null) {
      return null;
    }
    try {
      AsynchronousFileChannel channel = FileChannels.openDirect(path, direct);
      DirectChannel opened = new DirectChannel(channel, buffers);
      if (opened.canReadABlock()) {
        return opened;
      }
      channel.close();
      return null;
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }

  /** A disk with longer blocks refuses: so no write is going to fail for its length. */
  private boolean canReadABlock() {
    MemorySegment buffer = takeBuffer();
    try {
      FileChannels.read(channel, 0, buffer.asSlice(0, BLOCK_BYTES));
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      giveBuffer(buffer);
    }
  }

  MemorySegment takeBuffer() {
    return buffers.take();
  }

  void giveBuffer(MemorySegment buffer) {
    buffers.idle.add(buffer);
  }

  /**
   * Writes whole blocks from an aligned buffer.
   *
   * @return how many bytes the medium has taken, in whole blocks
   */
  long write(long offset, MemorySegment blocks) throws IOException {
    long done = 0;
    while (done < blocks.byteSize()) {
      long taken = FileChannels.writeSome(channel, offset + done, blocks.asSlice(done));
      if (taken < BLOCK_BYTES) {
        break;
      }
      done += taken / BLOCK_BYTES * BLOCK_BYTES;
    }
    return done;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
