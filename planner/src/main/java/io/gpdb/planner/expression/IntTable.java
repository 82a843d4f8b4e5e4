package io.gpdb.planner.expression;

import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import org.jspecify.annotations.Nullable;

/** Numbers by place, zero at first: in the heap, or outside until a statement's end. */
final class IntTable {
  private final @Nullable MemoryAccount account;
  private final int length;
  private final int[] heap;
  private final HostBuffer outside;

  /**
   * @param account of the statement; null for one in the heap
   */
  IntTable(int length, @Nullable MemoryAccount account) {
    this.account = account;
    this.length = length;
    heap = new int[account == null ? length : 0];
    outside = account == null ? HostBuffer.NONE : account.keep((long) length * Integer.BYTES);
    outside.fill((byte) 0);
  }

  int length() {
    return length;
  }

  int get(int place) {
    return heap.length > 0 ? heap[place] : outside.intAt(place);
  }

  void set(int place, int value) {
    if (heap.length > 0) {
      heap[place] = value;
    } else {
      outside.setInt(place, value);
    }
  }

  /** The same numbers, and zeros behind them, in place of this. */
  IntTable longer(int newLength, @Nullable MemoryAccount newAccount) {
    IntTable longer = new IntTable(newLength, newAccount);
    if (longer.heap.length > 0) {
      System.arraycopy(heap, 0, longer.heap, 0, length);
    } else if (heap.length > 0) {
      longer.outside.write(0, heap, 0, length);
    } else {
      longer.outside.copyFrom(outside, 0, 0, (long) length * Integer.BYTES);
    }
    give();
    return longer;
  }

  /** Its memory is not used any more. */
  void give() {
    if (account != null) {
      account.giveKept(outside);
    }
  }
}
