package io.gpdb.storage.medium;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.util.concurrent.Future;

/** A channel that passes all on but the bytes that a write does not take. */
final class ShortWriteChannel extends AsynchronousFileChannel {
  private final AsynchronousFileChannel inner;
  private final ShortWrites writes;

  ShortWriteChannel(AsynchronousFileChannel inner, ShortWrites writes) {
    this.inner = inner;
    this.writes = writes;
  }

  private ByteBuffer taken(ByteBuffer source) {
    int bytes = Math.clamp(writes.taken(source.remaining()), 0, source.remaining());
    ByteBuffer part = source.slice(source.position(), bytes);
    source.position(source.position() + bytes);
    return part;
  }

  @Override
  public Future<Integer> write(ByteBuffer source, long position) {
    return inner.write(taken(source), position);
  }

  @Override
  public <A> void write(
      ByteBuffer source,
      long position,
      A attachment,
      CompletionHandler<Integer, ? super A> handler) {
    inner.write(taken(source), position, attachment, handler);
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
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    inner.force(metaData);
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
