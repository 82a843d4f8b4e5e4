package io.gpdb.planner.batch;

import io.gpdb.planner.expression.StringDomain;
import io.gpdb.storage.memory.DeviceBuffer;
import org.jspecify.annotations.Nullable;

/** A batch of dense rows as seen by whoever must not close it. */
public final class LentBatch extends Batch {
  private final Batch rows;

  public LentBatch(Batch rows) {
    this.rows = rows;
  }

  @Override
  public int rows() {
    return rows.rows();
  }

  @Override
  public boolean ownsColumns() {
    return rows.ownsColumns();
  }

  @Override
  public DeviceBuffer values(int field) {
    return rows.values(field);
  }

  @Override
  public @Nullable DeviceBuffer validity(int field) {
    return rows.validity(field);
  }

  @Override
  public StringDomain strings(int field) {
    return rows.strings(field);
  }

  @Override
  public void close() {}
}
