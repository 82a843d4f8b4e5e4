package io.gpdb.jdbc;

import io.gpdb.planner.statement.KeyRequest;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The ways to execute a text and to ask for its generated keys. */
abstract class KeyedExecutions extends StatementOptions {
  KeyedExecutions(ConnectionState connection, CursorKind kind) {
    super(connection, kind);
  }

  /** Runs the text; returns whether its first result is rows. */
  abstract boolean executed(String sql, @Nullable KeyRequest request) throws SQLException;

  /** Runs the text; returns how many rows it changed. */
  abstract long updated(String sql, @Nullable KeyRequest request) throws SQLException;

  @Override
  public boolean execute(String sql, int generatedKeys) throws SQLException {
    return executed(sql, KeyRequests.of(generatedKeys));
  }

  @Override
  public int executeUpdate(String sql, int generatedKeys) throws SQLException {
    return asInt(executeLargeUpdate(sql, generatedKeys));
  }

  @Override
  public long executeLargeUpdate(String sql, int generatedKeys) throws SQLException {
    return updated(sql, KeyRequests.of(generatedKeys));
  }

  @Override
  public boolean execute(String sql, int[] keyColumns) throws SQLException {
    return executed(sql, KeyRequests.of(keyColumns));
  }

  @Override
  public int executeUpdate(String sql, int[] keyColumns) throws SQLException {
    return asInt(executeLargeUpdate(sql, keyColumns));
  }

  @Override
  public long executeLargeUpdate(String sql, int[] keyColumns) throws SQLException {
    return updated(sql, KeyRequests.of(keyColumns));
  }

  @Override
  public boolean execute(String sql, String[] keyColumns) throws SQLException {
    return executed(sql, KeyRequests.of(keyColumns));
  }

  @Override
  public int executeUpdate(String sql, String[] keyColumns) throws SQLException {
    return asInt(executeLargeUpdate(sql, keyColumns));
  }

  @Override
  public long executeLargeUpdate(String sql, String[] keyColumns) throws SQLException {
    return updated(sql, KeyRequests.of(keyColumns));
  }
}
