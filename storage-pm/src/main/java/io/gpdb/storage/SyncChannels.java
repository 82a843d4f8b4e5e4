package io.gpdb.storage;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Syncs of one file, several at a time, each through a channel of its own: the operating system
 * tells of a failed write once for each open file, so of two syncs through one channel the second
 * would not learn that what it waits for is lost (A5).
 */
final class SyncChannels {
  /** So many syncs of a file are under way at most. */
  static final int SYNCS_MAX = 4;

  private final AsynchronousFileChannel first;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition someEnded = lock.newCondition();
  private final ArrayDeque<AsynchronousFileChannel> idle = new ArrayDeque<>();
  private int open = 1;
  private int openMax = SYNCS_MAX;
  private long synced;

  /**
   * @param first stays the caller's
   */
  SyncChannels(AsynchronousFileChannel first) {
    this.first = first;
    idle.add(first);
  }

  /** What has been flushed so far, counted. */
  interface Flushes {
    long count();
  }

  /**
   * Returns when a sync has ended that began after the first {@code wanted} flushes; one of another
   * thread will do.
   */
  void sync(Path path, long wanted, Flushes flushes) throws IOException {
    AsynchronousFileChannel channel = take(path, wanted);
    if (channel == null) {
      return;
    }
    long covered = flushes.count();
    boolean done = false;
    try {
      channel.force(false);
      done = true;
    } finally {
      give(channel, done ? covered : 0);
    }
  }

  /** A channel that nobody uses; null when the sync is not needed any more. */
  private @Nullable AsynchronousFileChannel take(Path path, long wanted) {
    lock.lock();
    try {
      while (synced < wanted) {
        AsynchronousFileChannel channel = idle.isEmpty() ? openOne(path) : idle.pollFirst();
        if (channel != null) {
          return channel;
        }
        someEnded.awaitUninterruptibly();
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Null when there are as many as there may be. */
  private @Nullable AsynchronousFileChannel openOne(Path path) {
    if (open == openMax) {
      return null;
    }
    try {
      AsynchronousFileChannel channel = FileChannels.open(path, false);
      open++;
      return channel;
    } catch (IOException e) {
      openMax = open; // a process out of files makes do with those it has
      return null;
    }
  }

  private void give(AsynchronousFileChannel channel, long covered) {
    lock.lock();
    try {
      idle.addFirst(channel);
      synced = Math.max(synced, covered);
      someEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the channels but the first; no sync is under way. */
  void close() throws IOException {
    idle.remove(first);
    for (AsynchronousFileChannel channel : idle) {
      channel.close();
    }
    idle.clear();
  }
}
