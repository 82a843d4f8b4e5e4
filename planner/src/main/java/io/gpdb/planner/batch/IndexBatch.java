package io.gpdb.planner.batch;

import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.api.TableReader;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of a stored table from anywhere in it, copied one by one. */
public final class IndexBatch extends Batch {
  private final TableReader reader;
  private final List<SqlTypeSpec> types;
  private final int[] columns;
  private final int[] positions;
  private final HostBuffer[] values;
  private final HostBuffer[] validity;
  private final boolean[] hasNulls;
  private final long[] raw;
  private final boolean[] nulls;
  private final long[] numbers;
  private final @Nullable HostBuffer rowIds;
  private final BatchMemory memory = new BatchMemory();
  private int rows;

  /**
   * @param columns those read, ascending
   */
  public IndexBatch(
      TableReader reader, List<SqlTypeSpec> types, int[] columns, boolean withRowId, int room) {
    this.reader = reader;
    this.types = types;
    this.columns = columns;
    int fields = columns.length;
    values = new HostBuffer[fields];
    validity = new HostBuffer[fields];
    hasNulls = new boolean[fields];
    raw = new long[fields];
    nulls = new boolean[fields];
    numbers = new long[room];
    positions = new int[types.size()];
    Arrays.fill(positions, -1);
    for (int i = 0; i < fields; i++) {
      positions[columns[i]] = i;
      values[i] = memory.pin((long) room * types.get(columns[i]).element().bytes());
      validity[i] = memory.bitmap(room);
    }
    rowIds = withRowId ? memory.pin((long) room * Long.BYTES) : null;
  }

  /** Appends a row, unless the transaction sees none of that number. */
  public void add(long number) {
    if (!reader.read(number, columns, raw, nulls)) {
      return;
    }
    for (int i = 0; i < columns.length; i++) {
      types.get(columns[i]).element().setRawAt(values[i], rows, nulls[i] ? 0 : raw[i]);
      if (nulls[i]) {
        hasNulls[i] = true;
      } else {
        Bitmaps.set(validity[i], rows, true);
      }
    }
    if (rowIds != null) {
      rowIds.setLong(rows, number);
    }
    numbers[rows++] = number;
  }

  /** Appends a row whose fields are all NULL; not where rows' numbers are a field. */
  public void addNulls() {
    for (int i = 0; i < columns.length; i++) {
      types.get(columns[i]).element().setRawAt(values[i], rows, 0);
      hasNulls[i] = true;
    }
    numbers[rows++] = -1;
  }

  /** Takes the row that was added last out again. */
  public void removeLast() {
    rows--;
    for (HostBuffer bits : validity) {
      Bitmaps.set(bits, rows, false);
    }
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public long rowNumber(int row) {
    return numbers[row];
  }

  private int position(int field) {
    int position = positions[field];
    if (position < 0) {
      throw new IllegalStateException("field " + field + " was not asked for");
    }
    return position;
  }

  @Override
  public DeviceBuffer values(int field) {
    HostBuffer ids = rowIds;
    return ids != null && field == types.size() - 1 ? ids : values[position(field)];
  }

  @Override
  public @Nullable DeviceBuffer validity(int field) {
    if (rowIds != null && field == types.size() - 1) {
      return null;
    }
    int position = position(field);
    return hasNulls[position] ? validity[position] : null;
  }

  @Override
  public StringDomain strings(int field) {
    CodedStrings dictionary = reader.strings(field);
    if (dictionary == null) {
      throw new IllegalStateException("field " + field + " has no strings");
    }
    return new StringDomain.Stored(dictionary);
  }

  @Override
  public void close() {
    memory.close();
  }
}
