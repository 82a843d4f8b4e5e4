package io.gpdb.planner.query;

import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.txn.api.RowBlock;
import io.gpdb.txn.api.TableReader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One stored row, read column by column for expressions on the host; its last field is its id. */
public final class RowValues implements HostRow {
  private final TableDef table;
  private final TableReader reader;
  private final int[] columns;
  private final int[] positions;
  private final long[] values;
  private final boolean[] nulls;
  private final ParameterValues parameters;
  private long row = -1;

  /** {@code columns} are those that will be read, ascending. */
  public RowValues(TableDef table, TableReader reader, int[] columns, ParameterValues parameters) {
    this(table, reader, columns, positions(table, columns), parameters);
  }

  /**
   * As above.
   *
   * @param positions of the columns, as {@link #positions} returns them; not changed
   */
  RowValues(
      TableDef table,
      TableReader reader,
      int[] columns,
      int[] positions,
      ParameterValues parameters) {
    this.table = table;
    this.reader = reader;
    this.columns = columns;
    this.positions = positions;
    this.parameters = parameters;
    values = new long[columns.length];
    nulls = new boolean[columns.length];
  }

  /** Of each column of the table its place among those that will be read, or -1. */
  static int[] positions(TableDef table, int[] columns) {
    int[] positions = new int[table.columns().size()];
    Arrays.fill(positions, -1);
    for (int i = 0; i < columns.length; i++) {
      positions[columns[i]] = i;
    }
    return positions;
  }

  /** Goes to a row; false when the reader does not see it. */
  public boolean moveTo(TableReader reader, long newRow) {
    row = newRow;
    return reader.read(newRow, columns, values, nulls);
  }

  /** Goes to a row that is read; false when the reader does not see it. */
  public boolean moveTo(RowBlock read, int place, long newRow) {
    row = newRow;
    return read.read(place, values, nulls);
  }

  /**
   * Goes to the row with that key; false when the reader sees none.
   *
   * @param keyAt where among the columns those of the index are, in its order
   */
  public boolean moveToKey(int indexOrdinal, long[] key, int[] keyAt) {
    row = reader.readByKey(indexOrdinal, key, keyAt, columns, values, nulls);
    return row >= 0;
  }

  public long row() {
    return row;
  }

  /** Takes a value for the row's own, until it goes to another row; a column not read stays so. */
  public void put(int column, long raw, boolean isNull) {
    int position = positions[column];
    if (position >= 0) {
      values[position] = isNull ? 0 : raw;
      nulls[position] = isNull;
    }
  }

  @Override
  public ParameterValues parameters() {
    return parameters;
  }

  public boolean isNull(int column) {
    return nulls[positions[column]];
  }

  public long raw(int column) {
    return values[positions[column]];
  }

  /** Bytes of a string column that is not NULL. */
  public byte[] bytes(int column) {
    CodedStrings dictionary = reader.strings(column);
    if (dictionary == null) {
      throw new IllegalStateException("column " + column + " is no string");
    }
    return dictionary.bytes((int) raw(column));
  }

  @Override
  public @Nullable Object column(int index) {
    if (index == positions.length) {
      return row;
    }
    if (isNull(index)) {
      return null;
    }
    SqlTypeSpec type = table.column(index).type();
    return type.kind().isString()
        ? HostValue.ofBytes(type, bytes(index))
        : HostValue.ofRaw(type, raw(index));
  }
}
