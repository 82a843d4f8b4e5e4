package io.gpdb.planner.window;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;

/**
 * Rows that are in memory.
 *
 * @param result where the columns of results go
 */
record HeldWindowRows(Batch input, List<SqlTypeSpec> types, DenseBatch result)
    implements WindowRows {
  @Override
  public int count() {
    return input.rows();
  }

  @Override
  public WindowColumn column(int field) {
    return new WindowColumn(input, field, types.get(field));
  }

  @Override
  public WindowOutput output(WindowGroup.Placed placed) {
    return new WindowOutput(placed.call().type(), input.rows(), result.memory());
  }

  @Override
  public void put(WindowGroup.Placed placed, WindowOutput output) {
    output.putInto(result, placed.field());
  }

  @Override
  public boolean areHeld() {
    return true;
  }
}
