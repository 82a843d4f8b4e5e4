package io.gpdb.bench.isolation;

import java.util.List;

/**
 * A transaction of a history: what it did, in order, and how it ended.
 *
 * @param id its position in the history
 * @param begunNanos before its first statement
 * @param endedNanos after its commit or rollback was acknowledged
 */
public record ListTransaction(
    int id, List<ListOperation> operations, boolean committed, long begunNanos, long endedNanos) {
  public ListTransaction {
    operations = List.copyOf(operations);
  }
}
