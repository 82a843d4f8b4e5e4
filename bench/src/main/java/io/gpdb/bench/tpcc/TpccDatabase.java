package io.gpdb.bench.tpcc;

import io.gpdb.bench.peers.Peer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A database that runs the transactions, in a directory of its own. */
record TpccDatabase(Peer peer, Path directory) {
  static final List<Peer> PEERS = List.of(Peer.H2, Peer.HSQLDB, Peer.SQLITE);

  String name() {
    return peer.label();
  }

  /** Whether it has SELECT … FOR UPDATE. */
  boolean locks() {
    return peer == Peer.GPDB || peer == Peer.H2;
  }

  /**
   * Whether transactions are begun and ended by statements: SQLite's driver would begin the next
   * one, which keeps other writers out, with the commit of the last.
   */
  boolean beginsByStatement() {
    return peer == Peer.SQLITE;
  }

  Connection connect() throws SQLException {
    Connection connection = peer.connect(directory, Runtime.getRuntime().availableProcessors());
    if (peer != Peer.SQLITE) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
    return connection;
  }
}
