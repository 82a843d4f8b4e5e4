package io.gpdb.storage.index;

import static io.gpdb.storage.index.HashIndexLayout.BUCKET_BYTES;
import static io.gpdb.storage.index.HashIndexLayout.BUCKET_GROUPS;
import static io.gpdb.storage.index.HashIndexLayout.GROUP_BYTES;
import static io.gpdb.storage.index.HashIndexLayout.GROUP_SLOTS;
import static io.gpdb.storage.index.HashIndexLayout.PREFIX_BITS;
import static io.gpdb.storage.index.HashIndexLayout.ROW_MASK;
import static io.gpdb.storage.index.HashIndexLayout.STEPS;
import static io.gpdb.storage.index.HashIndexLayout.STEP_SHIFT;
import static io.gpdb.storage.index.HashIndexLayout.TOMBSTONE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.storage.tablet.Chunk;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The slots of those hashes that share their first {@code depth} prefix bits. Not thread-safe:
 * {@link HashIndex} holds the lock.
 */
final class HashIndexPage {
  /** Results of {@link #insert}. */
  static final int INSERTED = 0;

  static final int PRESENT = 1;
  static final int NO_PLACE = 2;

  /** Added to a result when another entry of that hash was seen. */
  static final int SUSPECT = 4;

  /** Added to a result when the hash's groups are full: it may have overflow entries. */
  static final int FULL = 8;

  private final Chunk chunk;
  private final int prefix;
  private final int depth;
  private final int bucketBits;
  private int entryCount;

  /** What was read last; its owner may have other bytes by now. */
  private volatile @Nullable View view;

  /** Bytes of the page, and the slots in them. */
  private record View(MemorySegment bytes, LongBuffer slots) {}

  HashIndexPage(Chunk chunk, int prefix, int depth, int entryCount) {
    this.chunk = chunk;
    this.prefix = prefix;
    this.depth = depth;
    this.entryCount = entryCount;
    bucketBits = Long.numberOfTrailingZeros(chunk.capacityBytes() / BUCKET_BYTES);
  }

  Chunk chunk() {
    return chunk;
  }

  /** The shared prefix bits, in the low {@code depth} bits. */
  int prefix() {
    return prefix;
  }

  int depth() {
    return depth;
  }

  int bucketBits() {
    return bucketBits;
  }

  int entryCount() {
    return entryCount;
  }

  boolean isFull() {
    long slots = (long) HashIndexLayout.BUCKET_SLOTS << bucketBits;
    return entryCount * 8L >= slots * HashIndexLayout.FULL_EIGHTHS;
  }

  /** Offset of the bucket of a hash with that prefix. */
  private long bucketOffset(int hashPrefix) {
    int bucket = (hashPrefix >>> (PREFIX_BITS - depth - bucketBits)) & ((1 << bucketBits) - 1);
    return (long) bucket * BUCKET_BYTES;
  }

  /**
   * The slots in the page's bytes: HotSpot compiles loops over a buffer sooner than those over a
   * segment, and until then they take a fraction of the time.
   */
  @SuppressWarnings({"MemorySegmentReferenceEquality", "ReferenceEquality"}) // other ones differ
  private LongBuffer slots(MemorySegment bytes) {
    View known = view;
    if (known == null || known.bytes != bytes) {
      ByteBuffer all = bytes.asByteBuffer().order(ByteOrder.nativeOrder());
      known = new View(bytes, all.asLongBuffer());
      view = known;
    }
    return known.slots;
  }

  /** Reads one slot of the hash's line, so that the line is in the cache when it is searched. */
  long touch(long hash) {
    long at =
        bucketOffset(HashIndexLayout.prefix(hash))
            + (long) HashIndexLayout.group(hash) * GROUP_BYTES;
    return slots(chunk.read()).get((int) (at >>> 3));
  }

