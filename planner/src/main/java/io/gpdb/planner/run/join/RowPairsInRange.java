package io.gpdb.planner.run.join;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.OrderWords;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.StopSignal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Each row of a batch with the rows of a block that are within its range. */
final class RowPairsInRange implements RowPairs {
  private static final int ROOM_FIRST = 1 << 10;

  private final Batch batch;
  private final List<SqlTypeSpec> types;
  private final PairRanges ranges;
  private final RangeIndex index;
  private final int pairsMax;
  private int row;

  /** How many rows of the block were found for the row; {@code taken} of them came already. */
  private int found;

  private int taken;
  private int count;
  private int[] streamed;
  private int[] held;

  /**
   * @param types of the batch's fields
   * @param ranges of the block's rows as left ones, the batch's as right ones
   */
  RowPairsInRange(
      Batch batch, List<SqlTypeSpec> types, PairRanges ranges, RangeIndex index, int pairsMax) {
    this.batch = batch;
    this.types = types;
    this.ranges = ranges;
    this.index = index;
    this.pairsMax = pairsMax;
    streamed = new int[Math.min(ROOM_FIRST, pairsMax)];
    held = new int[streamed.length];
  }

  @Override
  public boolean advance() {
    count = 0;
    while (count < pairsMax && row < batch.rows()) {
      StopSignal.poll(row);
      if (taken == found) {
        found = find();
        taken = 0;
      }
      int some = Math.min(found - taken, pairsMax - count);
      makeRoom(count + some);
      Arrays.fill(streamed, count, count + some, row);
      System.arraycopy(index.found(), taken, held, count, some);
      count += some;
      taken += some;
      if (taken == found) {
        row++;
      }
    }
    return count > 0;
  }

  private void makeRoom(int pairs) {
    if (pairs > streamed.length) {
      int room = Math.min(pairsMax, Math.max(pairs, 2 * streamed.length));
      streamed = Arrays.copyOf(streamed, room);
      held = Arrays.copyOf(held, room);
    }
  }

  private int find() {
    PairRanges.Order atMost = ranges.atMost();
    PairRanges.Order atLeast = ranges.atLeast();
    if (isNull(atMost) || isNull(atLeast)) {
      return 0;
    }
    return index.find(
        atMost == null ? 0 : word(atMost.right()), atLeast == null ? 0 : word(atLeast.right()));
  }

  private boolean isNull(PairRanges.@Nullable Order order) {
    return order != null && batch.isNull(order.right(), row);
  }

  private long word(int field) {
    SqlTypeSpec type = types.get(field);
    return OrderWords.word(type, type.element().rawAt(batch.hostValues(field), row));
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int[] streamed() {
    return streamed;
  }

  @Override
  public int[] held() {
    return held;
  }
}
