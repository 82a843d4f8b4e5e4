package io.gpdb.exec.library.key;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;

/**
 * Numbers the distinct keys from 0 on: a key's number is its group. Called by {@code GridGroupBy}
 * and {@link GridHashJoin}; grows. Used by one thread at a time.
 *
 * <p>An open-addressing table of i64 slots, linear probing, 0 = empty:
 *
 * <pre>
 *   63          33 32 31     30            0
 *   | hash high  | 1 | staged | group or row |
 * </pre>
 *
 * <p>A batch goes in by three launches, so that no lane waits for another. <i>Staged</i>: the
 * caller has written the rows' key words, row by row. <i>Probed</i>: each row looks its slot up
 * and, where it is empty, claims it by one compare-and-swap with its own row number; keys are
 * compared with those of earlier launches or with staged rows, both complete. <i>Settled</i>: each
 * row that claimed a slot gets the next group number, and its key moves to the store. Group numbers
 * depend on which row won, so results are ordered by the groups' first rows.
 */
public final class GroupTable implements AutoCloseable {
  /** In {@code slotOf}: the row takes no part. */
  static final int NO_SLOT = -1;

  /** In {@code slotOf}: the row is staged and waits for its slot. */
  public static final int STAGED = -2;

  /** Groups of one table: slot numbers are i32. */
  static final int GROUPS_MAX = 1 << 29;

  private final GroupTableKernels kernels;
  private final int words;
  private final Scratch scratch = new Scratch();
  private DeviceBuffer slots;
  private int capacity;
  private DeviceBuffer keys;
  private int keysCapacity;
  private int groups;

  public GroupTable(GroupTableKernels kernels, int words) {
    this.kernels = kernels;
    this.words = words;
    slots = HostBuffer.NONE;
    keys = HostBuffer.NONE;
  }

  public int groups() {
    return groups;
  }

  public int capacity() {
    return capacity;
  }

  /** i64 per slot; the low 31 bits are the group. */
  public DeviceBuffer slots() {
    return slots.slice(0, (long) capacity << 3);
  }

  /** Key words of group g: elements g*words and on. */
  public DeviceBuffer keys() {
    return keys;
  }

  /**
   * Finds or makes the groups of a batch.
   *
   * @param staged key words of row r: elements r*words and on
   * @param slotOf i32 per row, {@link #STAGED} or {@link #NO_SLOT}; receives the slots
   */
  public void assign(DeviceBuffer staged, DeviceBuffer slotOf, int rows) {
    if (rows == 0) {
      return;
    }
    reserve((long) groups + rows);
    try (Scratch local = new Scratch()) {
      DeviceBuffer winners = local.ints(rows);
      DeviceBuffer winnerCount = local.ints(1);
      winnerCount.fill((byte) 0);
      LoadedKernel probe = kernels.probe(words);
      Arguments probing =
          new Arguments(probe.kernel())
              .scalar(GroupTableKernels.ROWS, rows)
              .scalar(GroupTableKernels.SLOT_MASK, capacity - 1)
              .buffer(GroupTableKernels.SLOT_OF, slotOf)
              .buffer(GroupTableKernels.STAGED, staged)
              .buffer(GroupTableKernels.SLOTS, slots())
              .buffer(GroupTableKernels.KEYS, keys)
              .buffer(GroupTableKernels.WINNERS, winners)
              .buffer(GroupTableKernels.WINNER_COUNT, winnerCount);
      KernelLibrary.launch(probe, blocks(rows), probing);
      int added = winnerCount.onHost().intAt(0);
      if (added > 0) {
        settle(staged, slotOf, winners, added);
      }
    }
  }

  private void settle(DeviceBuffer staged, DeviceBuffer slotOf, DeviceBuffer winners, int n) {
    LoadedKernel settle = kernels.settle(words);
    Arguments settling =
        new Arguments(settle.kernel())
            .scalar(GroupTableKernels.WINNERS_COUNT, n)
            .scalar(GroupTableKernels.GROUPS, groups)
            .buffer(GroupTableKernels.WINNERS, winners)
            .buffer(GroupTableKernels.SLOT_OF, slotOf)
            .buffer(GroupTableKernels.STAGED, staged)
            .buffer(GroupTableKernels.SLOTS, slots())
            .buffer(GroupTableKernels.KEYS, keys);
    KernelLibrary.launch(settle, blocks(n), settling);
    groups += n;
  }

  /** Makes an empty table that can be looked up in. */
  public void prepare() {
    reserve(1);
  }

  /** Makes room for that number of groups: a load factor of at most 2/3. */
  private void reserve(long count) {
    if (count > GROUPS_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED, "groups: count=" + count + ", limit=" + GROUPS_MAX);
    }
    if (count > keysCapacity) {
      growKeys(count);
    }
    if (count * 3 / 2 > capacity) {
      int larger = Math.max(1024, Integer.highestOneBit((int) (count * 3 / 2)) << 1);
      DeviceBuffer old = slots;
      slots = scratch.atLeast((long) larger << 3);
      capacity = larger;
      slots().fill((byte) 0);
      rehash();
      scratch.release(old);
    }
  }

  private void growKeys(long count) {
    DeviceBuffer old = keys;
    DeviceBuffer larger = scratch.atLeast(count * words * Long.BYTES);
    larger.copyFrom(old, 0, 0, (long) groups * words * Long.BYTES);
    keys = larger;
    keysCapacity = (int) Math.min(GROUPS_MAX, larger.bytes() / Long.BYTES / words);
    scratch.release(old);
  }

  private void rehash() {
    if (groups == 0) {
      return;
    }
    LoadedKernel insert = kernels.insert(words);
    Arguments inserting =
        new Arguments(insert.kernel())
            .scalar(GroupTableKernels.GROUPS, groups)
            .scalar(GroupTableKernels.SLOT_MASK, capacity - 1)
            .buffer(GroupTableKernels.KEYS, keys)
            .buffer(GroupTableKernels.SLOTS, slots());
    KernelLibrary.launch(insert, blocks(groups), inserting);
  }

  /** Writes each row's group (i32, -1 for rows without a slot). */
  public void resolve(DeviceBuffer slotOf, int rows, DeviceBuffer groupOf) {
    LoadedKernel resolve = kernels.resolve();
    Arguments arguments =
        new Arguments(resolve.kernel())
            .scalar(GroupTableKernels.ROWS, rows)
            .buffer(GroupTableKernels.SLOT_OF, slotOf)
            .buffer(GroupTableKernels.SLOTS, slots())
            .buffer(GroupTableKernels.GROUP_OF, groupOf);
    KernelLibrary.launch(resolve, blocks(rows), arguments);
  }

  private static int blocks(int n) {
    return LaneKernels.blocks(n, GroupTableKernels.BLOCK_LANES);
  }

  @Override
  public void close() {
    scratch.close();
  }
}
