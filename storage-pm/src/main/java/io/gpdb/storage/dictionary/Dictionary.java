package io.gpdb.storage.dictionary;

import io.gpdb.storage.column.ByteHash;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.home.RootImage;
import io.gpdb.storage.tablet.CheckpointWrites;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The distinct byte strings of a column, known by codes from 0. A code that nothing refers to any
 * more is freed, and assigned to another string later: docs/internals/garbage.md proves when this
 * is safe.
 *
 * <p>The hash table from strings to codes is volatile and built at the first look-up. Reads by code
 * and look-ups are optimistic; strings come and go under the lock.
 */
public final class Dictionary implements CodedStrings {
  public static final int MAX_CODES = Integer.MAX_VALUE - 1;

  public static final int MAX_LENGTH_BYTES = CodeStrings.MAX_LENGTH_BYTES;

  private static final int OPTIMISTIC_TRIES = 3;

  /** About what a code takes beside its string: its entry and its slot. */
  private static final int CODE_BYTES = 32;

  /** No hash, which has 32 bits. */
  private static final long NO_HASH = Long.MIN_VALUE;

  private static final byte[] NOTHING = {};

  private final SpaceMemory space;
  private final String place;
  private final StampedLock lock = new StampedLock();
  private final CodeStrings strings;
  private final CodeEvents events;
  private final CodeStamps stamps = new CodeStamps();
  private volatile @Nullable DictionarySlots slots;
  private volatile long releasedVersion;

  public Dictionary(SpaceMemory space, String place, RootImage.@Nullable DictionaryImage image) {
    this.space = space;
    this.place = place;
    strings = new CodeStrings(space, place, lock, image);
    events = new CodeEvents(image == null ? 0 : image.events());
  }

  @Override
  public int intern(byte[] b, int off, int len) {
    int found = find(b, off, len);
    if (found < 0) {
      space.memory().requireTableRoom(len + (long) CODE_BYTES);
      found = append(b, off, len);
    }
    return found;
  }

  /** As {@link #intern}, whatever the limit of memory: of a table that is rewritten. */
  public int internAnyway(byte[] b, int off, int len) {
    int found = find(b, off, len);
    return found >= 0 ? found : append(b, off, len);
  }