  /**
   * The greatest matching row + 1 below {@code below}, or 0; subtracted from -1 when all groups are
   * full, so that overflow entries may have a greater one.
   */
  long greatestBelow(MemorySegment bytes, long hash, long below) {
    LongBuffer slots = slots(bytes);
    int hashPrefix = HashIndexLayout.prefix(hash);
    int group = HashIndexLayout.group(hash);
    long bucket = bucketOffset(hashPrefix);
    long greatest = 0;
    for (int step = 0; step < STEPS; step++) {
      long tag = HashIndexLayout.tag(hashPrefix, step);
      int first = (int) (bucket >>> 3) + ((group + step) & (BUCKET_GROUPS - 1)) * GROUP_SLOTS;
      for (int i = 0; i < GROUP_SLOTS; i++) {
        long slot = slots.get(first + i);
        if (slot == 0) {
          return greatest;
        }
        long row = slot & ROW_MASK;
        if (slot >>> STEP_SHIFT == tag && row < below && row > greatest) {
          greatest = row;
        }
      }
    }
    return -1 - greatest;
  }

  /** Puts the entry into the first free slot unless it is there. */
  int insert(long hash, long rowPlusOne) {
    MemorySegment slots = chunk.write();
    int hashPrefix = HashIndexLayout.prefix(hash);
    int group = HashIndexLayout.group(hash);
    long bucket = bucketOffset(hashPrefix);
    int seen = 0;
    boolean present = false;
    long free = -1;
    long freeTag = 0;
    for (int step = 0; step < STEPS; step++) {
      long tag = HashIndexLayout.tag(hashPrefix, step);
      long at = bucket + (long) ((group + step) & (BUCKET_GROUPS - 1)) * GROUP_BYTES;
      for (int i = 0; i < GROUP_SLOTS; i++) {
        long slot = slots.get(JAVA_LONG, at + i * 8L);
        if (slot == 0) {
          if (present) {
            return PRESENT | seen;
          }
          if (free < 0) {
            free = at + i * 8L;
            freeTag = tag;
          }
          slots.set(JAVA_LONG, free, freeTag << STEP_SHIFT | rowPlusOne);
          entryCount++;
          return INSERTED | seen;
        }
        if (slot == TOMBSTONE && free < 0) {
          free = at + i * 8L;
          freeTag = tag;
        } else if (slot >>> STEP_SHIFT == tag && (slot & ROW_MASK) != 0) {
          boolean same = (slot & ROW_MASK) == rowPlusOne;
          present |= same;
          seen |= same ? 0 : SUSPECT;
        }
      }
    }
    if (present) {
      return PRESENT | FULL | seen;
    }
    if (free >= 0) {
      slots.set(JAVA_LONG, free, freeTag << STEP_SHIFT | rowPlusOne);
      return INSERTED | FULL | seen;
    }
    return NO_PLACE | FULL | seen;
  }

  boolean remove(long hash, long rowPlusOne) {
    MemorySegment slots = chunk.write();
    int hashPrefix = HashIndexLayout.prefix(hash);
    int group = HashIndexLayout.group(hash);
    long bucket = bucketOffset(hashPrefix);
    for (int step = 0; step < STEPS; step++) {
      long wanted = HashIndexLayout.tag(hashPrefix, step) << STEP_SHIFT | rowPlusOne;
      long at = bucket + (long) ((group + step) & (BUCKET_GROUPS - 1)) * GROUP_BYTES;
      for (int i = 0; i < GROUP_SLOTS; i++) {
        long slot = slots.get(JAVA_LONG, at + i * 8L);
        if (slot == wanted) {
          slots.set(JAVA_LONG, at + i * 8L, TOMBSTONE);
          return true;
        }
        if (slot == 0) {
          return false;
        }
      }
    }
    return false;
  }

