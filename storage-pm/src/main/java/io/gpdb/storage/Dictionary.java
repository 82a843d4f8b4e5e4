package io.gpdb.storage;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/**
 * The distinct byte strings of a column, append-only, known by codes from 0.
 *
 * <p>Entry {@code code} is one i64, {@code offset << 24 | length}, into an area of bytes. The hash
 * table from strings to codes is volatile and built at the first look-up. Reads by code take no
 * lock; look-ups are optimistic; new strings go in under the lock.
 */
public final class Dictionary {
  public static final int MAX_CODES = Integer.MAX_VALUE - 1;

  static final int LENGTH_BITS = 24;
  public static final int MAX_LENGTH_BYTES = (1 << LENGTH_BITS) - 1;
  private static final int ENTRY_BYTES = 8;
  private static final int ENTRY_PAGE_SHIFT = AppendArea.PAGE_SHIFT - 3;
  private static final int ENTRY_PAGE_MASK = (1 << ENTRY_PAGE_SHIFT) - 1;
  private static final int OPTIMISTIC_TRIES = 3;

  private final SpaceMemory space;
  private final String place;
  private final AppendArea entries;
  private final AppendArea content;
  private final StampedLock lock = new StampedLock();
  private volatile @Nullable DictionarySlots slots;
  private volatile int size;

  Dictionary(SpaceMemory space, String place, RootImage.@Nullable DictionaryImage image) {
    this.space = space;
    this.place = place;
    size = image == null ? 0 : image.size();
    List<Extent> none = List.of();
    entries =
        new AppendArea(
            space,
            place + " (dictionary entries)",
            image == null ? none : image.entries(),
            (long) size * ENTRY_BYTES);
    content =
        new AppendArea(
            space,
            place + " (dictionary bytes)",
            image == null ? none : image.bytes(),
            image == null ? 0 : image.bytesUsed());
  }

  /** The code of the string, given now if it is new. */
  public int intern(byte[] b, int off, int len) {
    int found = find(b, off, len);
    return found >= 0 ? found : append(b, off, len);
  }

  /** The code of the string, or -1. */
  public int find(byte[] b, int off, int len) {
    int hash = ByteHash.of(b, off, len);
    for (int tries = 0; tries < OPTIMISTIC_TRIES; tries++) {
      long stamp = lock.tryOptimisticRead();
      DictionarySlots table = slots;
      if (stamp == 0 || table == null) {
        break;
      }
      try {
        int code = probe(table, hash, b, off, len);
        if (lock.validate(stamp)) {
          return code;
        }
      } catch (IllegalStateException _) {
        // the slots were released meanwhile, and their memory given back: once more
      }
    }
    DictionarySlots table = builtSlots();
    long stamp = lock.readLock();
    try {
      DictionarySlots latest = slots;
      return probe(latest == null ? table : latest, hash, b, off, len);
    } finally {
      lock.unlockRead(stamp);
    }
  }

  private int probe(DictionarySlots table, int hash, byte[] b, int off, int len) {
    long at = table.first(hash);
    for (long seen = 0; seen < table.capacity(); seen++) {
      long slot = table.slot(at);
      if (slot == 0) {
        return -1;
      }
      if ((int) (slot >>> 32) == hash) {
        int code = (int) slot - 1;
        if (code >= 0 && code < size && equal(code, b, off, len)) {
          return code;
        }
      }
      at = table.next(at);
    }
    return -1;
  }

  private boolean equal(int code, byte[] b, int off, int len) {
    long entry = entry(code);
    if (lengthOf(entry) != len) {
      return false;
    }
    if (len == 0) {
      return true;
    }
    long at = offsetOf(entry);
    int inPage = (int) (at & AppendArea.PAGE_MASK);
    if (inPage + len <= AppendArea.PAGE_BYTES) {
      return ByteHash.equal(
          content.page((int) (at >>> AppendArea.PAGE_SHIFT)), inPage, b, off, len);
    }
    byte[] own = bytes(code);
    return java.util.Arrays.equals(own, 0, len, b, off, off + len);
  }

