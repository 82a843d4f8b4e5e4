package io.gpdb.bench.harness;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** Rows for one table of DuckDB, by its appender: its batches run a statement for each row. */
final class AppendedRows implements RowSink {
  private final Connection connection;
  private final DuckDBAppender appender;
  private final int batchRows;
  private int pending;

  AppendedRows(Connection connection, String table, int batchRows) throws SQLException {
    this.connection = connection;
    this.appender = connection.unwrap(DuckDBConnection.class).createAppender(table);
    this.batchRows = batchRows;
  }

  @Override
  public void add(@Nullable Object... values) throws SQLException {
    appender.beginRow();
    for (Object value : values) {
      append(value);
    }
    appender.endRow();
    if (++pending == batchRows) {
      send();
    }
  }

  private void append(@Nullable Object value) throws SQLException {
    switch (value) {
      case null -> appender.appendNull();
      case Integer number -> appender.append(number.intValue());
      case Long number -> appender.append(number.longValue());
      case Float number -> appender.append(number.floatValue());
      case Double number -> appender.append(number.doubleValue());
      case BigDecimal number -> appender.append(number);
      case LocalDate date -> appender.append(date);
      case String text -> appender.append(text);
      default -> throw new IllegalArgumentException("not appended: " + value.getClass());
    }
  }

  private void send() throws SQLException {
    appender.flush();
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
    appender.close();
  }
}