  @Override
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
        stamp(code);
        if (lock.validate(stamp)) {
          return code;
        }
      } catch (IllegalStateException | IndexOutOfBoundsException _) {
        // the slots or a page were released meanwhile, and their memory given back: once more
      }
    }
    DictionarySlots table = builtSlots();
    long stamp = lock.readLock();
    try {
      DictionarySlots latest = slots;
      int code = probe(latest == null ? table : latest, hash, b, off, len);
      stamp(code);
      return code;
    } finally {
      lock.unlockRead(stamp);
    }
  }

  private void stamp(int code) {
    if (code >= 0) {
      stamps.stamp(code, space.codeRound().get());
    }
  }

  /**
   * Says that the code is stored in a row: by whom it was found, and when, does not matter any
   * more. The row's tablet is latched.
   */
  public void stored(int code) {
    if (code >= 0 && code < strings.size()) {
      stamp(code);
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
        if (code >= 0 && code < strings.size() && strings.equal(code, b, off, len)) {
          return code;
        }
      }
      at = table.next(at);
    }
    return -1;
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
        stamp(found);
        return found;
      }
      // Room first: a string without a slot would get a second code.
      DictionarySlots roomy = table.withRoom();
      slots = roomy;
      int reused = strings.free().first();
      int code = reused >= 0 ? reused : strings.size();
      strings.give(code, MemorySegment.ofArray(b).asSlice(off, len));
      stamp(code);
      events.given(code);
      roomy.add(hash, code);
      return code;
    } finally {
      lock.unlockWrite(stamp);
    }
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
        int size = strings.size();
        table = DictionarySlots.sizedFor(space.tables(), size);
        for (int code = 0; code < size; code++) {
          if (strings.isFree(code)) {
            strings.free().add(code);
          } else {
            table = table.with(hash(code), code);
          }
        }
        slots = table;
      }
      return table;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  @Override
  public int size() {
    return strings.size();
  }

  /** The number of codes that have a string, as far as free ones are known. */
  public int usedCodes() {
    return strings.size() - strings.free().count();
  }

  @Override
  public long version() {
    return strings.version();
  }

  /** How many strings came since {@link #release} was last called. */
  public long assignedSinceRelease() {
    return strings.version() - releasedVersion;
  }

  public int length(int code) {
    checkCode(code);
    return strings.length(code);
  }

  @Override
  public byte[] bytes(int code) {
    byte[] found = bytesOrNull(code);
    return found == null ? NOTHING : found;
  }

  /** The string's bytes; null where the code is free. */
  public byte @Nullable [] bytesOrNull(int code) {
    checkCode(code);
    return strings.bytesOrNull(code);
  }

  @Override
  public String string(int code) {
    return new String(bytes(code), StandardCharsets.UTF_8);
  }

  public void copy(int code, byte[] target, int at) {
    byte[] b = bytes(code);
    System.arraycopy(b, 0, target, at, b.length);
  }

  /** A 32-bit hash of the string that does not change between runs. */
  public int hash(int code) {
    byte[] b = bytes(code);
    return ByteHash.of(b, 0, b.length);
  }

  /** Bytes of all strings together, with those of freed codes that were not moved together yet. */
  public long bytesUsed() {
    return strings.usedBytes();
  }

  /** The number of the next event: a code is assigned to a string, or freed. */
  public long events() {
    return events.end();
  }

  /** Behind the last event that freed a code, of those since the opening. */
  public long lastFreedEvent() {
    return events.lastTakenEnd();
  }

  /** The log holds the events before this one. */
  public void eventsLogged(long before) {
    events.forget(before);
  }

  /**
   * Fills in the codes of events before {@code to}, of freed ones the complement, as many as fit:
   * from {@code from} on, or from the first that is not known to be logged, which is returned.
   */
  public long copyEvents(long from, long to, int[] codes) {
    return events.copy(from, to, codes);
  }

  /** Sets entry {@code code}, for recovery: the next one, or one that is there with these bytes. */
  public void appendReplayed(int code, MemorySegment bytes) {
    if (code >= 0 && code < strings.size()) {
      if (MemorySegment.ofArray(bytes(code)).mismatch(bytes) != -1) {
        throw new GpdbException(
            ErrorCode.CORRUPTION, place + ": log and dictionary differ: code=" + code);
      }
      return;
    }
    if (code != strings.size()) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          place + ": code out of turn: code=" + code + ", size=" + strings.size());
    }
    replay(code, bytes);
  }

  /** Repeats an event, for recovery: null bytes free the code. Those that were are passed over. */
  public void replayEvent(long event, int code, @Nullable MemorySegment bytes) {
    if (event < events.end()) {
      return;
    }
    if (event > events.end() || code < 0 || code > strings.size()) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "%s: event out of turn: event=%d, next=%d, code=%d, size=%d"
              .formatted(place, event, events.end(), code, strings.size()));
    }
    replay(code, bytes);
    if (bytes == null) {
      events.taken(code);
    } else {
      events.given(code);
    }
    events.forget(event + 1);
  }

  private void replay(int code, @Nullable MemorySegment bytes) {
    long stamp = lock.writeLock();
    try {
      if (bytes == null || isUsed(code)) {
        take(code, NO_HASH);
      }
      if (bytes != null) {
        strings.give(code, bytes);
        DictionarySlots table = slots;
        if (table != null) {
          slots = table.with(hash(code), code);
        }
      }
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Frees a code, in the table too; the hash of its string is asked for where it is not known. */
  private void take(int code, long knownHash) {
    DictionarySlots table = slots;
    if (table != null && isUsed(code)) {
      table.remove(knownHash == NO_HASH ? hash(code) : (int) knownHash, code);
    }
    strings.take(code);
  }

  /**
   * Frees the codes below {@code count} that are not in use and were stamped before {@code round};
   * none of a dictionary that is discarded meanwhile. The caller has proven that nothing refers to
   * such a code, and is the only one that frees.
   *
   * @param inUse a bit for each code
   * @return how many were freed
   */
  public int release(BitSet inUse, int count, int round) {
    builtSlots();
    long versionBefore = version();
    int released = 0;
    for (int from = 0; from < count; from += CodeStrings.CODES_AT_ONCE) {
      int end = Math.min(count, from + CodeStrings.CODES_AT_ONCE);
      if (inUse.nextClearBit(from) < end) {
        released += release(inUse, from, end, round);
      }
    }
    releasedVersion = versionBefore;
    withoutSlack();
    return released;
  }

  /** Hashes before it takes the lock, for which others wait; nothing else takes strings away. */
  private int release(BitSet inUse, int from, int end, int round) {
    long[] hashes = new long[end - from];
    try {
      for (int code = inUse.nextClearBit(from); code < end; code = inUse.nextClearBit(code + 1)) {
        hashes[code - from] = isUnused(code, round) ? hash(code) : NO_HASH;
      }
    } catch (GpdbException | IndexOutOfBoundsException e) {
      if (strings.size() == 0) {
        return 0; // discarded with its table meanwhile
      }
      throw e;
    }
    int released = 0;
    long stamp = lock.writeLock();
    try {
      int limit = Math.min(end, strings.size());
      for (int code = inUse.nextClearBit(from); code < limit; code = inUse.nextClearBit(code + 1)) {
        if (isUnused(code, round)) {
          take(code, hashes[code - from]);
          events.taken(code);
          released++;
        }
      }
    } finally {
      lock.unlockWrite(stamp);
    }
    return released;
  }

  /** Whether the code, which no row has, has a string and was not found since the round. */
  private boolean isUnused(int code, int round) {
    return stamps.of(code) < round && !strings.isFree(code);
  }

  private void withoutSlack() {
    long stamp = lock.writeLock();
    try {
      DictionarySlots table = slots;
      slots = table == null ? null : table.withoutSlack();
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Gives back the bytes of freed codes, as far as no checkpoint or backup needs them. */
  public void compact() {
    strings.compact();
  }

  public RootImage.DictionaryImage write(CheckpointWrites writes) {
    return strings.write(writes, events.end());
  }

  /** Copies all strings there are into another home file, which has no log to correct it. */
  public RootImage.DictionaryImage copyTo(HomeImage target) {
    strings.structure().lock();
    long stamp = lock.readLock();
    try {
      return strings.copyTo(target, events.end());
    } finally {
      lock.unlockRead(stamp);
      strings.structure().unlock();
    }
  }

  public void forEachChunk(Consumer<Chunk> action) {
    strings.forEachChunk(action);
  }

  /** What is wrong with the entries, and strings that are there twice. */
  public void check(List<String> problems) {
    for (int code = 0; code < strings.size(); code++) {
      try {
        byte[] bytes = strings.bytesOrNull(code);
        int first = bytes == null ? code : find(bytes, 0, bytes.length);
        if (first != code) {
          problems.add(place + ": one string has two codes: " + first + " and " + code);
          return;
        }
      } catch (GpdbException e) {
        problems.add(e.getMessage());
        return;
      }
    }
  }

  /** Whether a row may have the code. */
  public boolean isUsed(long code) {
    return code >= 0 && code < strings.size() && !strings.isFree((int) code);
  }

  public void discard() {
    strings.lockUnpinned();
    long stamp = lock.writeLock();
    try {
      DictionarySlots table = slots;
      if (table != null) {
        table.release();
        slots = null;
      }
      strings.discard();
    } finally {
      lock.unlockWrite(stamp);
      strings.structure().unlock();
    }
  }

  private void checkCode(int code) {
    if (code < 0 || code >= strings.size()) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          place + ": no such code: code=" + code + ", size=" + strings.size());
    }
  }
}
