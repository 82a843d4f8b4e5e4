package io.gpdb.txn;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.change.TransactionWrites;
import java.util.ArrayList;
import java.util.List;

/** Which savepoints of a transaction are valid: those that no roll-back has passed. */
final class SavepointOrder {
  private final List<Passed> passed = new ArrayList<>(0);
  private int last;

  /** Savepoints after {@code from}, up to {@code to}. */
  private record Passed(int from, int to) {}

  Savepoint begin(TransactionWrites.Mark mark) {
    return new Savepoint(this, ++last, mark);
  }

  int last() {
    return last;
  }

  private boolean isValid(int number) {
    for (Passed p : passed) {
      if (number > p.from() && number <= p.to()) {
        return false;
      }
    }
    return true;
  }

  /** Ends the savepoints after one; throws SAVEPOINT_UNKNOWN where a roll-back has passed it. */
  void rollBackTo(Savepoint savepoint, long transactionId) {
    int number = savepoint.number();
    if (savepoint.order() != this || !isValid(number)) {
      throw new GpdbException(
          ErrorCode.SAVEPOINT_UNKNOWN,
          "savepoint does not exist any more, transaction=" + transactionId);
    }
    if (number < last) {
      passed.removeIf(p -> p.from() >= number);
      passed.add(new Passed(number, last));
    }
  }
}
