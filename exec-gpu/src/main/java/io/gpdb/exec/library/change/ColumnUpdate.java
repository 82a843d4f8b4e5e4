package io.gpdb.exec.library.change;

import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.base.HclLayout;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The operands of changing one column of one tablet at {@code n} distinct rows: which rows, what to
 * store, where the column is, and where old values and log entries go. Filled once, used by one
 * thread.
 */
public final class ColumnUpdate {
  final Element element;
  final MemorySegment rows;
  final int n;
  @Nullable MemorySegment newValues;
  @Nullable MemorySegment newValidity;
  @Nullable MemorySegment columnValues;
  @Nullable MemorySegment columnValidity;
  PersistTarget valuesTarget = PersistTarget.VOLATILE;
  PersistTarget validityTarget = PersistTarget.VOLATILE;
  @Nullable MemorySegment undoValues;
  @Nullable MemorySegment undoValidity;
  @Nullable UpdateLog log;

  /**
   * @param rows i32 row in the tablet, {@code n} of them, distinct, each below the column's
   *     capacity
   */
  public ColumnUpdate(Element element, MemorySegment rows, int n) {
    this.element = element;
    this.rows = rows;
    this.n = n;
  }

  /** The new value of each of the n rows; the validity bitmap is over n, null = no NULLs. */
  public ColumnUpdate newValues(MemorySegment values, @Nullable MemorySegment validity) {
    newValues = values;
    newValidity = validity;
    return this;
  }

  /**
   * The column's working image. New values with NULLs need a column with a validity bitmap: make it
   * first.
   */
  public ColumnUpdate column(MemorySegment values, @Nullable MemorySegment validity) {
    return column(values, PersistTarget.VOLATILE, validity, PersistTarget.VOLATILE);
  }

  /** A column in persistent memory, for the launches that persist. */
  public ColumnUpdate column(
      MemorySegment values,
      PersistTarget valuesPersist,
      @Nullable MemorySegment validity,
      PersistTarget validityPersist) {
    columnValues = values;
    columnValidity = validity;
    valuesTarget = valuesPersist;
    validityTarget = validityPersist;
    return this;
  }

  /**
   * Old values go here: n elements, and n validity bits (whole i32 words) when the column has a
   * validity bitmap.
   */
  public ColumnUpdate captureInto(MemorySegment values, @Nullable MemorySegment validity) {
    undoValues = values;
    undoValidity = validity;
    return this;
  }

  /** Entries go here; {@link HclLayout#updateEntryWords} words each, n of them. */
  public ColumnUpdate log(UpdateLog updateLog) {
    log = updateLog;
    return this;
  }
}
