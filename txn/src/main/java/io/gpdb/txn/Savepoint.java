package io.gpdb.txn;

import io.gpdb.txn.change.TransactionWrites;

/** A moment of a transaction to which it can go back. */
public final class Savepoint {
  private final Transaction transaction;
  private final int number;
  private final TransactionWrites.Mark mark;

  Savepoint(Transaction transaction, int number, TransactionWrites.Mark mark) {
    this.transaction = transaction;
    this.number = number;
    this.mark = mark;
  }

  Transaction transaction() {
    return transaction;
  }

  int number() {
    return number;
  }

  TransactionWrites.Mark mark() {
    return mark;
  }
}
