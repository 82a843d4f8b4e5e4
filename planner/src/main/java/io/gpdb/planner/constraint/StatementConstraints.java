package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.Deferrability;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What one statement has changed, and the constraints that this concerns. When all its changes are
 * made, the actions of foreign keys follow, in rounds, for they may change parents too; then CHECK
 * and foreign keys are judged by the rows as they are.
 */
final class StatementConstraints {
  /** Rounds of referential actions, each of which changes the children of the one before. */
  static final int ROUNDS_MAX = 1_000_000;

  /** Takes what is checked later. */
  interface Deferral {
    boolean isDeferred(ConstraintId id, Deferrability deferrability);

    /** Keys as the child stores them. */
    void defer(Reference reference, KeyTable keys);

    /** Rows that are new or have changed. */
    void defer(ConstraintId id, ChosenRows rows);
  }

  private final Execution x;
  private final ConstraintGraph graph;
  private final RowConstraints rowConstraints;
  private final OrphanPlans orphans;
  private final ColumnDefaults defaults;
  private final Recomputation recomputation;
  private final Deferral deferral;
  private final Map<Integer, TableChanges> tables = new LinkedHashMap<>();
  private final Map<ConstraintId, KeyTable> parentKeys = new LinkedHashMap<>();

  StatementConstraints(
      Execution x,
      ConstraintGraph graph,
      RowConstraints rowConstraints,
      OrphanPlans orphans,
      ColumnDefaults defaults,
      Recomputation recomputation,
      Deferral deferral) {
    this.x = x;
    this.graph = graph;
    this.rowConstraints = rowConstraints;
    this.orphans = orphans;
    this.defaults = defaults;
    this.recomputation = recomputation;
    this.deferral = deferral;
  }

  boolean watches(int tableId) {
    return graph.table(tableId) != null;
  }

  private Transaction transaction() {
    return x.transaction();
  }

  private TableChanges of(int tableId) {
    TableChanges known = tables.get(tableId);
    if (known == null) {
      known = new TableChanges(Objects.requireNonNull(graph.table(tableId)));
      tables.put(tableId, known);
    }
    return known;
  }

  void inserted(int tableId, long firstRow, int n) {
    of(tableId).inserted(firstRow, n);
  }

  void updating(int tableId, int tablet, HostBuffer rowsInTablet, int n, int[] columns) {
    of(tableId).updating(transaction().reader(tableId), tablet, rowsInTablet, n, columns);
  }

  void deleting(int tableId, int tablet, HostBuffer rowsInTablet, int n) {
    of(tableId).deleting(transaction().reader(tableId), tablet, rowsInTablet, n);
  }

  /** Carries the actions out and judges all. */
  void finish() {
    for (int round = 0; followParents(); round++) {
      if (round == ROUNDS_MAX) {
        throw new GpdbException(
            ErrorCode.LIMIT_EXCEEDED, "too many rounds of foreign keys' actions: " + ROUNDS_MAX);
      }
    }
    List<TableChanges> changed = List.copyOf(tables.values());
    for (TableChanges changes : changed) {
      judgeKeys(changes);
    }
    for (TableChanges changes : changed) {
      judgeChecks(changes);
    }
    for (TableChanges changes : changed) {
      judgeReferences(changes);
    }
    parentKeys.forEach((id, keys) -> judgeParents(id, keys));
  }

  /** Returns whether there were keys of parents to follow. */
  private boolean followParents() {
    Map<TableChanges, OldKeys> taken = new LinkedHashMap<>();
    for (TableChanges changes : tables.values()) {
      if (changes.hasOldKeys()) {
        taken.put(changes, changes.takeOldKeys());
      }
    }
    List<LostKeys> all = new ArrayList<>();
    taken.forEach(
        (changes, keys) ->
            changes.table().referencedBy().forEach(r -> all.add(LostKeys.of(r, keys, x))));
    all.forEach(LostKeys::restrict);
    for (LostKeys lost : all) {
      StopSignal.poll();
      lost.follow(defaults, recomputation, keys -> noAction(lost.reference(), keys));
    }
    return !taken.isEmpty();
  }

  private void noAction(Reference reference, KeyTable keys) {
    KeyTable known =
        parentKeys.computeIfAbsent(reference.id(), _ -> new KeyTable(reference.width()));
    for (int k = 0; k < keys.count(); k++) {
      known.add(keys.key(k));
    }
  }

  private void judgeKeys(TableChanges changes) {
    TableDef table = changes.table().table();
    for (IndexDef key : changes.table().deferrableKeys()) {
      if (isAny(changes.changedColumns(), key.columns())) {
        ConstraintId id = ConstraintId.of(table, key.name());
        if (deferral.isDeferred(id, Objects.requireNonNull(key.key()).deferrability())) {
          deferral.defer(id, changes.rows());
        } else {
          RowConstraints.judge(x, table, key, changes.rows());
        }
      }
    }
  }

  private void judgeChecks(TableChanges changes) {
    TableDef table = changes.table().table();
    if (changes.rows().count() == 0) {
      return;
    }
    for (CheckDef check : table.checks()) {
      if (rowConstraints.plan(table, check).reads(changes.changedColumns())) {
        ConstraintId id = ConstraintId.of(table, check.name());
        if (deferral.isDeferred(id, check.deferrability())) {
          deferral.defer(id, changes.rows());
        } else {
          rowConstraints.judge(x, table, check, changes.rows());
        }
      }
    }
  }

  private void judgeReferences(TableChanges changes) {
    for (Reference reference : changes.table().references()) {
      if (isAny(changes.changedColumns(), reference.columns())) {
        boolean deferred = deferral.isDeferred(reference.id(), reference.deferrability());
        ReferenceCheck check = new ReferenceCheck(reference, transaction());
        if (!deferred) {
          if (!orphans.areNone(x, reference, changes.rows())) {
            check.ofRows(changes.rows());
          }
        } else if (reference.key().matchesFull()) {
          deferral.defer(reference.id(), changes.rows());
        } else {
          deferral.defer(reference, check.keys(changes.rows()));
        }
      }
    }
  }

  private void judgeParents(ConstraintId id, KeyTable keys) {
    Reference reference = Objects.requireNonNull(graph.reference(id));
    if (deferral.isDeferred(reference.id(), reference.deferrability())) {
      deferral.defer(reference, keys);
    } else {
      new ReferenceCheck(reference, transaction()).ofParents(keys);
    }
  }

  private static boolean isAny(BitSet set, int[] columns) {
    for (int column : columns) {
      if (set.get(column)) {
        return true;
      }
    }
    return false;
  }
}
