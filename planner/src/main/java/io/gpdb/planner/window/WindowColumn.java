package io.gpdb.planner.window;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.SpilledColumn;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.function.NumberFunctions;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A column of the rows that windows are over, as the host reads it. Of rows that are in a temporary
 * file a page is here, and one thread reads them.
 */
final class WindowColumn {
  private final SqlTypeSpec type;
  private final ElementType element;
  private final @Nullable StringDomain strings;
  private final @Nullable SpilledColumn pages;
  private HostBuffer values;
  private @Nullable HostBuffer validity;

  /** The first row that is here, and the row behind the last. */
  private int first;

  private int end;

  WindowColumn(Batch batch, int field, SqlTypeSpec type) {
    this.type = type;
    this.element = type.element();
    this.values = batch.hostValues(field);
    DeviceBuffer present = batch.validity(field);
    this.validity = present == null ? null : present.onHost();
    this.strings = type.kind().isString() ? batch.strings(field) : null;
    pages = null;
    end = batch.rows();
  }

  /**
   * @param strings of the column, where it has some
   */
  WindowColumn(SpilledColumn pages, SqlTypeSpec type, @Nullable StringDomain strings) {
    this.type = type;
    this.element = type.element();
    this.pages = pages;
    this.strings = strings;
    values = HostBuffer.NONE;
  }

  /** Where a row is on the page that is here. */
  private int at(int row) {
    if (row < first || row >= end) {
      turnTo(row);
    }
    return row - first;
  }

  private void turnTo(int row) {
    SpilledColumn known = pages;
    if (known == null) {
      throw new IndexOutOfBoundsException(row);
    }
    DenseBatch page = known.turnTo(row);
    values = page.hostValues(known.field());
    validity = page.hostValidity(known.field());
    first = row - row % SpilledColumn.PAGE_ROWS;
    end = first + page.rows();
  }

  SqlTypeSpec type() {
    return type;
  }

  StringDomain strings() {
    StringDomain domain = strings;
    if (domain == null) {
      throw new IllegalStateException("not a string");
    }
    return domain;
  }

  boolean isNull(int row) {
    int at = at(row);
    HostBuffer present = validity;
    return present != null && !Bitmaps.test(present, at);
  }

  long raw(int row) {
    int at = at(row);
    return element.rawAt(values, at);
  }

  /** Bits that are equal for the values that are. */
  long key(int row) {
    return element.keyOf(raw(row));
  }

  byte[] bytes(int row) {
    return strings().bytes((int) raw(row));
  }

  /** A number of any type; for one that is not NULL. */
  double number(int row) {
    long raw = raw(row);
    return switch (type.kind()) {
      case REAL -> Float.intBitsToFloat((int) raw);
      case DOUBLE -> Double.longBitsToDouble(raw);
      case DECIMAL, WIDE_DECIMAL -> decimal(row).doubleValue();
      default -> raw;
    };
  }

  /** An exact number; for one that is not NULL. */
  BigDecimal decimal(int row) {
    return type.kind().isString()
        ? (BigDecimal) HostValue.ofBytes(type, bytes(row))
        : BigDecimal.valueOf(raw(row), type.scale());
  }

  /** Whether both are NULL or equal. */
  boolean isSame(int a, int b) {
    boolean isNull = isNull(a);
    return isNull == isNull(b) && (isNull || element.isSameKey(raw(a), raw(b)));
  }

  /**
   * Marks the rows, but for the first, whose value is not the {@linkplain #isSame same} as before.
   */
  void markChanges(int[] rows, boolean[] changes) {
    boolean arePlain = pages == null && validity == null;
    if (arePlain && (element == ElementType.I32 || element == ElementType.CODE)) {
      markInts(rows, changes);
    } else if (arePlain && element == ElementType.I64) {
      markLongs(rows, changes);
    } else {
      markAny(rows, changes);
    }
  }

  private void markInts(int[] rows, boolean[] changes) {
    HostBuffer of = values;
    int before = of.intAt(rows[0]);
    for (int i = 1; i < rows.length; i++) {
      int value = of.intAt(rows[i]);
      changes[i] |= value != before;
      before = value;
    }
  }

  private void markLongs(int[] rows, boolean[] changes) {
    HostBuffer of = values;
    long before = of.longAt(rows[0]);
    for (int i = 1; i < rows.length; i++) {
      long value = of.longAt(rows[i]);
      changes[i] |= value != before;
      before = value;
    }
  }

  private void markAny(int[] rows, boolean[] changes) {
    boolean nullBefore = isNull(rows[0]);
    long before = nullBefore ? 0 : key(rows[0]);
    for (int i = 1; i < rows.length; i++) {
      boolean isNull = isNull(rows[i]);
      long key = isNull ? 0 : key(rows[i]);
      changes[i] |= isNull != nullBefore || key != before;
      nullBefore = isNull;
      before = key;
    }
  }

  /** SQL's order of two values that are not NULL. */
  int compare(int a, int b) {
    if (type.kind().isString()) {
      long x = raw(a);
      long y = raw(b);
      return x == y ? 0 : Arrays.compareUnsigned(bytes(a), bytes(b));
    }
    return element.isFloat()
        ? Long.compare(NumberFunctions.floatOrder(number(a)), NumberFunctions.floatOrder(number(b)))
        : Long.compare(raw(a), raw(b));
  }
}
