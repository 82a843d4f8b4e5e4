package io.gpdb.bench.peers;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A fresh process that opens a database and counts; prints the milliseconds of both together. */
final class PeerReopen {
  private PeerReopen() {}

  /** Arguments: peer, directory, workers, and whether the process is to end by a halt. */
  public static void main(String[] arguments) throws SQLException {
    Peer peer = Peer.required(arguments[0]);
    Path directory = Path.of(arguments[1]);
    boolean killed = Boolean.parseBoolean(arguments[3]);
    long start = System.nanoTime();
    try (Connection connection = peer.connect(directory, Integer.parseInt(arguments[2]));
        Statement statement = connection.createStatement()) {
      try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
        rows.next();
        rows.getLong(1);
      }
      System.out.println((System.nanoTime() - start) / 1e6);
      if (killed) {
        statement.executeUpdate("UPDATE t SET x = x + 1 WHERE p < 5");
        System.out.flush();
        Runtime.getRuntime().halt(0);
      }
    }
  }
}
