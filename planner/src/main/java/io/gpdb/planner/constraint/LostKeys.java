package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.definition.ForeignKeyDef.Action;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.RowBlock;
import io.gpdb.txn.api.TableReader;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The keys that parents of one foreign key have lost: deleted with their rows, or changed to
 * others. All keys are as the child stores them.
 */
final class LostKeys {
  private final Reference reference;
  private final Execution x;
  private final KeyTable deleted;
  private final KeyTable changed;
  private long[] newKeys = {};
  private boolean[] newNulls = {};

  private LostKeys(Reference reference, Execution x) {
    this.reference = reference;
    this.x = x;
    this.deleted = new KeyTable(reference.width());
    this.changed = new KeyTable(reference.width());
  }

  static LostKeys of(Reference reference, OldKeys old, Execution x) {
    LostKeys lost = new LostKeys(reference, x);
    TableReader parent = x.transaction().reader(reference.parent().tableId());
    KeyTranslation translation = new KeyTranslation(reference, x.transaction());
    int width = reference.width();
    long[] before = new long[width];
    long[] after = new long[width];
    boolean[] nulls = new boolean[width];
    long[] childKey = new long[width];
    long[] rows = new long[Math.min(old.count(), ReferenceCheck.BLOCK_ROWS)];
    for (int first = 0; first < old.count(); first += rows.length) {
      StopSignal.poll();
      int n = Math.min(rows.length, old.count() - first);
      for (int i = 0; i < n; i++) {
        rows[i] = old.row(first + i);
      }
      RowBlock now = parent.read(rows, n, reference.parentColumns());
      for (int i = 0; i < n; i++) {
        if (!old.read(first + i, reference.parentColumns(), before)) {
          continue;
        }
        boolean live = now.read(i, after, nulls);
        if (live && !NullFlags.isAny(nulls) && Arrays.equals(before, after)) {
          continue;
        }
        if (translation.toChild(before, childKey)) {
          lost.add(childKey, live, after, nulls, translation);
        }
      }
    }
    return lost;
  }

  private void add(
      long[] childKey, boolean live, long[] after, boolean[] nulls, KeyTranslation translation) {
    if (!live) {
      deleted.add(childKey);
      return;
    }
    int at = changed.add(childKey);
    if (at < 0 || reference.key().onUpdate() != Action.CASCADE) {
      return;
    }
    int width = reference.width();
    if ((at + 1) * width > newKeys.length) {
      newKeys = Arrays.copyOf(newKeys, Math.max(16, 2 * (at + 1) * width));
      newNulls = Arrays.copyOf(newNulls, newKeys.length);
    }
    long[] translated = new long[width];
    translation.toNewChild(after, nulls, translated);
    System.arraycopy(translated, 0, newKeys, at * width, width);
    System.arraycopy(nulls, 0, newNulls, at * width, width);
  }

  Reference reference() {
    return reference;
  }

  /** RESTRICT: no child may have one of the keys, whatever else the statement did. */
  void restrict() {
    restrict(reference.key().onDelete(), deleted);
    restrict(reference.key().onUpdate(), changed);
  }

  private void restrict(Action action, KeyTable keys) {
    if (action == Action.RESTRICT && keys.count() > 0) {
      ReferenceCheck check = new ReferenceCheck(reference, x.transaction());
      check.refuseChildren(keys, "RESTRICT");
      check.requireNoneUnseen(keys);
    }
  }

  /** Changes the children; keys for which nothing is to be done are judged in the end. */
  void follow(ColumnDefaults defaults, Recomputation recomputation, Consumer<KeyTable> noAction) {
    ReferentialActions actions = new ReferentialActions(reference, x, defaults, recomputation);
    follow(reference.key().onDelete(), deleted, false, actions, noAction);
    follow(reference.key().onUpdate(), changed, true, actions, noAction);
  }

  private void follow(
      Action action,
      KeyTable keys,
      boolean update,
      ReferentialActions actions,
      Consumer<KeyTable> noAction) {
    if (keys.count() == 0 || action == Action.RESTRICT) {
      return;
    }
    if (action == Action.NO_ACTION) {
      noAction.accept(keys);
      return;
    }
    boolean carries = update && action == Action.CASCADE;
    actions.apply(action, keys, carries ? new ReferentialActions.NewKeys(newKeys, newNulls) : null);
    new ReferenceCheck(reference, x.transaction()).requireNoneUnseen(keys);
  }
}
