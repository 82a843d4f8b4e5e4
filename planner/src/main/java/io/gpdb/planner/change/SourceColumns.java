package io.gpdb.planner.change;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.expression.StringDomain;
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
   * All rows that exist.
   *
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
    Field values = new Field(batch, field, from, target, buffer, column, strings, dictionary);
    int n = batch.rows();
    int at = 0;
    for (int row = 0; row < n; row++) {
      StopSignal.poll(row);
      if (batch.isLive(row)) {
        values.assign(row, at, before + at + 1);
        at++;
      }
    }
  }

  /**
   * Some rows.
   *
   * @param chosen the rows, as many as there are numbers
   * @param numbers of the rows, for messages
   */
  static void convertChosen(
      Batch batch,
      int[] chosen,
      int[] numbers,
      int field,
      SqlTypeSpec from,
      ColumnTarget target,
      RowBuffer buffer,
      int column,
      SourceChange.Strings strings,
      @Nullable CodedStrings dictionary) {
    Field values = new Field(batch, field, from, target, buffer, column, strings, dictionary);
    for (int i = 0; i < numbers.length; i++) {
      StopSignal.poll(i);
      values.assign(chosen[i], i, numbers[i]);
    }
  }

  /** One field, and where its values go. */
  private static final class Field {
    private final HostBuffer values;
    private final @Nullable HostBuffer validity;
    private final @Nullable StringDomain domain;
    private final ElementType element;
    private final SqlTypeSpec from;
    private final ColumnTarget target;
    private final RowBuffer buffer;
    private final int column;
    private final SourceChange.Strings strings;
    private final @Nullable CodedStrings dictionary;

    Field(
        Batch batch,
        int field,
        SqlTypeSpec from,
        ColumnTarget target,
        RowBuffer buffer,
        int column,
        SourceChange.Strings strings,
        @Nullable CodedStrings dictionary) {
      values = batch.values(field).onHost();
      DeviceBuffer bits = batch.validity(field);
      validity = bits == null ? null : bits.onHost();
      domain = from.kind().isString() && batch.rows() > 0 ? batch.strings(field) : null;
      element = from.element();
      this.from = from;
      this.target = target;
      this.buffer = buffer;
      this.column = column;
      this.strings = strings;
      this.dictionary = dictionary;
    }

    void assign(int row, int at, long number) {
      if (validity != null && !Bitmaps.test(validity, row)) {
        target.requireNullable(number);
        buffer.setNull(column, at);
        return;
      }
      long raw = element.rawAt(values, row);
      if (domain == null) {
        buffer.set(column, at, target.assigned(from, raw, number));
      } else if (dictionary == null) {
        throw new IllegalStateException("a string for a column without strings");
      } else {
        buffer.set(column, at, strings.code(domain, (int) raw, target, dictionary, number));
      }
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
