package io.gpdb.bench.harness;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Where the rows of one table go; the last of them when it is closed. */
public interface RowSink extends AutoCloseable {
  /** Adds a row, with a value for each column. */
  void add(@Nullable Object... values) throws SQLException;

  @Override
  void close() throws SQLException;

  /**
   * The way in that suits the database: DuckDB's appender, elsewhere batches. Where the connection
   * does not commit by itself, every {@code batchRows} rows are committed.
   *
   * @param columns of the table, all of them
   */
  static RowSink of(Connection connection, String table, int columns, int batchRows)
      throws SQLException {
    return connection.getMetaData().getURL().startsWith("jdbc:duckdb:")
        ? new AppendedRows(connection, table, batchRows)
        : new BatchedInsert(connection, table, columns, batchRows);
  }
}
