package io.gpdb.txn.change;

import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.version.TableVersions;
import org.jspecify.annotations.Nullable;

/**
 * New values for one column of one tablet at n distinct rows, all inside of it; the tablet's latch
 * is held exclusively.
 *
 * @param rows i32[n]
 * @param newValidity a bitmap over n; null when no new value is NULL
 * @param oldValues room for the n old values
 * @param oldValidity room for their validity; null when the column has no bitmap and does not get
 *     one
 */
public record ColumnChange(
    TableVersions table,
    Tablet tablet,
    int column,
    HostBuffer rows,
    int n,
    DeviceBuffer newValues,
    @Nullable DeviceBuffer newValidity,
    HostBuffer oldValues,
    @Nullable HostBuffer oldValidity) {

  public ElementType type() {
    return table.type(column);
  }
}
