package io.gpdb.planner.change;

import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.run.Batch;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import org.jspecify.annotations.Nullable;

/** Store assignment of one field of a batch into one column of a buffer. */
final class SourceColumns {
  private SourceColumns() {}

  /**
   * @param before rows of the statement before this batch, for messages
   */
  static void convert(
      Batch batch,
      int field,
      SqlTypeSpec from,
      ColumnTarget target,
      RowBuffer buffer,
      int column,
      SourceChange.Strings strings,
      @Nullable CodedStrings dictionary,
      long before) {
    int n = batch.rows();
    HostBuffer values = batch.values(field).onHost();
    ElementType element = from.element();
    DeviceBuffer bits = batch.validity(field);
    HostBuffer validity = bits == null ? null : bits.onHost();
    StringDomain domain = from.kind().isString() && n > 0 ? batch.strings(field) : null;
    int at = 0;
    for (int row = 0; row < n; row++) {
      StopSignal.poll(row);
      if (!batch.isLive(row)) {
        continue;
      }
      long number = before + at + 1;
      if (validity != null && !Bitmaps.test(validity, row)) {
        target.requireNullable(number);
        buffer.setNull(column, at);
      } else {
        long raw = element.rawAt(values, row);
        if (domain == null) {
          buffer.set(column, at, target.assigned(from, raw, number));
        } else if (dictionary == null) {
          throw new IllegalStateException("a string for a column without strings");
        } else {
          buffer.set(column, at, strings.code(domain, (int) raw, target, dictionary, number));
        }
      }
      at++;
    }
  }

  /** Rows of the batch that exist. */
  static int liveRows(Batch batch) {
    if (batch.live() == null) {
      return batch.rows();
    }
    int live = 0;
    for (int row = 0; row < batch.rows(); row++) {
      live += batch.isLive(row) ? 1 : 0;
    }
    return live;
  }
}
