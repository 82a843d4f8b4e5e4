package io.gpdb.planner.run.sort;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rows in the order of a window, cut where partitions begin: slices of whole partitions, one after
 * the other, in memory where a partition has room there, else in a temporary file.
 */
final class WindowSlices implements AutoCloseable {
  private static final int ROWS_MIN = 1 << 10;
  private static final int ROWS_MAX = 1 << 20;

  /** A slice takes one part in this many of the operator's share. */
  private static final int SLICE_SHARE = 4;

  private final Batches sorted;
  private final List<SqlTypeSpec> types;
  private final BitSet fields;
  private final int[] partition;
  private final long workBytes;
  private final int rowsWanted;
  private final HeldRows held;

  /** Where in the held rows the last partition begins. */
  private long begin;

  /** What is there of a partition that memory has no room for. */
  private @Nullable SpilledRows file;

  private List<Range> ranges = new ArrayList<>();

  /** The partition's keys of the row that came last. */
  private final long[] lastKeys;

  private final boolean[] lastNulls;
  private boolean isFirst = true;

  /** Some whole partitions. */
  sealed interface Slice {
    /** In memory, with room for all fields. */
    record Held(DenseBatch rows) implements Slice {}

    /** In a temporary file. */
    record Spilled(SpilledRows file, List<Range> ranges) implements Slice {}
  }

  /**
   * @param sorted is closed with this
   * @param types of all fields
   * @param fields that the rows have
   * @param partition the fields that are equal in a partition
   * @param workBytes what a row takes in memory while its slice is worked on
   */
  WindowSlices(
      Batches sorted,
      List<SqlTypeSpec> types,
      BitSet fields,
      List<Integer> partition,
      long workBytes) {
    this.sorted = sorted;
    this.types = types;
    this.fields = fields;
    this.partition = partition.stream().mapToInt(Integer::intValue).toArray();
    this.workBytes = workBytes;
    rowsWanted = Math.clamp(HeldRows.rowsOfShare(workBytes) / SLICE_SHARE, ROWS_MIN, ROWS_MAX);
    held = new HeldRows(types, fields);
    lastKeys = new long[partition.size()];
    lastNulls = new boolean[partition.size()];
  }

  /** The next slice, which is the caller's; null where none is left. */
  @Nullable Slice next() {
    for (Batch batch = sorted.next(); batch != null; batch = sorted.next()) {
      Slice slice = added(batch);
      if (slice != null) {
        return slice;
      }
    }
    if (file != null) {
      return spilled();
    }
    if (held.rows() == 0) {
      return null;
    }
    Slice last = new Slice.Held(held.taken());
    held.clear();
    return last;
  }

  private @Nullable Slice added(Batch batch) {
    BitSet begins = begins(batch);
    if (file != null && begins.isEmpty()) {
      spill(batch);
      return null;
    }
    if (file != null) {
      int first = begins.nextSetBit(0);
      held.add(batch);
      if (first > 0) {
        spill(held.part(0, first));
      }
      keepFrom(first);
      begin = begins.length() - 1L - first;
      return spilled();
    }
    if (!begins.isEmpty()) {
      begin = held.rows() + begins.length() - 1;
    }
    held.add(batch);
    if (held.rows() < rowsWanted) {
      return null;
    }
    if (begin > 0) {
      DenseBatch slice = held.part(0, (int) begin);
      keepFrom(begin);
      begin = 0;
      return new Slice.Held(slice);
    }
    if (held.areTooMany(workBytes)) {
      file = new SpilledRows(types, fields);
      held.released().forEach(this::spill);
      held.clear();
    }
    return null;
  }

  private void keepFrom(long from) {
    DenseBatch rest = held.part(from, (int) (held.rows() - from));
    held.clear();
    held.add(rest);
  }

  private void spill(Batch batch) {
    try (batch) {
      ranges.add(Objects.requireNonNull(file).write(batch));
    }
  }

  private Slice spilled() {
    Slice slice = new Slice.Spilled(Objects.requireNonNull(file), ranges);
    file = null;
    ranges = new ArrayList<>();
    return slice;
  }

  /** The rows at which a partition begins, but for the first row of all. */
  private BitSet begins(Batch batch) {
    BitSet begins = new BitSet(batch.rows());
    for (int k = 0; k < partition.length; k++) {
      ElementType element = types.get(partition[k]).element();
      HostBuffer values = batch.hostValues(partition[k]);
      boolean nullBefore = lastNulls[k];
      long before = lastKeys[k];
      for (int row = 0; row < batch.rows(); row++) {
        boolean isNull = batch.isNull(partition[k], row);
        long key = isNull ? 0 : element.keyOf(element.rawAt(values, row));
        if (isNull != nullBefore || key != before) {
          begins.set(row);
        }
        nullBefore = isNull;
        before = key;
      }
      lastNulls[k] = nullBefore;
      lastKeys[k] = before;
    }
    if (isFirst && batch.rows() > 0) {
      begins.clear(0);
      isFirst = false;
    }
    return begins;
  }

  @Override
  public void close() {
    held.close();
    if (file != null) {
      file.close();
    }
    sorted.close();
  }
}
