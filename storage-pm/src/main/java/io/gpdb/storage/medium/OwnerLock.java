package io.gpdb.storage.medium;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes one process the owner of a directory: a lock on a file that holds the owner's process id
 * and start time.
 *
 * <p>The system frees the lock of a killed process before its GPU kernels have stopped writing, so
 * the next owner still waits until the process that the file names is gone. An owner that closes
 * empties the file.
 */
final class OwnerLock implements DirectoryLock {
  static final String FILE_NAME = "gpdb.lock";

  private static final long WAIT_NANOS = 10_000_000_000L;
  private static final long POLL_NANOS = 2_000_000L;
  private static final int CONTENT_BYTES_MAX = 128;
  private static final Set<Path> OWNED_HERE = ConcurrentHashMap.newKeySet();

  private final Path dir;
  private final FileChannel channel;

  private OwnerLock(Path dir, FileChannel channel) {
    this.dir = dir;
    this.channel = channel;
  }

  /** Takes the lock of the directory, whose path is real. */
  static OwnerLock acquire(Path dir) {
    if (ReaderLock.isHeld(dir) || !OWNED_HERE.add(dir)) {
      throw inUse(dir, "this process, " + ProcessHandle.current().pid());
    }
    boolean acquired = false;
    try {
      OwnerLock lock = FileChannels.uninterrupted(() -> acquireFile(dir));
      acquired = true;
      return lock;
    } catch (IOException e) {
      throw FileFailure.of(e, "lock", dir.resolve(FILE_NAME));
    } finally {
      if (!acquired) {
        OWNED_HERE.remove(dir);
      }
    }
  }

  private static OwnerLock acquireFile(Path dir) throws IOException {
    Path file = dir.resolve(FILE_NAME);
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                LinkOption.NOFOLLOW_LINKS),
            OwnFiles.file(file));
    boolean acquired = false;
    try {
      requireFree(channel, dir, false);
      requireOwners(read(channel), file);
      write(channel, Owner.current().toString());
      acquired = true;
      return new OwnerLock(dir, channel);
    } finally {
      if (!acquired) {
        channel.close();
      }
    }
  }

  /** Locks the file and waits until the owner that it names is really gone. */
  static void requireFree(FileChannel channel, Path dir, boolean shared) throws IOException {
    FileLock lock = tryLock(channel, shared);
    Owner previous = Owner.parse(read(channel));
    if (lock == null) {
      throw inUse(dir, previous == null ? "a process that reads it" : "process " + previous.pid);
    }
    if (previous != null) {
      waitUntilGone(previous, dir);
    }
  }

  /** Refuses to overwrite what no owner wrote, where the name is a second one of some file. */
  private static void requireOwners(String content, Path file) throws IOException {
    if (!content.isEmpty() && !content.startsWith("pid=") && names(file) > 1) {
      throw new GpdbException(
          ErrorCode.CANNOT_OPEN, "the file holds something else than an owner: " + file);
    }
  }

  /** How many names the file has; 1 where the file system does not report it. */
  private static int names(Path file) throws IOException {
    boolean tells = file.getFileSystem().supportedFileAttributeViews().contains("unix");
    return tells ? (Integer) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS) : 1;
  }

  static boolean isOwnedHere(Path dir) {
    return OWNED_HERE.contains(dir);
  }

  private static @Nullable FileLock tryLock(FileChannel channel, boolean shared)
      throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, shared);
    } catch (OverlappingFileLockException e) {
      return null; // another class loader of this process has it
    }
  }

  private static void waitUntilGone(Owner previous, Path dir) {
    long deadline = System.nanoTime() + WAIT_NANOS;
    while (previous.isAlive()) {
      if (System.nanoTime() - deadline > 0) {
        throw inUse(dir, "process " + previous.pid + ", which is still ending");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  static GpdbException inUse(Path dir, String owner) {
    return new GpdbException(
        ErrorCode.DATABASE_IN_USE, "database is in use: owner=" + owner + ", database=" + dir);
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(CONTENT_BYTES_MAX);
    channel.read(content, 0);
    return new String(content.array(), 0, content.position(), StandardCharsets.US_ASCII);
  }

  private static void write(FileChannel channel, String content) throws IOException {
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(content.getBytes(StandardCharsets.US_ASCII)), 0);
  }

  @Override
  public void close() {
    try {
      FileChannels.uninterrupted(this::release);
    } catch (IOException e) {
      throw FileFailure.of(e, "unlock", dir.resolve(FILE_NAME));
    } finally {
      OWNED_HERE.remove(dir);
    }
  }

  private Path release() throws IOException {
    try (channel) {
      if (channel.isOpen()) {
        channel.truncate(0);
      }
    }
    return dir;
  }

  /** A process, distinguished from a later one of the same id by its start. */
  private record Owner(long pid, long startMillis) {

    static Owner current() {
      ProcessHandle self = ProcessHandle.current();
      return new Owner(self.pid(), startOf(self));
    }

    static @Nullable Owner parse(String content) {
      Matcher m = Pattern.compile("pid=(\\d+) start=(\\d+)\\s*").matcher(content);
      return m.matches() ? new Owner(Long.parseLong(m.group(1)), Long.parseLong(m.group(2))) : null;
    }

    private static long startOf(ProcessHandle process) {
      Optional<Instant> start = process.info().startInstant();
      return start.isPresent() ? start.get().toEpochMilli() : 0;
    }

    boolean isAlive() {
      Owner current = current();
      if (pid == current.pid && startMillis == current.startMillis) {
        return false; // this process, in an earlier life of the directory that was not closed
      }
      Optional<ProcessHandle> handle = ProcessHandle.of(pid);
      return handle.isPresent()
          && handle.get().isAlive()
          && startOf(handle.get()) == startMillis
          && !isZombie();
    }

    /** Whether it only waits to be reaped: its memory and files are gone. */
    private boolean isZombie() {
      try {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String afterName = stat.substring(stat.lastIndexOf(')') + 1).strip();
        return afterName.startsWith("Z") || afterName.startsWith("X");
      } catch (IOException | RuntimeException e) {
        return false; // no such file system, or the process has ended: isAlive answers
      }
    }

    @Override
    public String toString() {
      return "pid=" + pid + " start=" + startMillis + "\n";
    }
  }
}
