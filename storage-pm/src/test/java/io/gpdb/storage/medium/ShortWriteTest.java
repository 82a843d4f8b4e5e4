package io.gpdb.storage.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A write that takes fewer bytes than asked for is gone on with, or fails; nothing is lost. */
class ShortWriteTest {
  private static final int BYTES = 3_000_000;

  @Test
  void writesThatTakeAPartAreGoneOnWith() throws IOException {
    byte[] content = new byte[BYTES];
    new Random(7).nextBytes(content);
    for (int limit : new int[] {1000, 65_537, 1 << 20}) {
      Partial channel = new Partial(BYTES + 10, limit);
      FileChannels.write(channel, 10, MemorySegment.ofArray(content));
      assertThat(java.util.Arrays.copyOfRange(channel.content, 10, BYTES + 10)).isEqualTo(content);
      byte[] back = new byte[BYTES];
      FileChannels.read(channel, 10, MemorySegment.ofArray(back));
      assertThat(back).isEqualTo(content);
    }
  }

  @Test
  void aMediumThatTakesNothingIsAFailureAndNoEndlessLoop() {
    Partial channel = new Partial(100, 0);
    assertThatThrownBy(() -> FileChannels.write(channel, 0, MemorySegment.ofArray(new byte[10])))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("takes no byte");
  }

  @Test
  void aFileThatEndsEarlyIsAFailure() {
    Partial channel = new Partial(100, 64);
    assertThatThrownBy(() -> FileChannels.read(channel, 50, MemorySegment.ofArray(new byte[51])))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("file ends before offset 101");
  }

  /** A file in an array that reads and writes a limited number of bytes at once. */
  private static final class Partial extends AsynchronousFileChannel {
    private final byte[] content;
    private final int limit;

    Partial(int bytes, int limit) {
      this.content = new byte[bytes];
      this.limit = limit;
    }

    @Override
    public Future<Integer> write(ByteBuffer source, long position) {
      int n = Math.min(limit, source.remaining());
      source.get(content, (int) position, n);
      return CompletableFuture.completedFuture(n);
    }

    @Override
    public Future<Integer> read(ByteBuffer target, long position) {
      int left = content.length - (int) position;
      int n = left <= 0 ? -1 : Math.min(left, Math.min(limit, target.remaining()));
      if (n > 0) {
        target.put(content, (int) position, n);
      }
      return CompletableFuture.completedFuture(n);
    }

    @Override
    public long size() {
      return content.length;
    }

    @Override
    public AsynchronousFileChannel truncate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metaData) {}

    @Override
    public <A> void lock(
        long position,
        long size,
        boolean shared,
        A attachment,
        CompletionHandler<FileLock, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<FileLock> lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <A> void read(
        ByteBuffer target,
        long position,
        A attachment,
        CompletionHandler<Integer, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <A> void write(
        ByteBuffer source,
        long position,
        A attachment,
        CompletionHandler<Integer, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
