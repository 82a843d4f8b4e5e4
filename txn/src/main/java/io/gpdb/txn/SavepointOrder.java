package io.gpdb.txn;

import java.util.ArrayList;
import java.util.List;

/** Which savepoints of a transaction are valid: those that no roll-back has passed. */
final class SavepointOrder {
  private final List<Passed> passed = new ArrayList<>(0);
  private int last;

  /** Savepoints after {@code from}, up to {@code to}. */
  private record Passed(int from, int to) {}

  int next() {
    return ++last;
  }

  int last() {
    return last;
  }

  boolean isValid(int number) {
    for (Passed p : passed) {
      if (number > p.from() && number <= p.to()) {
        return false;
      }
    }
    return true;
  }

  void rollBackTo(int number) {
    if (number < last) {
      passed.removeIf(p -> p.from() >= number);
      passed.add(new Passed(number, last));
    }
  }
}
