package io.gpdb.bench.peers;

import java.sql.Connection;
import java.sql.SQLException;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** DuckDB's appender. */
final class DuckdbRowAppender implements RowAppender {
  private final DuckDBAppender appender;
  private boolean begun;

  DuckdbRowAppender(Connection connection, String table) throws SQLException {
    appender = connection.unwrap(DuckDBConnection.class).createAppender(table);
  }

  private DuckDBAppender inRow() throws SQLException {
    if (!begun) {
      begun = true;
      appender.beginRow();
    }
    return appender;
  }

  @Override
  public void append(int value) throws SQLException {
    inRow().append(value);
  }

  @Override
  public void append(long value) throws SQLException {
    inRow().append(value);
  }

  @Override
  public void append(double value) throws SQLException {
    inRow().append(value);
  }

  @Override
  public void append(String value) throws SQLException {
    inRow().append(value);
  }

  @Override
  public void endRow() throws SQLException {
    appender.endRow();
    begun = false;
  }

  @Override
  public void close() throws SQLException {
    appender.close();
  }
}
