package io.gpdb.planner.batch;

import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.StopSignal;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Batches of rows of objects, see {@link io.gpdb.planner.expression.HostValue}. */
public final class RowBatches implements Batches {
  private final RowsBuilder builder;
  private final Iterator<@Nullable Object[]> rows;

  public RowBatches(List<SqlTypeSpec> types, Iterator<@Nullable Object[]> rows) {
    this.builder = new RowsBuilder(types);
    this.rows = rows;
  }

  @Override
  public @Nullable Batch next() {
    if (!rows.hasNext()) {
      return null;
    }
    while (rows.hasNext() && !builder.isFull()) {
      StopSignal.poll();
      @Nullable Object[] row = rows.next();
      for (int i = 0; i < row.length; i++) {
        builder.set(i, row[i]);
      }
      builder.endRow();
    }
    return builder.batch();
  }

  @Override
  public void close() {}
}
