package io.gpdb.planner.batch;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a source one by one: each field as its bits, its {@link Bytes}, or null. */
public final class RowReader implements AutoCloseable {
  private final Batches batches;
  private final List<SqlTypeSpec> types;
  private @Nullable Batch batch;
  private int row;

  public RowReader(Source source, Execution x) {
    batches = source.open(x);
    types = source.types();
  }

  /** Goes to the next row; false at the end. */
  public boolean advance() {
    Batch known = batch;
    row++;
    while (known == null || row >= known.rows()) {
      if (known != null) {
        known.close();
      }
      known = batches.next();
      batch = known;
      row = 0;
      if (known == null) {
        return false;
      }
    }
    return true;
  }

  public @Nullable Object value(int field) {
    Batch known = batch;
    if (known == null) {
      throw new IllegalStateException("not on a row");
    }
    return Bytes.encoded(known, field, types.get(field), row);
  }

  public @Nullable Object[] values() {
    @Nullable Object[] values = new Object[types.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(i);
    }
    return values;
  }

  @Override
  public void close() {
    if (batch != null) {
      batch.close();
      batch = null;
    }
    batches.close();
  }
}
