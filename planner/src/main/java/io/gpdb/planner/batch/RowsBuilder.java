package io.gpdb.planner.batch;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes batches of rows that the host computed one by one. The strings of all its batches have one
 * domain for each field. For one thread.
 */
public final class RowsBuilder {
  /** Rows of a batch. */
  public static final int ROWS = 4096;

  private final SqlTypeSpec[] types;
  private int room;
  private final StringDomain.@Nullable Made[] strings;
  private @Nullable BatchMemory memory;
  private final HostBuffer[] values;
  private final HostBuffer[] validity;
  private final boolean[] hasNulls;
  private int rows;

  public RowsBuilder(List<SqlTypeSpec> types) {
    this(types, ROWS);
  }

  /**
   * @param room rows of a batch
   */
  public RowsBuilder(List<SqlTypeSpec> types, int room) {
    this.room = room;
    this.types = types.toArray(SqlTypeSpec[]::new);
    int fields = this.types.length;
    strings = new StringDomain.Made[fields];
    values = new HostBuffer[fields];
    validity = new HostBuffer[fields];
    hasNulls = new boolean[fields];
    for (int i = 0; i < fields; i++) {
      strings[i] = this.types[i].kind().isString() ? new StringDomain.Made() : null;
    }
  }

  /** Sets how many rows the next batch may have, before its first row. */
  public void makeRoom(int rowsMax) {
    if (memory != null) {
      throw new IllegalStateException("a batch has begun");
    }
    room = rowsMax;
  }

  private BatchMemory begun() {
    BatchMemory known = memory;
    if (known != null) {
      return known;
    }
    BatchMemory taken = new BatchMemory();
    memory = taken;
    for (int i = 0; i < types.length; i++) {
      values[i] = taken.pin((long) room * types[i].element().bytes());
      validity[i] = taken.bitmap(room);
      hasNulls[i] = false;
    }
    return taken;
  }

  public int rows() {
    return rows;
  }

  public boolean isFull() {
    return rows == room;
  }

  /** Sets the field of the row being built to a value as {@link HostValue} describes it. */
  public void set(int field, @Nullable Object value) {
    begun();
    if (value == null) {
      hasNulls[field] = true;
      types[field].element().setRawAt(values[field], rows, 0);
      return;
    }
    StringDomain.Made domain = strings[field];
    long raw =
        domain == null
            ? HostValue.raw(types[field], value)
            : domain.intern(HostValue.bytes(types[field], value));
    setRaw(field, raw);
  }

  /** Sets the field of the row being built by the value's bits, a code for strings. */
  public void setRaw(int field, long raw) {
    begun();
    types[field].element().setRawAt(values[field], rows, raw);
    Bitmaps.set(validity[field], rows, true);
  }

  /** The code of a string in the field's domain. */
  public int intern(int field, byte[] bytes) {
    StringDomain.Made domain = strings[field];
    if (domain == null) {
      throw new IllegalArgumentException("field " + field + " has no strings");
    }
    return domain.intern(bytes);
  }

  /** The string with a code in the field's domain. */
  public byte[] string(int field, int code) {
    StringDomain.Made domain = strings[field];
    if (domain == null) {
      throw new IllegalArgumentException("field " + field + " has no strings");
    }
    return domain.bytes(code);
  }

  /** Ends the row being built. */
  public void endRow() {
    rows++;
  }

  /** The rows so far as a batch; the next row begins another. */
  public Batch batch() {
    DenseBatch batch = new DenseBatch(rows, types.length, begun());
    for (int i = 0; i < types.length; i++) {
      batch.set(i, values[i], hasNulls[i] ? validity[i] : null).strings(i, strings[i]);
    }
    memory = null;
    rows = 0;
    return batch;
  }

  /** Frees the rows so far. */
  public void discard() {
    BatchMemory taken = memory;
    memory = null;
    rows = 0;
    if (taken != null) {
      taken.close();
    }
  }
}
