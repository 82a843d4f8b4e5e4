package io.gpdb.session.copy;

import io.gpdb.txn.api.EngineThread;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A thread that reads (and so decompresses) a stream ahead of its user, in chunks of {@value
 * #CHUNK_BYTES} bytes. One thread takes chunks; closing ends the reading thread and the stream.
 */
final class ReadAhead implements AutoCloseable {
  static final int CHUNK_BYTES = 256 * 1024;
  private static final int CHUNKS = 8;

  /** {@code length} bytes of {@code bytes}; the end of the stream is a length of -1. */
  private static final class Chunk {
    private final byte[] bytes;
    private final int length;
    private final @Nullable Throwable failure;

    Chunk(byte[] bytes, int length, @Nullable Throwable failure) {
      this.bytes = bytes;
      this.length = length;
      this.failure = failure;
    }
  }

  private final InputStream stream;
  private final ArrayBlockingQueue<byte[]> free = new ArrayBlockingQueue<>(CHUNKS);
  private final ArrayBlockingQueue<Chunk> full = new ArrayBlockingQueue<>(CHUNKS + 1);
  private final EngineThread thread;
  private boolean atEnd;

  ReadAhead(InputStream stream) {
    this.stream = stream;
    for (int i = 0; i < CHUNKS; i++) {
      free.add(new byte[CHUNK_BYTES]);
    }
    thread = EngineThread.start("gpdb-copy-read", this::readAll);
  }

  /**
   * Copies the next chunk to {@code target} at {@code at}, where at least a chunk must fit; returns
   * its length, or -1 at the end.
   */
  int take(byte[] target, int at) throws IOException {
    if (atEnd) {
      return -1;
    }
    Chunk chunk;
    try {
      chunk = full.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading", e);
    }
    if (chunk.failure != null) {
      atEnd = true;
      throw new IOException(message(chunk.failure), chunk.failure);
    }
    if (chunk.length < 0) {
      atEnd = true;
      return -1;
    }
    System.arraycopy(chunk.bytes, 0, target, at, chunk.length);
    free.add(chunk.bytes);
    return chunk.length;
  }

  private static String message(Throwable failure) {
    String text = failure.getMessage();
    return text == null ? failure.getClass().getSimpleName() : text;
  }

  private void readAll() {
    try {
      Chunk last = null;
      while (last == null) {
        byte[] bytes = free.take();
        Chunk chunk = read(bytes);
        full.put(chunk);
        if (chunk.length < 0) {
          last = chunk;
        }
      }
    } catch (InterruptedException e) {
      // The user of the chunks closed early and waits for nothing.
      Thread.currentThread().interrupt();
    }
  }

  private Chunk read(byte[] bytes) {
    try {
      int length = stream.readNBytes(bytes, 0, bytes.length);
      return new Chunk(bytes, length == 0 ? -1 : length, null);
    } catch (IOException | RuntimeException | Error e) {
      return new Chunk(bytes, -1, e);
    }
  }

  @Override
  public void close() throws IOException {
    thread.interrupt();
    thread.awaitEnd();
    stream.close();
  }
}
