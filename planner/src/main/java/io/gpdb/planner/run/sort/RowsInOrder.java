package io.gpdb.planner.run.sort;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Rows in a temporary file that are read in an order: sorted in runs, or, where there are no keys,
 * as they come. Their last field may be their number, by which what the keys leave open is in the
 * order of the input whenever the rows are sorted again.
 */
final class RowsInOrder implements AutoCloseable {
  private final Execution x;
  private final BitSet fields;
  private final int number;
  private final GridGather gather;
  private final @Nullable RowOrder order;
  private final @Nullable SortedRuns runs;
  private final @Nullable SpilledRows unsorted;
  private final List<Range> ranges = new ArrayList<>();
  private final long rowBytes;
  private final long sortBytes;
  private long rows;

  /**
   * @param types of all fields, the last of which is for the number
   * @param fields that the rows have
   * @param keys by which they are sorted, those of the number among them
   */
  RowsInOrder(
      Device device,
      RexBuilder rexBuilder,
      Execution x,
      List<SqlTypeSpec> types,
      BitSet fields,
      List<RelFieldCollation> keys,
      String name) {
    this.x = x;
    this.fields = fields;
    number = types.size() - 1;
    gather = new GridGather(device);
    rowBytes = new HeldRows(types, fields).rowBytes();
    sortBytes = SortSource.workBytes(rowBytes, keys.size());
    order = keys.isEmpty() ? null : new RowOrder(device, rexBuilder, types, keys, name);
    runs = order == null ? null : new SortedRuns(types, fields, order);
    unsorted = order == null ? new SpilledRows(types, fields) : null;
  }

  /** The types of rows with these fields and a number. */
  static List<SqlTypeSpec> withNumber(List<SqlTypeSpec> types) {
    List<SqlTypeSpec> all = new ArrayList<>(types);
    all.add(SqlTypeSpec.BIGINT);
    return all;
  }

  BitSet fields() {
    return fields;
  }

  long rowBytes() {
    return rowBytes;
  }

  /** What a row takes while it is sorted. */
  long sortBytes() {
    return sortBytes;
  }

  /** Takes over the rows that are held, which are the next of the input; they get numbers here. */
  void addNumbered(HeldRows held) {
    held.leaveInParts(
        sortBytes,
        part -> {
          if (fields.get(number)) {
            part.set(number, numbers(part), null);
          }
          add(part);
          rows += part.rows();
        });
  }

  private HostBuffer numbers(DenseBatch part) {
    HostBuffer numbers = part.memory().pin((long) part.rows() * Long.BYTES);
    for (int row = 0; row < part.rows(); row++) {
      numbers.setLong(row, rows + row);
    }
    return numbers;
  }

  /** Adds rows, which stay the caller's. */
  void add(DenseBatch part) {
    if (runs != null) {
      runs.add(x, part, gather);
    } else if (unsorted != null) {
      ranges.add(unsorted.write(part));
    }
  }

  /** All rows, when all were added; this is closed with them. */
  Batches sorted() {
    if (order != null && runs != null) {
      return runs.merged(order.binding(x), sortBytes, 0, Long.MAX_VALUE);
    }
    return Objects.requireNonNull(unsorted).rowsAndEnd(ranges, HeldRows.rowsToRead(rowBytes));
  }

  @Override
  public void close() {
    if (runs != null) {
      runs.close();
    }
    if (unsorted != null) {
      unsorted.close();
    }
  }
}
