package io.gpdb.bench.peers;

import java.sql.Connection;
import java.sql.SQLException;

/** A database's own way of adding rows by column, each value by a method of its type. */
interface RowAppender extends AutoCloseable {
  void append(int value) throws SQLException;

  void append(long value) throws SQLException;

  void append(double value) throws SQLException;

  void append(String value) throws SQLException;

  void endRow() throws SQLException;

  /** Adds what is left; the caller commits. */
  @Override
  void close() throws SQLException;

  /** Whether the database has one. */
  static boolean isOf(Peer peer) {
    return peer == Peer.GPDB || peer == Peer.DUCKDB;
  }

  /** That of the connection's database, for all columns of the table. */
  static RowAppender of(Peer peer, Connection connection, String table) throws SQLException {
    return switch (peer) {
      case GPDB -> new GpdbRowAppender(connection, table);
      case DUCKDB -> new DuckdbRowAppender(connection, table);
      case H2, H2_DEFAULT, HSQLDB, HSQLDB_DEFAULT, DERBY, SQLITE ->
          throw new IllegalArgumentException(peer.label());
    };
  }
}