  private int append(byte[] b, int off, int len) {
    DictionarySlots table = builtSlots();
    long stamp = lock.writeLock();
    try {
      DictionarySlots latest = slots;
      table = latest == null ? table : latest;
      int hash = ByteHash.of(b, off, len);
      int found = probe(table, hash, b, off, len);
      if (found >= 0) {
        return found;
      }
      // Room first: a string without a slot would get a second code.
      DictionarySlots roomy = table.withRoom();
      slots = roomy;
      int code = appendEntry(MemorySegment.ofArray(b).asSlice(off, len));
      roomy.add(hash, code);
      return code;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  private int appendEntry(MemorySegment bytes) {
    int code = size;
    if (code >= MAX_CODES) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED, place + ": dictionary is full: codes=" + code);
    }
    long length = bytes.byteSize();
    if (length > MAX_LENGTH_BYTES) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          place + ": value too long: bytes=" + length + ", limit=" + MAX_LENGTH_BYTES);
    }
    long at = content.usedBytes();
    if (length > 0) {
      content.reserve(length);
      content.put(at, bytes);
    }
    entries.reserve(ENTRY_BYTES);
    entries
        .page(code >>> ENTRY_PAGE_SHIFT)
        .set(JAVA_LONG, (long) (code & ENTRY_PAGE_MASK) << 3, (at << LENGTH_BITS) | length);
    content.commit(at + length);
    entries.commit((code + 1L) * ENTRY_BYTES);
    size = code + 1;
    return code;
  }

  private DictionarySlots builtSlots() {
    DictionarySlots table = slots;
    if (table != null) {
      return table;
    }
    long stamp = lock.writeLock();
    try {
      table = slots;
      if (table == null) {
        table = DictionarySlots.sizedFor(space.pool(), size);
        for (int code = 0; code < size; code++) {
          table = table.with(hash(code), code);
        }
        slots = table;
      }
      return table;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Codes below this exist. */
  public int size() {
    return size;
  }

  public int length(int code) {
    checkCode(code);
    return lengthOf(entry(code));
  }

  public byte[] bytes(int code) {
    byte[] b = new byte[length(code)];
    copy(code, b, 0);
    return b;
  }

  public String string(int code) {
    return new String(bytes(code), StandardCharsets.UTF_8);
  }

  public void copy(int code, byte[] target, int at) {
    checkCode(code);
    long entry = entry(code);
    int length = lengthOf(entry);
    if (length > 0) {
      content.copy(offsetOf(entry), MemorySegment.ofArray(target).asSlice(at, length));
    }
  }

  /** A 32-bit hash of the string that does not change between runs. */
  public int hash(int code) {
    byte[] b = bytes(code);
    return ByteHash.of(b, 0, b.length);
  }

  /** Bytes of all strings together. */
  public long bytesUsed() {
    return content.usedBytes();
  }

  /** Sets entry {@code code}, for recovery: the next one, or one that is there with these bytes. */
  public void appendReplayed(int code, MemorySegment bytes) {
    long stamp = lock.writeLock();
    try {
      if (code >= 0 && code < size) {
        if (MemorySegment.ofArray(bytes(code)).mismatch(bytes) != -1) {
          throw new GpdbException(
              ErrorCode.CORRUPTION, place + ": log and dictionary differ: code=" + code);
        }
        return;
      }
      if (code != size) {
        throw new GpdbException(
            ErrorCode.CORRUPTION, place + ": code out of turn: code=" + code + ", size=" + size);
      }
      appendEntry(bytes);
      DictionarySlots table = slots;
      if (table != null) {
        slots = table.with(hash(code), code);
      }
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  RootImage.DictionaryImage write(CheckpointWrites writes) {
    int codes = size;
    long used = bytesOf(codes);
    return new RootImage.DictionaryImage(
        codes,
        used,
        entries.write((long) codes * ENTRY_BYTES, writes),
        content.write(used, writes));
  }

  /** Copies all strings there are into another home file. */
  RootImage.DictionaryImage copyTo(HomeImage target) {
    int codes = size;
    long used = bytesOf(codes);
    return new RootImage.DictionaryImage(
        codes,
        used,
        entries.copyTo((long) codes * ENTRY_BYTES, target),
        content.copyTo(used, target));
  }

  /** Bytes of the strings with codes below {@code codes}. */
  private long bytesOf(int codes) {
    if (codes == 0) {
      return 0;
    }
    long last = entry(codes - 1);
    return offsetOf(last) + lengthOf(last);
  }

  /** What is wrong with the entries, and strings that are there twice. */
  void check(List<String> problems) {
    long expected = 0;
    for (int code = 0; code < size; code++) {
      long entry = entry(code);
      if (offsetOf(entry) != expected) {
        problems.add(place + ": dictionary entry " + code + " does not follow the one before");
        return;
      }
      expected += lengthOf(entry);
    }
    if (expected != content.usedBytes()) {
      problems.add(
          place + ": dictionary bytes=" + content.usedBytes() + ", entries end=" + expected);
      return;
    }
    for (int code = 0; code < size; code++) {
      byte[] bytes = bytes(code);
      int first = find(bytes, 0, bytes.length);
      if (first != code) {
        problems.add(place + ": one string has two codes: " + first + " and " + code);
        return;
      }
    }
  }

  void discard() {
    long stamp = lock.writeLock();
    try {
      DictionarySlots table = slots;
      if (table != null) {
        table.release();
        slots = null;
      }
      size = 0;
      entries.discard();
      content.discard();
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  private void checkCode(int code) {
    if (code < 0 || code >= size) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, place + ": no such code: code=" + code + ", size=" + size);
    }
  }

  private long entry(int code) {
    return entries
        .page(code >>> ENTRY_PAGE_SHIFT)
        .get(JAVA_LONG, (long) (code & ENTRY_PAGE_MASK) << 3);
  }

  private static int lengthOf(long entry) {
    return (int) entry & MAX_LENGTH_BYTES;
  }

  private static long offsetOf(long entry) {
    return entry >>> LENGTH_BITS;
  }
}
