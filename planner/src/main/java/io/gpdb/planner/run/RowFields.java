package io.gpdb.planner.run;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.RowsBuilder;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;

/**
 * Rows of fields as words that are equal where the rows are, for one thread.
 *
 * <pre>
 *   for each field     the bits of all values that are equal to its own, 0 for NULL
 *   for each 64        a bit for each field: set where it is NULL
 *   for each float     its own bits
 * </pre>
 *
 * A string's bits are its code among those of a builder.
 */
final class RowFields {
  private final SqlTypeSpec[] types;
  private final WordRow layout;

  /** By field, the word with its own bits. */
  private final int[] bits;

  RowFields(List<SqlTypeSpec> types) {
    this.types = types.toArray(SqlTypeSpec[]::new);
    int fields = types.size();
    int compared = fields + (fields - 1) / Long.SIZE + 1;
    int width = compared;
    bits = new int[fields];
    for (int i = 0; i < fields; i++) {
      bits[i] = this.types[i].element().isFloat() ? width++ : i;
    }
    layout = new WordRow(width, compared);
  }

  WordRow layout() {
    return layout;
  }

  long[] newRow() {
    return new long[layout.width()];
  }

  /**
   * Reads a row.
   *
   * @param strings takes its strings
   */
  void read(Batch from, int number, RowsBuilder strings, long[] row) {
    for (int i = 0; i < types.length; i++) {
      boolean isNull = from.isNull(i, number);
      long raw = isNull ? 0 : raw(i, from, number, strings);
      row[bits[i]] = raw;
      row[i] = types[i].element().keyOf(raw);
      int nulls = nulls(i);
      row[nulls] = isNull ? row[nulls] | 1L << i : row[nulls] & ~(1L << i);
    }
  }

  private int nulls(int field) {
    return types.length + field / Long.SIZE;
  }

  private long raw(int field, Batch from, int number, RowsBuilder strings) {
    long found = types[field].element().rawAt(from.hostValues(field), number);
    return types[field].kind().isString()
        ? strings.intern(field, from.strings(field).bytes((int) found))
        : found;
  }

  /**
   * Adds a row.
   *
   * @param strings has its strings
   */
  void add(long[] row, RowsBuilder strings, RowsBuilder to) {
    for (int i = 0; i < types.length; i++) {
      if ((row[nulls(i)] & 1L << i) != 0) {
        to.set(i, null);
      } else if (to != strings && types[i].kind().isString()) {
        to.setRaw(i, to.intern(i, strings.string(i, (int) row[i])));
      } else {
        to.setRaw(i, row[bits[i]]);
      }
    }
    to.endRow();
  }
}
