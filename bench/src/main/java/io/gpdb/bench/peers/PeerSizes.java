package io.gpdb.bench.peers;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How much is measured.
 *
 * @param rows of the table that is queried
 * @param keyedRows of the table that is changed and read by key
 * @param runs of each query
 * @param connections that commit and read side by side
 * @param windowMillis how long one window of commits or look-ups takes
 * @param workSeconds after which a query is not run again and batches end
 */
record PeerSizes(
    int rows, int keyedRows, int runs, int connections, int windowMillis, int workSeconds) {
  /** The inverse of {@link #words}. */
  static PeerSizes parse(String words) {
    String[] parts = words.split(",", -1);
    return new PeerSizes(
        Integer.parseInt(parts[0]),
        Integer.parseInt(parts[1]),
        Integer.parseInt(parts[2]),
        Integer.parseInt(parts[3]),
        Integer.parseInt(parts[4]),
        Integer.parseInt(parts[5]));
  }

  /** As an argument of a process. */
  String words() {
    return Stream.of(rows, keyedRows, runs, connections, windowMillis, workSeconds)
        .map(String::valueOf)
        .collect(Collectors.joining(","));
  }
}
