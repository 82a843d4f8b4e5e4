package io.gpdb.planner.constraint;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.ChangeWatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The constraints of one transaction: what its running statement changes, and the foreign keys that
 * are checked at its end.
 */
final class TransactionConstraints implements ChangeWatch, StatementConstraints.Deferral {
  private final Transaction transaction;
  private final Function<Transaction, ConstraintGraph> graphs;
  private final DeferredKeys waiting = new DeferredKeys();
  private final Map<Reference.Id, Boolean> modes = new HashMap<>();
  private @Nullable Boolean modeOfAll;
  private @Nullable StatementConstraints statement;

  TransactionConstraints(Transaction transaction, Function<Transaction, ConstraintGraph> graphs) {
    this.transaction = transaction;
    this.graphs = graphs;
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
  public boolean isDeferred(Reference reference) {
    if (!reference.key().deferrable()) {
      return false;
    }
    Boolean all = modeOfAll == null ? Boolean.valueOf(reference.key().deferred()) : modeOfAll;
    return modes.getOrDefault(reference.id(), all);
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
   * SET CONSTRAINTS: those that become immediate are checked at once, and stay if one is violated.
   */
  void set(List<String> names, boolean deferred) {
    ConstraintGraph graph = graphs.apply(transaction);
    if (names.isEmpty()) {
      if (!deferred) {
        check(graph, _ -> true);
      }
      modes.clear();
      modeOfAll = deferred;
      return;
    }
    for (String name : names) {
      List<Reference> named = graph.named(name);
      if (named.isEmpty()) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT, "foreign key " + name + " does not exist");
      }
      for (Reference reference : named) {
        if (!reference.key().deferrable()) {
          throw new GpdbException(
              SqlCondition.WRONG_KIND_OF_OBJECT, "constraint " + name + " is not DEFERRABLE");
        }
        if (!deferred) {
          check(graph, reference::equals);
        }
        modes.put(reference.id(), deferred);
      }
    }
  }

  /** Checks what waits: at the end, and before tables get other definitions. */
  void checkAll() {
    if (!waiting.isEmpty()) {
      check(graphs.apply(transaction), _ -> true);
    }
  }

  private void check(ConstraintGraph graph, Predicate<Reference> wanted) {
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
  }

  @Override
  public void beforeCommit() {
    if (!waiting.isEmpty()) {
      transaction.beginStatement();
      transaction.beginChange();
      checkAll();
    }
  }
}
