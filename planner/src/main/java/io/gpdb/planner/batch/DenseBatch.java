package io.gpdb.planner.batch;

import io.gpdb.planner.expression.StringDomain;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch in memory of its own, without gaps. */
public final class DenseBatch extends Batch {
  private final int rows;
  private final @Nullable DeviceBuffer[] values;
  private final @Nullable DeviceBuffer[] validity;
  private final @Nullable StringDomain[] strings;
  private final BatchMemory memory;
  private @Nullable SharedMemory shared;
  private int rowIdField = -1;
  private long rowBase;
  private boolean numbered = true;
  private HostBuffer positions = HostBuffer.NONE;
  private boolean positionsAreLeft;

  public DenseBatch(int rows, int fields, BatchMemory memory) {
    this.rows = rows;
    this.memory = memory;
    values = new DeviceBuffer[fields];
    validity = new DeviceBuffer[fields];
    strings = new StringDomain[fields];
  }

  public BatchMemory memory() {
    return memory;
  }

  public DenseBatch set(
      int field, DeviceBuffer columnValues, @Nullable DeviceBuffer columnValidity) {
    values[field] = columnValues;
    validity[field] = columnValidity;
    return this;
  }

  /** The field is the row id: {@code base} and an i32 position, computed when asked for. */
  public DenseBatch rowIds(int field, DeviceBuffer rowPositions, long base) {
    rowIdField = field;
    rowBase = base;
    positions = rowPositions.onHost();
    return this;
  }

  /** The positions ascend, and are in memory that is good for longer than the batch. */
  public void leavesRows() {
    positionsAreLeft = true;
  }

  @Override
  public @Nullable InTablet inTablet(int field) {
    return field == rowIdField && rowBase % Tablet.ROWS == 0
        ? new InTablet((int) (rowBase / Tablet.ROWS), positions, positionsAreLeft)
        : null;
  }

  @Override
  public boolean ownsColumns() {
    return true;
  }

  /** The rows are not those of a tablet, whose numbers they do not have. */
  public DenseBatch withoutRowNumbers() {
    numbered = false;
    return this;
  }

  @Override
  public long rowNumber(int row) {
    return numbered ? super.rowNumber(row) : NO_ROW_NUMBER;
  }

  public DenseBatch strings(int field, @Nullable StringDomain domain) {
    strings[field] = domain;
    return this;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public DeviceBuffer values(int field) {
    DeviceBuffer column = values[field];
    if (column == null && field == rowIdField) {
      column = RowNumbers.inTable(positions, rows, rowBase, memory);
      values[field] = column;
    }
    return known(column, field);
  }

  @Override
  public @Nullable DeviceBuffer validity(int field) {
    return validity[field];
  }

  @Override
  public StringDomain strings(int field) {
    return known(strings[field], field);
  }

  /** Batches with memory of their own, whose columns are in memory of all of them. */
  public static List<DenseBatch> sharing(BatchMemory all, int[] rows, int fields) {
    SharedMemory shared = new SharedMemory(all, rows.length);
    List<DenseBatch> batches = new ArrayList<>();
    for (int n : rows) {
      DenseBatch batch = new DenseBatch(n, fields, new BatchMemory());
      batch.shared = shared;
      batches.add(batch);
    }
    return batches;
  }

  @Override
  public void close() {
    memory.close();
    SharedMemory others = shared;
    shared = null;
    if (others != null) {
      others.release();
    }
  }
}
