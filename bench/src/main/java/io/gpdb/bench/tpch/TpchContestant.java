package io.gpdb.bench.tpch;

import io.gpdb.bench.peers.Peer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A database with a number of workers.
 *
 * @param memoryBytes that statements may take; 0 where the database decides
 */
record TpchContestant(Peer peer, int workers, long memoryBytes) {
  String name() {
    return peer.label() + ", " + workers + (workers == 1 ? " worker" : " workers");
  }

  boolean isOurs() {
    return peer == Peer.GPDB;
  }

  Connection connect(Path directory) throws SQLException {
    return peer.connect(directory, workers, memoryBytes);
  }

  /** As arguments of a process. */
  String words() {
    return peer.label() + "," + workers + "," + memoryBytes;
  }

  /** The inverse of {@link #words}. */
  static TpchContestant parse(String words) {
    String[] parts = words.split(",", -1);
    return new TpchContestant(
        Peer.required(parts[0]), Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
  }
}
