package io.gpdb.bench.peers;

import io.gpdb.jdbc.GpdbAppender;
import io.gpdb.jdbc.GpdbConnection;
import java.sql.Connection;
import java.sql.SQLException;

/** gpDB's appender. */
final class GpdbRowAppender implements RowAppender {
  private final GpdbAppender appender;

  GpdbRowAppender(Connection connection, String table) throws SQLException {
    appender = connection.unwrap(GpdbConnection.class).appender(table);
  }

  @Override
  public void append(int value) throws SQLException {
    appender.appendInt(value);
  }

  @Override
  public void append(long value) throws SQLException {
    appender.appendLong(value);
  }

  @Override
  public void append(double value) throws SQLException {
    appender.appendDouble(value);
  }

  @Override
  public void append(String value) throws SQLException {
    appender.appendString(value);
  }

  @Override
  public void endRow() throws SQLException {
    appender.endRow();
  }

  @Override
  public void close() throws SQLException {
    appender.close();
  }
}
