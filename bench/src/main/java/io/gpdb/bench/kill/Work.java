package io.gpdb.bench.kill;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What one transaction does. It follows from the run's seed, the worker and the transaction's
 * number alone, so the parent knows what a killed child was about to write.
 */
sealed interface Work {
  int ACCOUNTS = 2_000;
  int SLOTS = 12;

  /** Rows of one slot stay below this, so that worker, slot and place follow from an id. */
  int SLOT_ROWS_MAX = 1 << 18;

  /** Only the worker's row of {@code progress}, in one statement that commits itself. */
  record Tick() implements Work {}

  /** Money moved between accounts, each transfer in the journal too. */
  record Transfers(List<Transfer> transfers, boolean batch) implements Work {}

  record Transfer(int source, int target, long amount) {}

  /** All rows of a slot deleted and others inserted under the same ids. */
  record Rewrite(int slot, int rows) implements Work {}

  /** A value of all rows of a slot changed by one statement. */
  record Touch(int slot, long added) implements Work {}

  /** The unique text of a slot's first rows changed, row by row in a batch. */
  record Rename(int slot, int rows) implements Work {}

  /** A column of all the worker's rows of a large table changed by one statement. */
  record Widen() implements Work {}

  /** The worker's own table made and filled, or dropped when it is there. */
  record Toggle() implements Work {}

  /** A column with a default and an index added to the worker's own table, or dropped again. */
  record Reshape() implements Work {}

  /** The worker's table of chunks filled by one batch where it is empty, truncated where not. */
  record Fill(int rows) implements Work {}

  /** The next step of the worker's own schema. */
  record Structure() implements Work {}

  static Work of(long seed, int worker, long n) {
    SplittableRandom random = random(seed, worker, n);
    int kind = random.nextInt(100);
    if (kind < 10) {
      return new Tick();
    }
    if (kind < 35) {
      return transfers(random, 1 + random.nextInt(4), 1, 0, false);
    }
    if (kind < 44) {
      return transfers(random, 16 + random.nextInt(200), KillWorkload.WORKERS, worker, true);
    }
    if (kind < 58) {
      return rewrite(random);
    }
    if (kind < 63) {
      return new Touch(random.nextInt(SLOTS), 1 + random.nextInt(1000));
    }
    if (kind < 68) {
      return new Rename(random.nextInt(SLOTS), 1 + random.nextInt(200));
    }
    return ofTables(kind, random);
  }

  private static Work ofTables(int kind, SplittableRandom random) {
    if (kind < 71) {
      return new Widen();
    }
    if (kind < 89) {
      return new Fill(50 + random.nextInt(2000));
    }
    if (kind < 92) {
      return new Toggle();
    }
    return kind < 94 ? new Reshape() : new Structure();
  }

  /** For choices about the transaction that do not change what it leaves. */
  static SplittableRandom noise(long seed, int worker, long n) {
    return random(~seed, worker, n);
  }

  private static SplittableRandom random(long seed, int worker, long n) {
    return new SplittableRandom(new SplittableRandom(seed + worker).nextLong() + n).split();
  }

  /** Accounts congruent to {@code first} modulo {@code step}: workers of one step never meet. */
  private static Work transfers(
      SplittableRandom random, int count, int step, int first, boolean batch) {
    List<Transfer> transfers = new ArrayList<>();
    int accounts = ACCOUNTS / step;
    for (int i = 0; i < count; i++) {
      int source = random.nextInt(accounts);
      int target = (source + 1 + random.nextInt(accounts - 1)) % accounts;
      transfers.add(
          new Transfer(source * step + first, target * step + first, 1 + random.nextInt(500)));
    }
    return new Transfers(transfers, batch);
  }

  private static Work rewrite(SplittableRandom random) {
    int size = random.nextInt(100);
    if (size == 0) {
      // One slot alone grows beyond a tablet, so that the table stays small enough to verify.
      return new Rewrite(0, 66_000 + random.nextInt(10_000));
    }
    int rows = size < 10 ? 1_000 + random.nextInt(5_000) : random.nextInt(60);
    return new Rewrite(random.nextInt(SLOTS), rows);
  }
}
