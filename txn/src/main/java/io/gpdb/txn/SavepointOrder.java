package io.gpdb.txn;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.change.TransactionWrites;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which savepoints of a transaction are valid: those that no roll-back has passed. Where a
 * roll-back to one fails, half a statement may be left, and nothing but the roll-back of all is
 * possible.
 */
final class SavepointOrder {
  private List<Passed> passed = List.of();
  private int last;
  private @Nullable Throwable failure;

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

  /** Throws TRANSACTION_STATE where a roll-back to a savepoint has failed. */
  void requireUndone(long transactionId) {
    if (failure != null) {
      throw new GpdbException(
          ErrorCode.TRANSACTION_STATE,
          "changes could not be undone, roll back all of transaction " + transactionId,
          failure);
    }
  }

  /**
   * Ends the savepoints after one and undoes what came after it; throws SAVEPOINT_UNKNOWN where a
   * roll-back has passed it.
   */
  void rollBackTo(Savepoint savepoint, long transactionId, Runnable undo) {
    int number = savepoint.number();
    if (savepoint.order() != this || !isValid(number)) {
      throw new GpdbException(
          ErrorCode.SAVEPOINT_UNKNOWN,
          "savepoint does not exist any more, transaction=" + transactionId);
    }
    if (number < last) {
      List<Passed> left = new ArrayList<>(passed);
      left.removeIf(p -> p.from() >= number);
      left.add(new Passed(number, last));
      passed = left;
    }
    try {
      undo.run();
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }
}
