package io.gpdb.storage.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The pages of a database's mapped files that the process has in its memory. They are the system's,
 * which may drop them whenever it likes, but it counts them for the process. Where statements have
 * a limit that somebody has asked for, the process gives up all of them as soon as more than half
 * of that limit have come since the last time; those that are read again are found where they are,
 * mostly still in memory. Known on Linux; elsewhere nothing is given up. Thread-safe.
 *
 * <p>Whoever reads tables says about how much it may have read: the system is asked how much it was
 * after some of that only.
 */
final class MappedPages {
  /** Of the limit of statements, one part in this many may come before pages are given up. */
  static final int SHARE = 2;

  static final long MOST_BYTES_MIN = 32 << 20;

  /** The system is asked when one part in this many may have been read. */
  private static final int LOOK_SHARE = 8;

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String FILE_PAGES = "RssFile:";
  private static final long UNKNOWN = -1;

  private final AtomicLong readBytes = new AtomicLong();
  private volatile long mostBytes = Long.MAX_VALUE;
  private volatile Runnable giveUp = () -> {};

  /** What the process had of any files when pages were last given up. */
  private long keptBytes;

  /** From now on this gives up the pages of the database's files. */
  void givenUpBy(Runnable pages) {
    giveUp = pages;
  }

  /** From now on about a part of the limit is in memory at most, beside what is now. */
  synchronized void limit(long limitBytes) {
    keptBytes = processBytes();
    if (keptBytes != UNKNOWN) {
      mostBytes = Math.max(MOST_BYTES_MIN, limitBytes / SHARE);
    }
  }

  /** How much of tables is best read at a time. */
  long readBytesMax() {
    return mostBytes == Long.MAX_VALUE ? mostBytes : mostBytes / LOOK_SHARE * 2;
  }

  /** That many bytes are read, or have been. */
  void read(long bytes) {
    long most = mostBytes;
    if (most == Long.MAX_VALUE) {
      return;
    }
    long read = readBytes.addAndGet(bytes);
    if (read > most / LOOK_SHARE && readBytes.compareAndSet(read, 0)) {
      look(most);
    }
  }

  private synchronized void look(long most) {
    if (processBytes() - keptBytes > most) {
      giveUp.run();
      keptBytes = processBytes();
    }
  }

  /** What the process has of all files that it has mapped. */
  private static long processBytes() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(FILE_PAGES)) {
          String[] words = line.substring(FILE_PAGES.length()).strip().split(" ", -1);
          return Long.parseLong(words[0]) << 10;
        }
      }
    } catch (IOException | NumberFormatException e) {
      return UNKNOWN; // another system
    }
    return UNKNOWN;
  }
}
