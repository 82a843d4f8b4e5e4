package io.gpdb.txn.log;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.MemoryPieces;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.api.EngineThread;
import io.gpdb.txn.api.LogFilesAhead;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Files that hold no record of the log: those that no recovery needs any more, which are taken
 * again, and the next one, made ahead of its use. One thread at a time calls; beside it one thread
 * makes the next file.
 */
final class SpareFiles implements AutoCloseable {
  private static final long AHEAD_BYTES_MIN = 1L << 20;

  private final StorageDirectory directory;
  private final LogFilesAhead ahead;
  private @Nullable EngineThread maker;

  // Guarded by this.
  private final ArrayDeque<Spare> givenUp = new ArrayDeque<>();
  private @Nullable Spare made;
  private @Nullable RuntimeException failure;
  private long nextNumber;

  /** A file under its present name. */
  record Spare(long number, PersistentMemory memory) {
    String fileName() {
      return WalLayout.fileName(number);
    }
  }

  /**
   * @param nextNumber greater than that of any file there is
   */
  SpareFiles(StorageDirectory directory, long nextNumber, LogFilesAhead ahead) {
    this.directory = directory;
    this.nextNumber = nextNumber;
    this.ahead = ahead;
  }

  /** Has the next file made, if there is none; what fails shows when the file is needed. */
  void makeAhead(long bytes) {
    if (hasMade()) {
      return;
    }
    switch (ahead) {
      case AT_ONCE -> tryToMake(bytes);
      case IN_BACKGROUND -> {
        if (bytes >= AHEAD_BYTES_MIN) {
          awaitMaker();
          maker = EngineThread.start("gpdb-log-file", () -> tryToMake(bytes));
        }
      }
    }
  }

  private synchronized boolean hasMade() {
    return made != null;
  }

  private void tryToMake(long bytes) {
    Spare next = null;
    RuntimeException failed = null;
    try {
      next = make(bytes);
    } catch (RuntimeException e) {
      failed = isRefusal(e) ? null : e;
    }
    synchronized (this) {
      made = next;
      failure = failed;
    }
  }

  /** Whether nothing was done, so that it can be tried again. */
  private static boolean isRefusal(RuntimeException e) {
    return e instanceof GpdbException g
        && (g.code() == ErrorCode.DISK_FULL || g.code() == ErrorCode.TOO_MANY_FILES);
  }

  /**
   * A file of that size or a longer one, with a greater number than all before it; its name and
   * size are durable. Throws DISK_FULL or TOO_MANY_FILES with nothing changed.
   */
  Spare take(long bytes) {
    awaitMaker();
    Spare next = takeMade();
    if (next != null && next.memory().sizeBytes() < bytes) {
      directory.delete(next.fileName());
      next = null;
    }
    return next == null ? make(bytes) : next;
  }

  private synchronized @Nullable Spare takeMade() {
    if (failure != null) {
      throw failure; // what the medium holds is not known (A5)
    }
    Spare next = made;
    made = null;
    return next;
  }

  private Spare make(long bytes) {
    long number = number();
    String name = WalLayout.fileName(number);
    PersistentMemory memory = takeAgain(name, bytes);
    if (memory == null) {
      memory = create(name, bytes);
    }
    directory.syncNames();
    return new Spare(number, memory);
  }

  private synchronized long number() {
    return nextNumber++;
  }

  /** A file given up, under its new name; W1 makes its old records harmless. */
  private @Nullable PersistentMemory takeAgain(String name, long bytes) {
    for (Spare spare = newestGivenUp(); spare != null; spare = newestGivenUp()) {
      if (spare.memory().sizeBytes() >= bytes) {
        directory.rename(spare.fileName(), name);
        return spare.memory();
      }
      directory.delete(spare.fileName());
    }
    return null;
  }

  private synchronized @Nullable Spare newestGivenUp() {
    return givenUp.pollLast();
  }

  /** A new file, as long as its header is going to say, durably (W2). */
  private PersistentMemory create(String name, long bytes) {
    PersistentMemory memory = directory.open(name, MemoryPieces.SIZE_UNIT_BYTES);
    try {
      memory.grow(bytes); // apart from open, during which no other file is opened
      memory.drain();
    } catch (GpdbException e) {
      if (isRefusal(e)) {
        directory.delete(name);
      }
      throw e;
    }
    return memory;
  }

  /** Keeps a file that no recovery needs. */
  synchronized void give(WalSegment segment) {
    givenUp.addLast(new Spare(segment.number(), segment.memory()));
  }

  /** Deletes files that were given up, the oldest first, until at most {@code count} are left. */
  void keepAtMost(int count) {
    for (Spare spare = beyond(count); spare != null; spare = beyond(count)) {
      directory.delete(spare.fileName());
    }
  }

  private synchronized @Nullable Spare beyond(int count) {
    return givenUp.size() > count ? givenUp.pollFirst() : null;
  }

  /** Deletes all of them. */
  void deleteAll() {
    awaitMaker();
    keepAtMost(0);
    Spare next = takeMade();
    if (next != null) {
      directory.delete(next.fileName());
    }
  }

  private void awaitMaker() {
    EngineThread running = maker;
    if (running != null) {
      running.awaitEnd();
      maker = null;
    }
  }

  /** Closes the files, which stay. */
  @Override
  public void close() {
    awaitMaker();
    synchronized (this) {
      givenUp.forEach(spare -> spare.memory().close());
      if (made != null) {
        made.memory().close();
      }
    }
  }
}
