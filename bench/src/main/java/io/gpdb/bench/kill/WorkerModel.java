package io.gpdb.bench.kill;

import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What the committed transactions of one worker have left behind. */
final class WorkerModel {
  static final int WIDE_ROWS = 25_000;
  static final int EXTRA_ROWS = 100;

  private final long seed;
  private final int worker;
  private final Slot[] slots = new Slot[Work.SLOTS];
  private long committed;
  private long widened;
  private long extraBorn;
  private long reshaped;
  private int chunkRows;
  private long chunkBorn;
  private long structured;
  private long journalRows;
  private long journalAmount;

  /** The rows of one slot; {@code named} holds for each row the transaction that named it. */
  private static final class Slot {
    private long born;
    private long added;
    private long[] named = {};
  }

  /** A row of {@code items} as it should be found. */
  record Item(long v, @Nullable String note, BigDecimal price, double ratio) {}

  WorkerModel(long seed, int worker) {
    this.seed = seed;
    this.worker = worker;
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new Slot();
    }
  }

  /** The number of the last committed transaction. */
  long committed() {
    return committed;
  }

  /** Takes in all transactions up to {@code n}; balances are shared by all workers. */
  void advance(long n, long[] balances) {
    while (committed < n) {
      committed++;
      apply(Work.of(seed, worker, committed), balances);
    }
  }

  private void apply(Work work, long[] balances) {
    switch (work) {
      case Work.Tick() -> {}
      case Work.Transfers transfers -> {
        for (Work.Transfer transfer : transfers.transfers()) {
          balances[transfer.source()] -= transfer.amount();
          balances[transfer.target()] += transfer.amount();
          journalRows++;
          journalAmount += transfer.amount();
        }
      }
      case Work.Rewrite(int number, int rows) -> {
        Slot slot = slots[number];
        slot.born = committed;
        slot.added = 0;
        slot.named = new long[rows];
        Arrays.fill(slot.named, committed);
      }
      case Work.Touch(int slot, long added) -> slots[slot].added += added;
      case Work.Rename(int number, int rows) -> {
        long[] named = slots[number].named;
        Arrays.fill(named, 0, Math.min(rows, named.length), committed);
      }
      case Work.Widen() -> widened++;
      case Work.Toggle() -> {
        extraBorn = extraBorn == 0 ? committed : 0;
        reshaped = 0;
      }
      case Work.Reshape() -> reshaped = extraBorn == 0 || reshaped != 0 ? 0 : committed;
      case Work.Fill(int rows) -> {
        chunkRows = chunkRows == 0 ? rows : 0;
        chunkBorn = committed;
      }
      case Work.Structure() -> structured++;
    }
  }

  long widened() {
    return widened;
  }

  /** The transaction that made the worker's own table; 0 while there is none. */
  long extraBorn() {
    return extraBorn;
  }

  /** The transaction that added a column to the worker's own table; 0 while it has none. */
  long reshaped() {
    return reshaped;
  }

  /** The rows of the worker's table of chunks. */
  int chunkRows() {
    return chunkRows;
  }

  /** The transaction that filled or truncated it. */
  long chunkBorn() {
    return chunkBorn;
  }

  /** The number of steps of the worker's own schema. */
  long structured() {
    return structured;
  }

  long journalRows() {
    return journalRows;
  }

  long journalAmount() {
    return journalAmount;
  }

  int slotRows(int slot) {
    return slots[slot].named.length;
  }

  Item item(int number, int row) {
    Slot slot = slots[number];
    Item fresh = freshItem(worker, slot.born, row);
    String note = fresh.note == null ? null : note(worker, slot.named[row], row);
    return new Item(fresh.v + slot.added, note, fresh.price, fresh.ratio);
  }

  static long itemId(int worker, int slot, int row) {
    return ((long) worker * Work.SLOTS + slot) * Work.SLOT_ROWS_MAX + row;
  }

  /** What transaction {@code born} inserts; each third row has no note. */
  static Item freshItem(int worker, long born, int row) {
    String note = row % 3 == 2 ? null : note(worker, born, row);
    return new Item(
        born * 1000 + row % 1000,
        note,
        BigDecimal.valueOf((born * 31 + row) % 10_000_000, 2),
        born / (row + 1.0));
  }

  static String note(int worker, long n, int row) {
    return worker + "/" + n + "/" + row;
  }
}
