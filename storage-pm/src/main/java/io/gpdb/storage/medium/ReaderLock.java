package io.gpdb.storage.medium;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps owners from a directory while it is read: a shared lock on the owner's file, of which a
 * process holds one however often it opens the directory. Nothing is written.
 *
 * <p>Where the owner's file is missing and this process could not make it, an owner of the same
 * rights could not either, and there is nothing to lock.
 */
final class ReaderLock implements DirectoryLock {
  private static final Map<Path, Shared> HELD = new HashMap<>();

  private final Path dir;
  private boolean closed;

  /** The process's lock; closing any other channel of the file would free it. */
  private static final class Shared {
    private final @Nullable FileChannel channel;
    private int readers;

    Shared(@Nullable FileChannel channel) {
      this.channel = channel;
    }
  }

  private ReaderLock(Path dir) {
    this.dir = dir;
  }

  /** Takes the lock of the directory, whose path is real. */
  static ReaderLock acquire(Path dir) {
    synchronized (HELD) {
      Shared shared = HELD.get(dir);
      if (shared == null) {
        if (OwnerLock.isOwnedHere(dir)) {
          throw OwnerLock.inUse(dir, "this process, " + ProcessHandle.current().pid());
        }
        try {
          shared = FileChannels.uninterrupted(() -> lockFile(dir));
        } catch (IOException e) {
          throw FileFailure.of(e, "lock", dir.resolve(OwnerLock.FILE_NAME));
        }
        HELD.put(dir, shared);
      }
      shared.readers++;
      return new ReaderLock(dir);
    }
  }

  static boolean isHeld(Path dir) {
    synchronized (HELD) {
      return HELD.containsKey(dir);
    }
  }

  private static Shared lockFile(Path dir) throws IOException {
    Path file = dir.resolve(OwnerLock.FILE_NAME);
    if (!Files.exists(file)) {
      if (Files.isWritable(dir)) {
        throw new GpdbException(
            ErrorCode.CANNOT_OPEN,
            OwnerLock.FILE_NAME
                + " is missing, so nobody can tell whether the database is in use;"
                + " open it for writing once: "
                + dir);
      }
      return new Shared(null);
    }
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    boolean acquired = false;
    try {
      OwnerLock.requireFree(channel, dir, true);
      acquired = true;
      return new Shared(channel);
    } finally {
      if (!acquired) {
        channel.close();
      }
    }
  }

  @Override
  public void close() {
    synchronized (HELD) {
      Shared shared = HELD.get(dir);
      if (closed || shared == null) {
        return;
      }
      closed = true;
      shared.readers--;
      if (shared.readers == 0) {
        HELD.remove(dir);
        FileChannel channel = shared.channel;
        if (channel != null) {
          try {
            channel.close();
          } catch (IOException e) {
            throw FileFailure.of(e, "unlock", dir.resolve(OwnerLock.FILE_NAME));
          }
        }
      }
    }
  }
}
