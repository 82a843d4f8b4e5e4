package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.ChosenRows;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Rows that deferred CHECK constraints, keys and MATCH FULL must be judged by before a transaction
 * ends. They are kept when they are judged: they wait again when a savepoint before that is gone
 * back to.
 */
final class DeferredRows {
  private static final int WAITS = -1;

  private final Map<Place, Changed> all = new LinkedHashMap<>();

  /** A constraint of a table as it is stored. */
  private record Place(int tableId, ConstraintId id) {}

  /** Rows that were changed. */
  private static final class Changed {
    private final ChosenRows rows;

    /** The last savepoint when the first of them was changed. */
    private final int since;

    /** The last savepoint when they were found to hold, or {@code WAITS}. */
    private int judgedAt = WAITS;

    Changed(int tableId, int since) {
      this.rows = new ChosenRows(tableId);
      this.since = since;
    }

    boolean waits() {
      return judgedAt == WAITS;
    }
  }

  /** What judges rows by a constraint; throws where they violate it. */
  interface Judge {
    void judge(ConstraintId id, ChosenRows rows);
  }

  boolean isEmpty() {
    return all.values().stream().noneMatch(Changed::waits);
  }

  void add(ConstraintId id, ChosenRows rows, int lastSavepoint) {
    Changed changed =
        all.computeIfAbsent(
            new Place(rows.tableId(), id), place -> new Changed(place.tableId(), lastSavepoint));
    changed.rows.addAll(rows);
    changed.judgedAt = WAITS;
  }

  /** Judges those that wait for one of the constraints. */
  void judge(Predicate<ConstraintId> wanted, int lastSavepoint, Judge judge) {
    for (Place place : List.copyOf(all.keySet())) {
      Changed changed = all.get(place);
      if (changed != null && changed.waits() && wanted.test(place.id())) {
        judge.judge(place.id(), changed.rows);
        changed.judgedAt = lastSavepoint;
      }
    }
  }

  /**
   * What was judged after the savepoint waits again; what was changed after it is gone, and with it
   * perhaps the constraint or the table as it was stored.
   */
  void rolledBack(int savepoint) {
    all.values().removeIf(changed -> changed.since >= savepoint);
    for (Changed changed : all.values()) {
      if (changed.judgedAt >= savepoint) {
        changed.judgedAt = WAITS;
      }
    }
  }
}
