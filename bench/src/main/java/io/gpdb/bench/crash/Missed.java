package io.gpdb.bench.crash;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashImage;
import io.gpdb.simulation.medium.CrashPoint;
import io.gpdb.storage.column.KeyHash;
import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.storage.memory.PersistentMemory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * What acts that were left out would have made durable, and the images of a crash that show it
 * best: those in which just that is lost.
 */
final class Missed {
  /** Only the last ones: what came before has shown itself, or is durable by other acts. */
  private static final int RANGES_MAX = 256;

  private static final int WAYS = 11;
  private static final int WORD_SHIFT = 3;

  private final List<Range> flushed = new ArrayList<>();
  private final List<Range> ranges = new ArrayList<>();
  private final Set<PersistentMemory> memories = Collections.newSetFromMap(new IdentityHashMap<>());
  private boolean sizes;
  private boolean names;
  private long count;

  private record Range(PersistentMemory memory, long offset, long bytes) {
    boolean holds(String name, long at) {
      return at >= offset && at - offset < bytes && memory.name().equals(name);
    }
  }

  private static Range lines(PersistentMemory memory, long offset, long bytes) {
    long first = offset / PersistCounters.LINE_BYTES * PersistCounters.LINE_BYTES;
    return new Range(memory, first, offset + bytes - first);
  }

  /** What the next drain of the memory is about. */
  synchronized void flushed(PersistentMemory memory, long offset, long bytes) {
    flushed.add(lines(memory, offset, bytes));
  }

  synchronized void drained(PersistentMemory memory) {
    flushed.removeIf(range -> range.memory.equals(memory));
  }

  synchronized void flush(PersistentMemory memory, long offset, long bytes) {
    ranges.add(lines(memory, offset, bytes));
    memories.add(memory);
    missed();
  }

  synchronized void drain(PersistentMemory memory) {
    flushed.stream().filter(range -> range.memory.equals(memory)).forEach(ranges::add);
    memories.add(memory);
    sizes = true;
    missed();
  }

  synchronized void syncOfNames() {
    names = true;
    missed();
  }

  private void missed() {
    if (ranges.size() > RANGES_MAX) {
      ranges.subList(0, ranges.size() - RANGES_MAX).clear();
    }
    count++;
  }

  /** How many acts were left out. */
  synchronized long count() {
    return count;
  }

  private synchronized boolean holds(String memory, long offset) {
    if (offset == CrashChoice.NAMES_OFFSET) {
      return names;
    }
    if (offset == CrashChoice.SIZE_OFFSET) {
      return sizes && holdsAllOf(memory);
    }
    for (Range range : ranges) { // asked for each word of each image
      if (range.holds(memory, offset)) {
        return true;
      }
    }
    return false;
  }

  private synchronized boolean holdsAllOf(String memory) {
    return memories.stream().anyMatch(m -> m.name().equals(memory));
  }

  /** Whether a crash at the point may lose something of it. */
  boolean isPending(CrashPoint point) {
    CrashImage all = point.image((memory, offset, candidates) -> candidates - 1);
    return point.image(choices(0).getFirst()).hash() != all.hash();
  }

  /**
   * Images of a point, the most telling first: what was missed is lost and all else is there; the
   * whole memory is lost that it is of; all is lost; all is lost but what was missed; parts of it,
   * by coins and by runs.
   */
  List<CrashChoice> choices(long seed) {
    List<CrashChoice> choices = new ArrayList<>();
    for (int way = 0; way < WAYS; way++) {
      int chosen = way;
      long salt = KeyHash.combine(KeyHash.hash(seed), way);
      choices.add(
          (memory, offset, candidates) ->
              survivor(
                  chosen,
                  salt,
                  chosen == 1 ? holdsAllOf(memory) : holds(memory, offset),
                  memory,
                  offset,
                  candidates));
    }
    return choices;
  }

  private static int survivor(
      int way, long salt, boolean missed, String memory, long offset, int candidates) {
    int newest = candidates - 1;
    long word = KeyHash.combine(salt, KeyHash.combine(memory.hashCode(), offset));
    // Words next to each other, enough that one of the powers of two fits what was missed.
    int runShift = WORD_SHIFT + 1 + (int) (salt & 7);
    long run = KeyHash.combine(salt, KeyHash.combine(memory.hashCode(), offset >> runShift));
    int coin = (int) Long.remainderUnsigned(word, candidates);
    boolean heads = (run & 1) == 0;
    return switch (way) {
      case 0, 1 -> missed ? 0 : newest;
      case 2 -> 0;
      case 3 -> missed ? newest : 0;
      case 4, 5 -> missed ? coin : newest;
      case 6, 7 -> missed && heads ? 0 : newest;
      case 8 -> missed && !heads ? newest : 0;
      case 9 -> missed ? 0 : coin;
      default -> coin;
    };
  }
}
