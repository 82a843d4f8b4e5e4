package io.gpdb.exec.library.change;

import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One group of a {@link GridApplyBatch}: n distinct rows of one tablet, where the columns to set
 * and to read are, and where old values, log entries and computed values go. Set columns and
 * columns read are numbered as the kernel declares them. Filled once, used by one thread.
 */
public final class BatchRows {
  final DeviceBuffer rows;
  final DeviceBuffer positions;
  final int n;
  final @Nullable DeviceBuffer[] columnValues;
  final @Nullable DeviceBuffer[] columnValidity;
  final PersistTarget[] valuesTargets;
  final PersistTarget[] validityTargets;
  final @Nullable DeviceBuffer[] undoValues;
  final @Nullable DeviceBuffer[] undoValidity;
  final @Nullable UpdateLog[] logs;
  final @Nullable DeviceBuffer[] newValues;
  final @Nullable DeviceBuffer[] newValidity;
  final @Nullable DeviceBuffer[] readValues;
  final @Nullable DeviceBuffer[] readValidity;
  @Nullable LaneBindings own;

  /**
   * @param rows i32 row in the tablet, n of them, distinct
   * @param positions i32 row of the batch whose parameters each takes, n of them
   */
  public BatchRows(
      DeviceBuffer rows, DeviceBuffer positions, int n, int setColumns, int readColumns) {
    this.rows = rows;
    this.positions = positions;
    this.n = n;
    columnValues = new DeviceBuffer[setColumns];
    columnValidity = new DeviceBuffer[setColumns];
    valuesTargets = new PersistTarget[setColumns];
    validityTargets = new PersistTarget[setColumns];
    Arrays.fill(valuesTargets, PersistTarget.VOLATILE);
    Arrays.fill(validityTargets, PersistTarget.VOLATILE);
    undoValues = new DeviceBuffer[setColumns];
    undoValidity = new DeviceBuffer[setColumns];
    logs = new UpdateLog[setColumns];
    newValues = new DeviceBuffer[setColumns];
    newValidity = new DeviceBuffer[setColumns];
    readValues = new DeviceBuffer[readColumns];
    readValidity = new DeviceBuffer[readColumns];
  }

  /** Where set column i is. In one launch, all groups have a validity bitmap for it or none. */
  public BatchRows column(int i, DeviceBuffer values, @Nullable DeviceBuffer validity) {
    columnValues[i] = values;
    columnValidity[i] = validity;
    return this;
  }

  /**
   * Columns of the batch that are of this group alone. They are bound as those of the launch are: a
   * column has a validity bitmap in all groups or in none.
   */
  public BatchRows ownBindings(LaneBindings bindings) {
    own = bindings;
    return this;
  }

  /** For launches that persist. */
  public BatchRows targets(int i, PersistTarget values, PersistTarget validity) {
    valuesTargets[i] = values;
    validityTargets[i] = validity;
    return this;
  }

  /** Old values of set column i go here; the validity where the column has a bitmap. */
  public BatchRows captureInto(int i, DeviceBuffer values, @Nullable DeviceBuffer validity) {
    undoValues[i] = values;
    undoValidity[i] = validity;
    return this;
  }

  /** Entries of set column i go here. All columns of all groups have logs of one kind, or none. */
  public BatchRows log(int i, UpdateLog log) {
    logs[i] = log;
    return this;
  }

  /** Computed values of set column i go here: n elements, and n validity bits in whole words. */
  public BatchRows newValues(int i, DeviceBuffer values, DeviceBuffer validity) {
    newValues[i] = values;
    newValidity[i] = validity;
    return this;
  }

  /** Where column i of those read is. All groups have a validity bitmap for it or none. */
  public BatchRows read(int i, DeviceBuffer values, @Nullable DeviceBuffer validity) {
    readValues[i] = values;
    readValidity[i] = validity;
    return this;
  }
}
