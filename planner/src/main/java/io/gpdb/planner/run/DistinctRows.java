package io.gpdb.planner.run;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;

/**
 * A set of rows of words, outside the heap: the words of all rows one after the other, and a hash
 * table with linear probing of their numbers, at most half full. For one thread.
 */
final class DistinctRows implements AutoCloseable {
  private static final int ROOM_MIN = 64;
  private static final int SLOTS_OF_ROW = 2;

  /** A set that cannot have so many rows fails where it cannot grow. */
  private static final int ROOM_WANTED = 1 << 10;

  private final WordRow layout;
  private int room = ROOM_MIN;
  private int count;
  private BatchMemory memory = new BatchMemory();
  private HostBuffer words;
  private HostBuffer slots;

  DistinctRows(WordRow layout) {
    this.layout = layout;
    words = memory.pin(room * layout.bytes());
    slots = memory.pin((long) room * SLOTS_OF_ROW * Integer.BYTES);
    slots.fill((byte) 0);
  }

  int count() {
    return count;
  }

  /** Whether there is room for one more row, or memory for more room. */
  boolean hasRoom() {
    return count < room || grow();
  }

  /** Adds a row; false where the set has it. There is room. */
  boolean add(long[] row) {
    int slot = slot(row);
    if (slots.intAt(slot) != 0) {
      return false;
    }
    words.write((long) count * layout.width(), row, 0, layout.width());
    slots.setInt(slot, ++count);
    return true;
  }

  void read(int number, long[] row) {
    layout.read(words, number, row);
  }

  /** The words of all rows, in the order in which they came. */
  HostBuffer words() {
    return words;
  }

  /** Moves all rows to a run. */
  RowRun written() {
    RowRun run = RowRun.of(layout, words, count, slots);
    count = 0;
    slots.fill((byte) 0);
    return run;
  }

  /** The slot of the row, or the free one where it belongs. */
  private int slot(long[] row) {
    int mask = room * SLOTS_OF_ROW - 1;
    int slot = (int) layout.hash(row) & mask;
    int found = slots.intAt(slot);
    while (found != 0 && !layout.isAt(words, found - 1, row)) {
      slot = slot + 1 & mask;
      found = slots.intAt(slot);
    }
    return slot;
  }

  /** Doubles the room; false where memory does not have it, or an operator's share of it. */
  private boolean grow() {
    MemoryAccount account = MemoryAccount.current();
    boolean canSpill = account.canSpill() && room >= ROOM_WANTED;
    long bytes = room * (layout.bytes() + SLOTS_OF_ROW * Integer.BYTES);
    if (canSpill && !account.hasRoomFor(2 * (2 * bytes) - bytes)) {
      return false;
    }
    if (room > HeldRows.ROWS_MAX / SLOTS_OF_ROW) {
      if (canSpill) {
        return false;
      }
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED, "rows held by one operator: rows=" + count + ", limit=" + room);
    }
    BatchMemory wider = new BatchMemory();
    try {
      HostBuffer more = wider.pin(2L * room * layout.bytes());
      HostBuffer wanted = wider.pin((long) room * 2 * SLOTS_OF_ROW * Integer.BYTES);
      more.copyFrom(words, 0, 0, count * layout.bytes());
      wanted.fill((byte) 0);
      memory.close();
      memory = wider;
      words = more;
      slots = wanted;
      room *= 2;
    } catch (RuntimeException | Error e) {
      wider.close();
      if (canSpill && e instanceof GpdbException g && g.code() == ErrorCode.OUT_OF_MEMORY) {
        return false;
      }
      throw e;
    }
    long[] row = new long[layout.width()];
    for (int i = 0; i < count; i++) {
      read(i, row);
      slots.setInt(slot(row), i + 1);
    }
    return true;
  }

  @Override
  public void close() {
    memory.close();
  }
}
