package io.gpdb.planner.bridge;

import org.apache.calcite.linq4j.Enumerator;
import org.jspecify.annotations.Nullable;

/** The rows of one run, pulled one by one. */
public final class BridgeRows implements AutoCloseable {
  private final Enumerator<?> rows;
  private final int fields;

  BridgeRows(Enumerator<?> rows, int fields) {
    this.rows = rows;
    this.fields = fields;
  }

  /** The next row, or null after the last; values as {@link BridgeValues} describes them. */
  public @Nullable Object @Nullable [] next() {
    try {
      if (!rows.moveNext()) {
        return null;
      }
      Object row = rows.current();
      return fields == 1 ? new @Nullable Object[] {row} : (Object[]) row;
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      throw BridgeErrors.whileRunning(e);
    }
  }

  @Override
  public void close() {
    rows.close();
  }
}
