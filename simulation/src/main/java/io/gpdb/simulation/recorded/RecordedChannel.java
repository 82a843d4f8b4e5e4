package io.gpdb.simulation.recorded;

import io.gpdb.simulation.recorded.FileActs.FileId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A channel that reports writes, truncations and syncs. */
final class RecordedChannel extends AsynchronousFileChannel {
  private final AsynchronousFileChannel inner;
  private final @Nullable FileId file;
  private final FileActs acts;

  /**
   * @param file null for the directory itself
   */
  RecordedChannel(AsynchronousFileChannel inner, @Nullable FileId file, FileActs acts) {
    this.inner = inner;
    this.file = file;
    this.acts = acts;
  }

  @Override
  public Future<Integer> write(ByteBuffer source, long position) {
    FileId written = file;
    if (written == null) {
      return inner.write(source, position);
    }
    try {
      acts.writing(written, position, source.remaining());
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
    ByteBuffer taken = source.slice(source.position(), acts.taken(written, source.remaining()));
    Future<Integer> done = inner.write(taken, position);
    source.position(source.position() + taken.position());
    byte[] bytes = new byte[taken.position()];
    taken.get(0, bytes);
    acts.wrote(written, position, bytes);
    return done;
  }

  @Override
  public <A> void write(
      ByteBuffer source,
      long position,
      A attachment,
      CompletionHandler<Integer, ? super A> handler) {
    throw new UnsupportedOperationException("writes are waited for");
  }

  @Override
  public Future<Integer> read(ByteBuffer target, long position) {
    return inner.read(target, position);
  }

  @Override
  public <A> void read(
      ByteBuffer target,
      long position,
      A attachment,
      CompletionHandler<Integer, ? super A> handler) {
    inner.read(target, position, attachment, handler);
  }

  @Override
  public long size() throws IOException {
    return inner.size();
  }

  @Override
  public AsynchronousFileChannel truncate(long size) throws IOException {
    inner.truncate(size);
    if (file != null) {
      acts.truncated(file, size);
    }
    return this;
  }

  /** The medium is the recorder's: nothing is asked of the real one. */
  @Override
  public void force(boolean metaData) throws IOException {
    FileActs.Sync sync = file == null ? acts.syncingNames() : acts.syncing(file);
    sync.ended();
  }

  @Override
  public <A> void lock(
      long position,
      long size,
      boolean shared,
      A attachment,
      CompletionHandler<FileLock, ? super A> handler) {
    inner.lock(position, size, shared, attachment, handler);
  }

  @Override
  public Future<FileLock> lock(long position, long size, boolean shared) {
    return inner.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return inner.tryLock(position, size, shared);
  }

  @Override
  public boolean isOpen() {
    return inner.isOpen();
  }

  @Override
  public void close() throws IOException {
    inner.close();
  }
}
