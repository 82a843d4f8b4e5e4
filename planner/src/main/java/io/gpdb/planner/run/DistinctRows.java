package io.gpdb.planner.run;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.storage.column.KeyHash;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;

/**
 * A set of rows of a fixed number of words, outside the heap: the words of all rows one after the
 * other, and a hash table with linear probing of their numbers, at most half full. For one thread.
 */
final class DistinctRows implements AutoCloseable {
  private static final int ROOM_MIN = 64;
  private static final int SLOTS_OF_ROW = 2;

  private final int width;
  private int room = ROOM_MIN;
  private int count;
  private BatchMemory memory = new BatchMemory();
  private HostBuffer words;
  private HostBuffer slots;

  /**
   * @param width words of a row
   */
  DistinctRows(int width) {
    this.width = width;
    words = memory.pin((long) room * width * Long.BYTES);
    slots = memory.pin((long) room * SLOTS_OF_ROW * Integer.BYTES);
    slots.fill((byte) 0);
  }

  int count() {
    return count;
  }

  /** Adds a row; false where the set has it. */
  boolean add(long[] row) {
    int slot = slot(row);
    if (slots.intAt(slot) != 0) {
      return false;
    }
    if (count == room) {
      grow();
      slot = slot(row);
    }
    words.write((long) count * width, row, 0, width);
    slots.setInt(slot, ++count);
    return true;
  }

  /** The slot of the row, or the free one where it belongs. */
  private int slot(long[] row) {
    int mask = room * SLOTS_OF_ROW - 1;
    int slot = (int) hash(row) & mask;
    int found = slots.intAt(slot);
    while (found != 0 && !isAt(found - 1, row)) {
      slot = slot + 1 & mask;
      found = slots.intAt(slot);
    }
    return slot;
  }

  private static long hash(long[] row) {
    long hash = 0;
    for (long word : row) {
      hash = KeyHash.hash(hash * 31 + word);
    }
    return hash ^ hash >>> 32;
  }

  private boolean isAt(int number, long[] row) {
    for (int i = 0; i < width; i++) {
      if (words.longAt((long) number * width + i) != row[i]) {
        return false;
      }
    }
    return true;
  }

  private void grow() {
    if (room > HeldRows.ROWS_MAX / SLOTS_OF_ROW) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED, "rows held by one operator: rows=" + count + ", limit=" + room);
    }
    BatchMemory wider = new BatchMemory();
    try {
      HostBuffer more = wider.pin((long) room * 2 * width * Long.BYTES);
      HostBuffer wanted = wider.pin((long) room * 2 * SLOTS_OF_ROW * Integer.BYTES);
      more.copyFrom(words, 0, 0, (long) count * width * Long.BYTES);
      wanted.fill((byte) 0);
      memory.close();
      memory = wider;
      words = more;
      slots = wanted;
      room *= 2;
    } catch (RuntimeException | Error e) {
      wider.close();
      throw e;
    }
    long[] row = new long[width];
    for (int i = 0; i < count; i++) {
      words.read((long) i * width, row, 0, width);
      slots.setInt(slot(row), i + 1);
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