  /**
   * Puts all entries that belong to {@code target}, which is new, into it, and those that find no
   * place there into {@code overflow}.
   */
  void copyTo(HashIndexPage target, OverflowSink overflow) {
    MemorySegment slots = chunk.read();
    MemorySegment targetSlots = target.chunk.write();
    int shift = PREFIX_BITS - target.depth;
    long bytes = slots.byteSize();
    int placed = 0;
    for (long at = 0; at < bytes; at += 8) {
      long slot = slots.get(JAVA_LONG, at);
      int hashPrefix = (int) (slot >>> HashIndexLayout.PREFIX_SHIFT);
      if ((slot & ROW_MASK) == 0 || hashPrefix >>> shift != target.prefix) {
        continue;
      }
      int step = (int) (slot >>> STEP_SHIFT) & (STEPS - 1);
      int group = ((int) (at / GROUP_BYTES) - step) & (BUCKET_GROUPS - 1);
      long bucket = target.bucketOffset(hashPrefix);
      if (place(targetSlots, bucket, hashPrefix, group, slot & ROW_MASK)) {
        placed++;
      } else {
        overflow.entry((long) hashPrefix << HashIndexLayout.PREFIX_SHIFT | group, slot & ROW_MASK);
      }
    }
    target.entryCount += placed;
  }

  /** Puts a new entry into the first empty slot; false where there is none. */
  private static boolean place(
      MemorySegment slots, long bucket, int hashPrefix, int group, long rowPlusOne) {
    for (int step = 0; step < STEPS; step++) {
      long at = bucket + (long) ((group + step) & (BUCKET_GROUPS - 1)) * GROUP_BYTES;
      for (int i = 0; i < GROUP_SLOTS; i++) {
        if (slots.get(JAVA_LONG, at + i * 8L) == 0) {
          long tag = HashIndexLayout.tag(hashPrefix, step);
          slots.set(JAVA_LONG, at + i * 8L, tag << STEP_SHIFT | rowPlusOne);
          return true;
        }
      }
    }
    return false;
  }

  /** Takes an entry that found no place in a page. */
  interface OverflowSink {
    void entry(long hash, long rowPlusOne);
  }

  /** What is wrong with the page: entries out of place, or that no look-up would reach. */
  void check(String place, Consumer<String> problems) {
    long[] slots = chunk.read().toArray(JAVA_LONG);
    long found = 0;
    for (int i = 0; i < slots.length; i++) {
      long slot = slots[i];
      found += slot != 0 ? 1 : 0;
      if (slot != 0 && slot != TOMBSTONE) {
        String wrong = wrong(slots, i * 8L, slot);
        if (!wrong.isEmpty()) {
          problems.accept(page(place) + " " + wrong + ": offset=" + i * 8L);
          return;
        }
      }
    }
    if (found != entryCount) {
      problems.accept("%s says entries=%d, holds %d".formatted(page(place), entryCount, found));
    }
  }

  private String page(String place) {
    return "%s: page prefix=%d depth=%d".formatted(place, prefix, depth);
  }

  private String wrong(long[] slots, long at, long slot) {
    int hashPrefix = (int) (slot >>> HashIndexLayout.PREFIX_SHIFT);
    if ((slot & ROW_MASK) == 0) {
      return "has an entry without a row";
    }
    if (hashPrefix >>> (PREFIX_BITS - depth) != prefix
        || at / BUCKET_BYTES * BUCKET_BYTES != bucketOffset(hashPrefix)) {
      return "has an entry of another bucket, prefix=" + hashPrefix;
    }
    int step = (int) (slot >>> STEP_SHIFT) & (STEPS - 1);
    int group = (int) (at / GROUP_BYTES) & (BUCKET_GROUPS - 1);
    long bucket = bucketOffset(hashPrefix);
    for (int before = 1; before <= step; before++) {
      long line = bucket + (long) ((group - before) & (BUCKET_GROUPS - 1)) * GROUP_BYTES;
      for (int i = 0; i < GROUP_SLOTS; i++) {
        if (slots[(int) (line / 8) + i] == 0) {
          return "has an entry behind an empty slot";
        }
      }
    }
    return "";
  }
}
