package io.gpdb.storage.dictionary;

import io.gpdb.storage.column.ByteHash;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.home.RootImage;
import io.gpdb.storage.tablet.CheckpointWrites;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The strings of a dictionary by their codes: entries, {@code offset << 24 | length} or {@link
 * #FREE}, and the bytes that they refer to.
 *
 * <p>Changes need {@code lock}, the dictionary's. Reads are optimistic: {@code moves} is held
 * exclusively while pages of bytes go. {@code structure} is held while all pages must stay for
 * longer; a checkpoint pins those that it writes instead, so that others come and go meanwhile.
 * Locks are taken in the order {@code structure}, {@code lock}, {@code moves}.
 */
public final class CodeStrings {
  /** The entry of a free code. */
  static final long FREE = -1;

  public static final int LENGTH_BITS = 24;
  static final int MAX_LENGTH_BYTES = (1 << LENGTH_BITS) - 1;
  private static final int OPTIMISTIC_TRIES = 3;

  /** Strings visited in one holding of the lock, so that others wait for it briefly. */
  static final int CODES_AT_ONCE = 256;

  private final String place;
  private final StampedLock lock;
  private final CodeEntries entries;
  private final StringArea content;
  private final FreeCodes free = new FreeCodes();
  private final ReentrantLock structure = new ReentrantLock();
  private final Condition unpinned = structure.newCondition();

  /** Whether a checkpoint writes pages; changed under {@code structure}. */
  private boolean pinned;

  private final StampedLock moves = new StampedLock();
  private volatile int size;
  private volatile long version;

  CodeStrings(
      SpaceMemory space,
      String place,
      StampedLock lock,
      RootImage.@Nullable DictionaryImage image) {
    this.place = place;
    this.lock = lock;
    size = image == null ? 0 : image.size();
    String entriesPlace = place + " (dictionary entries)";
    String bytesPlace = place + " (dictionary bytes)";
    if (image == null) {
      entries = new CodeEntries(space, entriesPlace, List.of(), 0);
      content = new StringArea(space, bytesPlace, List.of(), 0);
    } else {
      entries = new CodeEntries(space, entriesPlace, image.entries(), size);
      content = new StringArea(space, bytesPlace, image.bytes(), image.next());
    }
  }

  int size() {
    return size;
  }

  long version() {
    return version;
  }

  FreeCodes free() {
    return free;
  }

  long usedBytes() {
    return content.usedBytes();
  }

  boolean isFree(int code) {
    return entries.word(code) == FREE;
  }

  int length(int code) {
    return lengthOf(entries.word(code));
  }

  /** Whether these bytes are the code's string. Needs the lock, or its stamp validated after. */
  boolean equal(int code, byte[] b, int off, int len) {
    long entry = entries.word(code);
    if (entry == FREE || lengthOf(entry) != len) {
      return false;
    }
    if (len == 0) {
      return true;
    }
    long at = offsetOf(entry);
    int inPage = (int) (at & StringArea.PAGE_MASK);
    if (inPage + len <= StringArea.PAGE_BYTES) {
      MemorySegment page = content.page((int) (at >>> StringArea.PAGE_SHIFT));
      return ByteHash.equal(page, inPage, b, off, len);
    }
    byte[] own = bytesOrNull(code);
    return own != null && java.util.Arrays.equals(own, 0, own.length, b, off, off + len);
  }

  /** The string's bytes; null where the code is free. */
  byte @Nullable [] bytesOrNull(int code) {
    for (int tries = 0; tries < OPTIMISTIC_TRIES; tries++) {
      long stamp = moves.tryOptimisticRead();
      if (stamp != 0) {
        try {
          byte[] found = read(code);
          if (moves.validate(stamp)) {
            return found;
          }
        } catch (IllegalStateException | IndexOutOfBoundsException _) {
          // the page was dropped meanwhile: once more
        }
      }
    }
    long stamp = moves.readLock();
    try {
      return read(code);
    } catch (IndexOutOfBoundsException e) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, place + ": no bytes where the entry says: code=" + code, e);
    } finally {
      moves.unlockRead(stamp);
    }
  }

  private byte @Nullable [] read(int code) {
    long entry = entries.word(code);
    if (entry == FREE) {
      return null;
    }
    byte[] b = new byte[lengthOf(entry)];
    content.copy(offsetOf(entry), b);
    return b;
  }

  /** Assigns a free code, or the next one, to a string. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time: the lock
  void give(int code, MemorySegment bytes) {
    if (code >= Dictionary.MAX_CODES) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED, place + ": dictionary is full: codes=" + code);
    }
    long length = bytes.byteSize();
    if (length > MAX_LENGTH_BYTES) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          place + ": value too long: bytes=" + length + ", limit=" + MAX_LENGTH_BYTES);
    }
    entries.reserve(code);
    entries.set(code, content.append(bytes) << LENGTH_BITS | length);
    free.remove(code);
    size = Math.max(size, code + 1);
    version++; // last: tables made for this version have the string
  }

  /** Frees a code that has a string, or the next new code. */
  void take(int code) {
    entries.reserve(code);
    if (code < size) {
      long entry = entries.word(code);
      content.take(offsetOf(entry), lengthOf(entry), -1);
    }
    entries.set(code, FREE);
    free.add(code);
    size = Math.max(size, code + 1);
  }

  /**
   * Moves strings of pages that are mostly unused together; pages that a checkpoint is about to
   * write stay. Returns at once while all pages must stay.
   */
  void compact() {
    if (!structure.tryLock()) {
      return;
    }
    try {
      countBytes();
      if (content.isSparse()) {
        move(content.sparsePages());
      }
      dropPages();
    } finally {
      structure.unlock();
    }
  }

  private void countBytes() {
    long stamp = lock.writeLock();
    try {
      for (int code = 0; !content.isCounted() && code < size; code++) {
        long entry = entries.word(code);
        if (entry != FREE) {
          content.count(offsetOf(entry), lengthOf(entry), 1);
        }
      }
      content.counted();
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  private void move(boolean[] sparse) {
    for (int from = 0; from < size; from += CODES_AT_ONCE) {
      int end = Math.min(size, from + CODES_AT_ONCE);
      if (isAnyIn(sparse, from, end)) {
        long stamp = lock.writeLock();
        try {
          for (int code = from; code < end; code++) {
            move(sparse, code);
          }
        } finally {
          lock.unlockWrite(stamp);
        }
      }
    }
  }

  private boolean isAnyIn(boolean[] sparse, int from, int end) {
    for (int code = from; code < end; code++) {
      if (isIn(sparse, entries.word(code))) {
        return true;
      }
    }
    return false;
  }

  private void move(boolean[] sparse, int code) {
    long entry = entries.word(code);
    byte[] b = isIn(sparse, entry) ? read(code) : null;
    if (b != null) {
      entries.reserve(code);
      entries.set(code, content.append(MemorySegment.ofArray(b)) << LENGTH_BITS | b.length);
      content.take(offsetOf(entry), b.length, -1);
    }
  }

  private static boolean isIn(boolean[] pages, long entry) {
    if (entry == FREE || lengthOf(entry) == 0) {
      return false;
    }
    long first = offsetOf(entry) >>> StringArea.PAGE_SHIFT;
    long last = (offsetOf(entry) + lengthOf(entry) - 1) >>> StringArea.PAGE_SHIFT;
    for (long page = first; page <= last; page++) {
      if (page < pages.length && pages[(int) page]) {
        return true;
      }
    }
    return false;
  }

  private void dropPages() {
    long stamp = lock.writeLock();
    long movesStamp = moves.writeLock();
    try {
      content.dropUnused();
    } finally {
      moves.unlockWrite(movesStamp);
      lock.unlockWrite(stamp);
    }
  }

  /**
   * For the checkpoint.
   *
   * @param event the next one, asked before
   */
  RootImage.DictionaryImage write(CheckpointWrites writes, long event) {
    int codes;
    long next;
    List<Extent> words;
    StringArea.PinnedPages pages;
    structure.lock();
    try {
      // In this order: the entries written name bytes of pages that are pinned after them.
      codes = size;
      words = entries.write(codes, writes);
      next = content.next();
      pages = content.pin();
      pinned = true;
    } finally {
      structure.unlock();
    }
    try {
      return new RootImage.DictionaryImage(codes, next, event, words, pages.write(writes));
    } finally {
      unpin(pages);
    }
  }

  private void unpin(StringArea.PinnedPages pages) {
    structure.lock();
    try {
      pages.unpin();
      pinned = false;
      unpinned.signalAll();
    } finally {
      structure.unlock();
    }
  }

  /** Locks {@link #structure} when a checkpoint needs no page any more. */
  void lockUnpinned() {
    structure.lock();
    while (pinned) {
      unpinned.awaitUninterruptibly();
    }
  }

  /** Copies all strings there are into another home file; nobody changes them meanwhile. */
  RootImage.DictionaryImage copyTo(HomeImage target, long event) {
    List<Extent> words = entries.copyTo(size, target);
    return new RootImage.DictionaryImage(
        size, content.next(), event, words, content.copyTo(target));
  }

  /** Pages do not go until the lock is unlocked. */
  ReentrantLock structure() {
    return structure;
  }

  void forEachChunk(Consumer<Chunk> action) {
    entries.forEachChunk(action);
    content.forEachChunk(action);
  }

  void discard() {
    long movesStamp = moves.writeLock();
    try {
      size = 0;
      entries.discard();
      content.discard();
    } finally {
      moves.unlockWrite(movesStamp);
    }
  }

  private static int lengthOf(long entry) {
    return entry == FREE ? 0 : (int) entry & MAX_LENGTH_BYTES;
  }

  private static long offsetOf(long entry) {
    return entry >>> LENGTH_BITS;
  }
}
