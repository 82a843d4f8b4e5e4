package io.gpdb.bench.harness;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Rows for one table, sent in batches; the last one when it is closed. */
public final class BatchedInsert implements AutoCloseable {
  private final PreparedStatement insert;
  private final int batchRows;
  private int pending;

  /**
   * @param columns of the table, all of them
   */
  public BatchedInsert(Connection connection, String table, int columns, int batchRows)
      throws SQLException {
    insert =
        connection.prepareStatement(
            "INSERT INTO " + table + " VALUES (?" + ", ?".repeat(columns - 1) + ")");
    this.batchRows = batchRows;
  }

  /** Adds a row. */
  public void add(@Nullable Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      insert.setObject(i + 1, values[i]);
    }
    insert.addBatch();
    if (++pending == batchRows) {
      var _ = insert.executeBatch();
      pending = 0;
    }
  }

  @Override
  public void close() throws SQLException {
    if (pending > 0) {
      var _ = insert.executeBatch();
    }
    insert.close();
  }
}
