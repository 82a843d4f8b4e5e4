package io.gpdb.storage.medium;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Syncs of one file, several at a time, each through a channel of its own: the operating system
 * reports a failed write once for each open file, so of two syncs through one channel the second
 * would not learn that what it waits for is lost (A5).
 */
final class SyncChannels {
  /** Syncs of a file that run at once, at most. */
  static final int SYNCS_MAX = 4;

  private final AsynchronousFileChannel first;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition someEnded = lock.newCondition();
  private final ArrayDeque<AsynchronousFileChannel> idle = new ArrayDeque<>();
  private final List<Sync> underWay = new ArrayList<>();
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

  /** Called with a sync that failed, before any other one learns that it has ended. */
  interface OnFailure {
    void failed(IOException failure);
  }

  /** A sync that runs, and those it has to wait for. */
  private static final class Sync {
    private @Nullable AsynchronousFileChannel channel;
    private List<Sync> before = List.of();
  }

  /**
   * Returns when a sync has ended without a failure that began after the first {@code wanted}
   * flushes; one of another thread will do.
   */
  void sync(Path path, long wanted, Flushes flushes, OnFailure onFailure) throws IOException {
    Sync sync = new Sync();
    AsynchronousFileChannel channel = take(path, wanted, sync);
    if (channel == null) {
      return;
    }
    long covered = flushes.count();
    boolean done = false;
    try {
      channel.force(false);
      awaitBefore(sync);
      done = true;
    } catch (IOException e) {
      onFailure.failed(e);
      throw e;
    } finally {
      give(sync, done ? covered : 0);
    }
  }

  /**
   * A channel that was opened while others were syncing does not learn of a failure that was
   * reported to one of them: so it waits until they have passed it on.
   */
  private void awaitBefore(Sync sync) {
    if (sync.before.isEmpty()) {
      return;
    }
    lock.lock();
    try {
      while (!Collections.disjoint(sync.before, underWay)) {
        someEnded.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A channel that nobody uses; null when the sync is not needed any more. */
  private @Nullable AsynchronousFileChannel take(Path path, long wanted, Sync sync) {
    lock.lock();
    try {
      while (synced < wanted) {
        boolean opens = idle.isEmpty();
        AsynchronousFileChannel channel = opens ? openOne(path) : idle.pollFirst();
        if (channel != null) {
          sync.channel = channel;
          sync.before = opens ? List.copyOf(underWay) : List.of();
          underWay.add(sync);
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

  private void give(Sync sync, long covered) {
    lock.lock();
    try {
      underWay.remove(sync);
      idle.addFirst(Objects.requireNonNull(sync.channel));
      synced = Math.max(synced, covered);
      someEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Closes all channels but the first; no sync runs. */
  void close() throws IOException {
    idle.remove(first);
    for (AsynchronousFileChannel channel : idle) {
      channel.close();
    }
    idle.clear();
  }
}
