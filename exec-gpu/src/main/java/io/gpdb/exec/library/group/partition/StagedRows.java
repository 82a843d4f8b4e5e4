package io.gpdb.exec.library.group.partition;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows with a place each and, column by column, what aggregates read of them.
 *
 * @param places i32 of each row; its word, once the row is in its partition
 * @param nulls of each row, which nullable arguments are NULL; null where none may be
 * @param arguments one for each argument of the layout
 */
record StagedRows(HostBuffer places, @Nullable Column nulls, List<Column> arguments) {
  /**
   * Values of all rows.
   *
   * @param isWide whether they have 64 bits, not 32
   */
  record Column(HostBuffer values, boolean isWide) {}

  static StagedRows of(AccumulatorLayout layout, long rows, Scratch scratch) {
    List<Column> arguments = new ArrayList<>();
    for (int i = 0; i < layout.arguments().size(); i++) {
      arguments.add(column(PartitionText.element(layout, i), rows, scratch));
    }
    boolean anyNulls = StageText.nullable(layout) > 0;
    return new StagedRows(
        scratch.ints(rows).onHost(),
        anyNulls ? column(Element.I32, rows, scratch) : null,
        arguments);
  }

  private static Column column(Element element, long rows, Scratch scratch) {
    DeviceBuffer values = scratch.allocate(rows * element.bytes());
    return new Column(values.onHost(), element.bytes() == Long.BYTES);
  }

  static int bytes(AccumulatorLayout layout) {
    int bytes = StageText.nullable(layout) > 0 ? 2 * Integer.BYTES : Integer.BYTES;
    for (int i = 0; i < layout.arguments().size(); i++) {
      bytes += PartitionText.element(layout, i).bytes();
    }
    return bytes;
  }

  /** What a row takes of the widest column. */
  static int columnBytes(AccumulatorLayout layout) {
    int bytes = Integer.BYTES;
    for (int i = 0; i < layout.arguments().size(); i++) {
      bytes = Math.max(bytes, PartitionText.element(layout, i).bytes());
    }
    return bytes;
  }

  /** All that moves with a row. */
  List<Column> columns() {
    List<Column> all = new ArrayList<>(arguments);
    if (nulls != null) {
      all.add(nulls);
    }
    return all;
  }
}
