package io.gpdb.bench.harness;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Rows for one table, sent in batches; the last one when it is closed. */
public final class BatchedInsert implements RowSink {
  private final Connection connection;
  private final PreparedStatement insert;
  private final int batchRows;
  private int pending;

  /**
   * @param columns of the table, all of them
   */
  public BatchedInsert(Connection connection, String table, int columns, int batchRows)
      throws SQLException {
    this.connection = connection;
    this.insert =
        connection.prepareStatement(
            "INSERT INTO " + table + " VALUES (?" + ", ?".repeat(columns - 1) + ")");
    this.batchRows = batchRows;
  }

  @Override
  public void add(@Nullable Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      insert.setObject(i + 1, values[i]);
    }
    insert.addBatch();
    if (++pending == batchRows) {
      send();
    }
  }

  private void send() throws SQLException {
    var _ = insert.executeBatch();
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
    pending = 0;
  }

  @Override
  public void close() throws SQLException {
    if (pending > 0) {
      send();
    }
    insert.close();
  }
}
