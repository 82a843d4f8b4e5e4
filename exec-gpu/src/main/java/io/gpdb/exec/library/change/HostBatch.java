package io.gpdb.exec.library.change;

import static io.gpdb.exec.library.change.HostColumn.host;
import static io.gpdb.exec.library.change.HostColumn.isHosts;

import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs.Column;
import io.gpdb.storage.column.RowWords;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel of a {@link GridApplyBatch} does, in plain loops: for batches of some thousand
 * rows in the host's memory whose new values are there, or sums of the old ones and what is there,
 * and none NULL. A launch's preparation, and a kernel that was not compiled yet, take longer than
 * they do.
 *
 * <p>All columns of all groups are captured and logged before the first one is stored: whatever
 * fails has changed nothing. So a sum beyond its type is left to the kernel, which traps.
 */
final class HostBatch {
  /** More rows are worth the device's other threads. */
  static final int ROWS_MAX = 1 << 15;

  private HostBatch() {}

  /** Captures, logs where there are logs, and stores; false where a kernel has to. */
  static boolean redo(
      List<GridApplyBatch.Target> targets, LaneBindings bindings, List<BatchRows> groups) {
    if (!takes(targets, bindings, groups)) {
      return false;
    }
    List<HostColumn> prepared = new ArrayList<>(groups.size() * targets.size());
    @Nullable RowWords[] shared = shared(targets, bindings, groups);
    for (BatchRows group : groups) {
      int[] rows = HostColumn.ints(host(group.rows), group.n);
      int[] positions = HostColumn.ints(host(group.positions), group.n);
      for (int c = 0; c < targets.size(); c++) {
        GridApplyBatch.Target target = targets.get(c);
        int width = target.element().bytes();
        HostColumn column = new HostColumn(width, rows, host(group.columnValues[c]));
        RowWords given = given(target, shared[c], bindingsOf(group, bindings), positions);
        RowWords values = values(target, given, column.old());
        if (values == null) {
          return false;
        }
        column.prepare(values, host(group.undoValues[c]), group.logs[c]);
        prepared.add(column);
      }
    }
    prepared.forEach(HostColumn::store);
    return true;
  }

  /**
   * By target: all values of the column that is read, where the groups share it and need no small
   * part of it. One copy of all costs less than a call of the buffer for each that is needed.
   */
  private static @Nullable RowWords[] shared(
      List<GridApplyBatch.Target> targets, LaneBindings bindings, List<BatchRows> groups) {
    @Nullable RowWords[] shared = new @Nullable RowWords[targets.size()];
    long rows = 0;
    for (BatchRows group : groups) {
      if (group.own != null) {
        return shared;
      }
      rows += group.n;
    }
    for (int c = 0; c < shared.length; c++) {
      Column read = read(targets.get(c));
      if (read != null) {
        HostBuffer values = host(bindings.values(read.number()));
        int width = targets.get(c).element().bytes();
        long n = values.bytes() / width;
        shared[c] = n > 2 * rows ? null : new RowWords(width, (int) n).read(values);
      }
    }
    return shared;
  }

  /** The values of the column that is read, at the positions; null where none is read. */
  private static @Nullable RowWords given(
      GridApplyBatch.Target target,
      @Nullable RowWords shared,
      LaneBindings bindings,
      int[] positions) {
    Column read = read(target);
    if (read == null) {
      return null;
    }
    RowWords values = new RowWords(target.element().bytes(), positions.length);
    return shared == null
        ? values.read(host(bindings.values(read.number())), positions)
        : values.pick(shared, positions);
  }

  /** The new values; null where a sum is beyond its type. */
  private static @Nullable RowWords values(
      GridApplyBatch.Target target, @Nullable RowWords given, RowWords old) {
    GridApplyBatch.Sum sum = target.sum();
    if (sum == null) {
      return given;
    }
    RowWords values = given;
    if (values == null) {
      values = new RowWords(target.element().bytes(), old.n());
      values.fill(sum.number());
    }
    return values.addTo(old, sum.minus()) ? values : null;
  }

  private static LaneBindings bindingsOf(BatchRows group, LaneBindings bindings) {
    LaneBindings own = group.own;
    return own == null ? bindings : own;
  }

  /** The column of the batch that is the new values, or is added to the old ones. */
  private static @Nullable Column read(GridApplyBatch.Target target) {
    GridApplyBatch.Sum sum = target.sum();
    return sum == null ? target.given() : sum.operand();
  }

  private static boolean takes(
      List<GridApplyBatch.Target> targets, LaneBindings bindings, List<BatchRows> groups) {
    long rows = 0;
    for (BatchRows group : groups) {
      rows += group.n;
      if (rows > ROWS_MAX || !isHosts(group.rows) || !isHosts(group.positions)) {
        return false;
      }
      LaneBindings bound = bindingsOf(group, bindings);
      for (int c = 0; c < targets.size(); c++) {
        if (!isThere(targets.get(c), bound)
            || !isHosts(group.columnValues[c])
            || group.columnValidity[c] != null
            || !isHosts(group.undoValues[c])
            || !isHosts(group.logs[c])) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether the new values, or what they are computed of, are in the host's memory. */
  private static boolean isThere(GridApplyBatch.Target target, LaneBindings bound) {
    Column read = read(target);
    return read == null
        ? target.sum() != null
        : isHosts(bound.values(read.number())) && bound.validity(read.number()) == null;
  }
}
