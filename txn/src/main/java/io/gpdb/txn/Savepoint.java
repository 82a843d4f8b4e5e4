package io.gpdb.txn;

import io.gpdb.txn.change.TransactionWrites;

/** A moment of a transaction to which it can go back. */
public final class Savepoint {
  private final SavepointOrder order;
  private final int number;
  private final TransactionWrites.Mark mark;

  Savepoint(SavepointOrder order, int number, TransactionWrites.Mark mark) {
    this.order = order;
    this.number = number;
    this.mark = mark;
  }

  SavepointOrder order() {
    return order;
  }

  int number() {
    return number;
  }

  TransactionWrites.Mark mark() {
    return mark;
  }
}
