package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.definition.Deferrability;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.ChangeWatch;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The constraints of one transaction: what its running statement changes, and what is checked at
 * its end.
 */
final class TransactionConstraints implements ChangeWatch, StatementConstraints.Deferral {
  private final Transaction transaction;
  private final Function<Transaction, Execution> executions;
  private final Function<Execution, ConstraintGraph> graphs;
  private final RowConstraints rowConstraints;
  private final DeferredKeys waiting = new DeferredKeys();
  private final DeferredRows waitingRows = new DeferredRows();
  private final Map<ConstraintId, Boolean> modes = new HashMap<>();
  private @Nullable Boolean modeOfAll;
  private @Nullable StatementConstraints statement;

  TransactionConstraints(
      Transaction transaction,
      Function<Transaction, Execution> executions,
      Function<Execution, ConstraintGraph> graphs,
      RowConstraints rowConstraints) {
    this.transaction = transaction;
    this.executions = executions;
    this.graphs = graphs;
    this.rowConstraints = rowConstraints;
  }

  /** Begins to watch a statement, or ends it with null. */
  void statement(@Nullable StatementConstraints begun) {
    statement = begun;
  }

  @Nullable StatementConstraints statement() {
    return statement;
  }

  @Override
  public boolean watches(int tableId) {
    StatementConstraints running = statement;
    return running != null && running.watches(tableId);
  }

  private StatementConstraints running() {
    StatementConstraints running = statement;
    if (running == null) {
      throw new GpdbException(ErrorCode.INTERNAL, "a change outside of a statement");
    }
    return running;
  }

  @Override
  public void inserted(int tableId, long firstRow, int n) {
    running().inserted(tableId, firstRow, n);
  }

  @Override
  public void updating(int tableId, int tablet, HostBuffer rowsInTablet, int n, int[] columns) {
    running().updating(tableId, tablet, rowsInTablet, n, columns);
  }

  @Override
  public void deleting(int tableId, int tablet, HostBuffer rowsInTablet, int n) {
    running().deleting(tableId, tablet, rowsInTablet, n);
  }

  @Override
  public boolean isDeferred(ConstraintId id, Deferrability deferrability) {
    if (!deferrability.isDeferrable()) {
      return false;
    }
    boolean all = modeOfAll == null ? deferrability.isDeferred() : modeOfAll;
    return modes.getOrDefault(id, all);
  }

  @Override
  public void defer(ConstraintId id, ChosenRows rows) {
    if (rows.count() > 0) {
      waitingRows.add(id, rows, transaction.lastSavepoint());
    }
  }

  @Override
  public void defer(Reference reference, KeyTable keys) {
    waiting.add(reference, keys, transaction);
    if (waiting.count() > DeferredKeys.KEYS_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "too many keys of deferred foreign keys: keys="
              + waiting.count()
              + ", limit="
              + DeferredKeys.KEYS_MAX);
    }
  }

  /**
   * SET CONSTRAINTS: those that become immediate are checked at once, and all stay as they are if
   * one is violated.
   */
  void set(List<String> names, boolean deferred) {
    Execution x = executions.apply(transaction);
    ConstraintGraph graph = graphs.apply(x);
    if (names.isEmpty()) {
      if (!deferred) {
        check(x, graph, _ -> true);
      }
      modes.clear();
      modeOfAll = deferred;
      return;
    }
    Set<ConstraintId> named = new LinkedHashSet<>();
    names.forEach(name -> named.addAll(deferrable(graph, name)));
    if (!deferred) {
      check(x, graph, named::contains);
    }
    named.forEach(id -> modes.put(id, deferred));
  }

  private static Set<ConstraintId> deferrable(ConstraintGraph graph, String name) {
    Map<ConstraintId, Deferrability> named = graph.named(name);
    if (named.isEmpty()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT, "constraint " + name + " does not exist");
    }
    if (!named.values().stream().allMatch(Deferrability::isDeferrable)) {
      throw new GpdbException(
          SqlCondition.WRONG_KIND_OF_OBJECT, "constraint " + name + " is not DEFERRABLE");
    }
    return named.keySet();
  }

  private boolean isWaiting() {
    return !(waiting.isEmpty() && waitingRows.isEmpty());
  }

  /** Checks what waits: at the end, and before tables get other definitions. */
  void checkAll() {
    if (isWaiting()) {
      Execution x = executions.apply(transaction);
      check(x, graphs.apply(x), _ -> true);
    }
  }

  /** Checks what waits for one of the constraints: keys and CHECK before foreign keys. */
  private void check(Execution x, ConstraintGraph graph, Predicate<ConstraintId> wanted) {
    waitingRows.judge(
        wanted,
        transaction.lastSavepoint(),
        (id, rows) -> rowConstraints.judge(x, graph, id, rows));
    waiting
        .of(graph, wanted, transaction)
        .forEach(
            (id, keys) -> {
              Reference reference = graph.reference(id);
              if (reference != null) {
                ReferenceCheck check = new ReferenceCheck(reference, transaction);
                check.ofChildren(keys);
                check.ofParents(keys);
              }
              waiting.checked(id, transaction.lastSavepoint());
            });
  }

  @Override
  public void rolledBack(int savepoint) {
    waiting.rolledBack(savepoint);
    waitingRows.rolledBack(savepoint);
  }

  @Override
  public void beforeCommit() {
    if (isWaiting()) {
      transaction.beginStatement();
      transaction.beginChange();
      checkAll();
    }
  }
}
