package io.gpdb.planner.window;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.HostBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The column of a call's results, one for each row. Several threads may set values of different
 * rows, except for strings that the call makes. Where it is written page by page, one thread sets
 * them in the order of the rows.
 */
final class WindowOutput {
  private final SqlTypeSpec type;
  private final ElementType element;
  private final HostBuffer values;
  private final HostBuffer validity;
  private @Nullable StringDomain strings;
  private boolean hasNulls; // set by any thread, read when all have ended

  private final int rows;
  private final @Nullable Pages pages;

  /** The row that is the first of the page. */
  private int first;

  /** Where pages go. */
  interface Pages {
    /** Writes the first rows of what is here. */
    void write(WindowOutput page, int rows);
  }

  WindowOutput(SqlTypeSpec type, int rows, BatchMemory memory) {
    this(type, rows, memory, null);
  }

  /**
   * @param rows that are here at a time
   * @param pages where the others go; null where there are no others
   */
  WindowOutput(SqlTypeSpec type, int rows, BatchMemory memory, @Nullable Pages pages) {
    this.rows = rows;
    this.pages = pages;
    this.type = type;
    this.element = type.element();
    values = memory.pin((long) rows * element.bytes());
    validity = memory.bitmap(rows);
    Bitmaps.setRange(validity, 0, rows, true);
  }

  SqlTypeSpec type() {
    return type;
  }

  private int at(int row) {
    if (row - first >= rows) {
      turn();
    }
    return row - first;
  }

  private void turn() {
    Pages known = pages;
    if (known == null) {
      throw new IndexOutOfBoundsException(first + rows);
    }
    known.write(this, rows);
    first += rows;
    Bitmaps.setRange(validity, 0, rows, true);
    hasNulls = false;
  }

  /** Writes the last page. */
  void finish(int count) {
    Pages known = pages;
    if (known != null && count > first) {
      known.write(this, count - first);
    }
  }

  void set(int row, long raw) {
    element.setRawAt(values, at(row), raw);
  }

  /** Sets numbers that ascend from {@code least} on, none of which is NULL. */
  void number(int[] rowsOf, long least) {
    if (pages != null || element != ElementType.I64) {
      for (int i = 0; i < rowsOf.length; i++) {
        set(rowsOf[i], least + i);
      }
      return;
    }
    for (int i = 0; i < rowsOf.length; i++) {
      values.setLong(rowsOf[i], least + i);
    }
  }

  void setNull(int row) {
    int at = at(row);
    hasNulls = true;
    element.setRawAt(values, at, 0);
    Bitmaps.clearShared(validity, at);
  }

  /** Sets a string that the call has made. */
  void setBytes(int row, byte[] bytes) {
    if (!(strings instanceof StringDomain.Made)) {
      strings = new StringDomain.Made();
    }
    set(row, ((StringDomain.Made) strings).intern(bytes));
  }

  /** Whether the row's value is here, not on a page that is written. */
  boolean holds(int row) {
    return row >= first;
  }

  /** Sets the value that an earlier row has, NULL among them, which is {@linkplain #holds here}. */
  void repeat(int source, int row) {
    int from = source - first;
    if (Bitmaps.test(validity, from)) {
      set(row, element.rawAt(values, from));
    } else {
      setNull(row);
    }
  }

  /** Sets the value of another row of a column of this type, NULL among them. */
  void copy(WindowColumn from, int source, int row) {
    if (from.isNull(source)) {
      setNull(row);
    } else {
      set(row, from.raw(source));
    }
  }

  /** Says whose strings the values are. */
  void takeStrings(WindowColumn from) {
    if (type.kind().isString()) {
      strings = from.strings();
    }
  }

  /** Says where the strings go that the call makes. */
  void makeStrings(StringDomain.Made made) {
    strings = made;
  }

  void putInto(DenseBatch batch, int field) {
    batch.set(field, values, hasNulls ? validity : null);
    if (type.kind().isString()) {
      StringDomain known = strings;
      batch.strings(field, known == null ? new StringDomain.Made() : known);
    }
  }
}
