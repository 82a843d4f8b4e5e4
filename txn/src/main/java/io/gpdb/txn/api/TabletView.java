package io.gpdb.txn.api;

import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.memory.DeviceBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one tablet as a transaction sees them: its snapshot and its own writes. Holds the
 * tablet's latch in shared mode: closed by the thread that opened it, before that thread writes to
 * the table, and soon, because writers of the tablet wait for it.
 */
public interface TabletView extends AutoCloseable {
  /** Rows to look at; those whose live bit is off do not exist. */
  int rowCount();

  /** Whether every row below {@link #rowCount} exists. */
  boolean allLive();

  DeviceBuffer live();

  /** Bytes of copies with old values put back, which the view keeps until it is closed. */
  long copiedBytes();

  /** Bytes of the columns' values, which the view reads where they are stored. */
  long columnBytes();

  /** The column at position {@code i} of the columns that were asked for. */
  ColumnView column(int i);

  default DeviceBuffer values(int i) {
    return column(i).values();
  }

  /** Null when no value of the column at position {@code i} is NULL. */
  default @Nullable DeviceBuffer validity(int i) {
    return column(i).validity();
  }

  @Override
  void close();
}
