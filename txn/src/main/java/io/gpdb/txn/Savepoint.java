package io.gpdb.txn;

/** A moment of a transaction to which it can go back. */
public final class Savepoint {
  private final Transaction transaction;
  private final int mark;

  Savepoint(Transaction transaction, int mark) {
    this.transaction = transaction;
    this.mark = mark;
  }

  Transaction transaction() {
    return transaction;
  }

  int mark() {
    return mark;
  }
}
