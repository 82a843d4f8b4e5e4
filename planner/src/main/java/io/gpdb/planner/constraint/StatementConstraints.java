package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
    boolean isDeferred(Reference reference);

    /** Keys as the child stores them. */
    void defer(Reference reference, KeyTable keys);
  }

  private final Execution x;
  private final ConstraintGraph graph;
  private final CheckPlans checks;
  private final ColumnDefaults defaults;
  private final Recomputation recomputation;
  private final Deferral deferral;
  private final Map<Integer, TableChanges> tables = new LinkedHashMap<>();
  private final Map<Reference.Id, KeyTable> parentKeys = new LinkedHashMap<>();

  StatementConstraints(
      Execution x,
      ConstraintGraph graph,
      CheckPlans checks,
      ColumnDefaults defaults,
      Recomputation recomputation,
      Deferral deferral) {
    this.x = x;
    this.graph = graph;
    this.checks = checks;
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

  private void judgeChecks(TableChanges changes) {
    TableDef table = changes.table().table();
    if (changes.rows().count() == 0) {
      return;
    }
    for (CheckDef check : table.checks()) {
      CheckPlan plan = checks.of(table, check);
      if (plan.reads(changes.changedColumns())) {
        long row = plan.firstViolation(x, changes.rows());
        if (row >= 0) {
          throw violation(x, table, check, row);
        }
      }
    }
  }

  static GpdbException violation(Execution x, TableDef table, CheckDef check, long row) {
    return new GpdbException(
        SqlCondition.CHECK_VIOLATION,
        "check constraint "
            + check.name()
            + " of table "
            + table.name()
            + " is violated by the row "
            + RowText.of(table, x.transaction().reader(table.tableId()), row));
  }

  private void judgeReferences(TableChanges changes) {
    for (Reference reference : changes.table().references()) {
      if (isAny(changes.changedColumns(), reference.columns())) {
        KeyTable keys = keys(reference, changes.rows());
        if (keys.count() > 0) {
          if (deferral.isDeferred(reference)) {
            deferral.defer(reference, keys);
          } else {
            new ReferenceCheck(reference, transaction()).ofChildren(keys);
          }
        }
      }
    }
  }

  private void judgeParents(Reference.Id id, KeyTable keys) {
    Reference reference = Objects.requireNonNull(graph.reference(id));
    if (deferral.isDeferred(reference)) {
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

  /** The foreign key's values in those rows, as far as none is NULL. */
  private KeyTable keys(Reference reference, ChosenRows rows) {
    TableReader reader = transaction().reader(reference.child().tableId());
    KeyTable keys = new KeyTable(reference.width());
    long[] values = new long[reference.width()];
    boolean[] nulls = new boolean[reference.width()];
    for (int tablet : rows.tablets()) {
      BitSet chosen = rows.of(tablet);
      for (int r = next(chosen, 0); r >= 0; r = next(chosen, r + 1)) {
        StopSignal.poll(r);
        long row = (long) tablet * Tablet.ROWS + r;
        if (reader.read(row, reference.columns(), values, nulls)) {
          if (!isAny(nulls)) {
            keys.add(values);
          } else if (reference.key().matchesFull() && !isAll(nulls)) {
            throw ReferenceCheck.nullInPart(reference, reader, row);
          }
        }
      }
    }
    return keys;
  }

  private static int next(@Nullable BitSet rows, int from) {
    return rows == null ? -1 : rows.nextSetBit(from);
  }

  private static boolean isAll(boolean[] flags) {
    for (boolean flag : flags) {
      if (!flag) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAny(boolean[] flags) {
    for (boolean flag : flags) {
      if (flag) {
        return true;
      }
    }
    return false;
  }
}
