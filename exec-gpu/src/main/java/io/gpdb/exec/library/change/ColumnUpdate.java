package io.gpdb.exec.library.change;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.storage.memory.DeviceBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The operands of changing one column of one tablet at {@code n} distinct rows: which rows, what to
 * store, where the column is, and where old values and log entries go. Filled once, used by one
 * thread.
 */
public final class ColumnUpdate {
  final Element element;
  final DeviceBuffer rows;
  final int n;
  @Nullable DeviceBuffer newValues;
  @Nullable DeviceBuffer newValidity;
  @Nullable DeviceBuffer columnValues;
  @Nullable DeviceBuffer columnValidity;
  @Nullable DeviceBuffer undoValues;
  @Nullable DeviceBuffer undoValidity;
  @Nullable UpdateLog log;

  /**
   * @param rows i32 row in the tablet, {@code n} of them, distinct, each below the column's
   *     capacity
   */
  public ColumnUpdate(Element element, DeviceBuffer rows, int n) {
    this.element = element;
    this.rows = rows;
    this.n = n;
  }

  /** The new value of each of the n rows; the validity bitmap is over n, null = no NULLs. */
  public ColumnUpdate newValues(DeviceBuffer values, @Nullable DeviceBuffer validity) {
    newValues = values;
    newValidity = validity;
    return this;
  }

  /**
   * The column's working image. New values with NULLs need a column with a validity bitmap: make it
   * first.
   */
  public ColumnUpdate column(DeviceBuffer values, @Nullable DeviceBuffer validity) {
    columnValues = values;
    columnValidity = validity;
    return this;
  }

  /**
   * Old values go here: n elements, and n validity bits (whole i32 words) when the column has a
   * validity bitmap.
   */
  public ColumnUpdate captureInto(DeviceBuffer values, @Nullable DeviceBuffer validity) {
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
