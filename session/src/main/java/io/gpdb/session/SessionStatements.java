package io.gpdb.session;

import io.gpdb.planner.Prepared;
import io.gpdb.planner.statement.BatchResult;
import io.gpdb.planner.statement.KeyRequest;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.planner.statement.SessionNumbers;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.session.database.Database;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.api.SnapshotHold;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The statements and batches of a session, one at a time, under its lock: each in the current
 * transaction or one of its own, with an account for its memory.
 */
final class SessionStatements {
  private final Database database;
  private final Owner session;
  private final CurrentTransaction current;
  private final SessionIsolation isolation;
  private final SessionNumbers numbers;
  private final TemporaryTables temporaryTables;

  /** What they need of the session. */
  interface Owner {
    /** Whether a statement has a transaction of its own now. */
    boolean hasOwnTransactions();

    /** The current transaction, begun now where it has to be, or a new one for one statement. */
    Transaction transaction();

    /** Throws where the session may not change anything. */
    void beforeChange();

    void commit(Transaction transaction);

    /** Rows that end, with their release, that transaction or that hold of a snapshot. */
    Outcome.Rows rows(
        List<OutputColumn> columns,
        RowSet rows,
        @Nullable Transaction own,
        @Nullable SnapshotHold held);

    /** Runs a statement about the session itself. */
    Outcome control(Binding.Bound bound, Cancellation cancellation, @Nullable Transaction own);
  }

  SessionStatements(
      Database database,
      Owner session,
      CurrentTransaction current,
      SessionIsolation isolation,
      SessionNumbers numbers,
      TemporaryTables temporaryTables) {
    this.database = database;
    this.session = session;
    this.current = current;
    this.isolation = isolation;
    this.numbers = numbers;
    this.temporaryTables = temporaryTables;
  }

  /** Work in a transaction, which is {@code own} when it is that of one statement. */
  private interface StatementWork<T> {
    T run(Transaction transaction, boolean own);
  }

  /**
   * Runs a statement in the current transaction or one of its own; again, in a new one, when it met
   * the automatic rewriting of a table and its transaction began with it, so that nothing is lost.
   */
  private <T> T inTransaction(StatementWork<T> work) {
    boolean own = session.hasOwnTransactions();
    boolean begins = !current.isOpen();
    Transaction transaction = session.transaction();
    while (true) {
      try {
        return work.run(transaction, own);
      } catch (GpdbException e) {
        boolean again = begins && transaction.metRewrite();
        if (!again || !(own || current.transaction() == transaction)) {
          throw e;
        }
      }
      IsolationLevel level = transaction.isolation();
      transaction = own ? current.beginOwn(level) : current.restart(transaction, level);
    }
  }

  Outcome execute(
      String sql, Binding binding, Cancellation cancellation, @Nullable KeyRequest keys) {
    return inTransaction(
        (transaction, own) -> {
          boolean done = false;
          MemoryAccount memory = database.memory().statement(sql);
          try (StopSignal.Scope _ = cancellation.bind();
              SessionNumbers.Scope _ = numbers.bind();
              MemoryAccount.Scope _ = memory.bind()) {
            Binding.Bound bound = binding.bind(database.engine(), sql, transaction);
            if (temporaryTables.begin(bound.plan(), transaction)) {
              bound = binding.bind(database.engine(), sql, transaction);
            }
            if (bound.plan().kind() == StatementKind.SESSION) {
              done = true;
              return keeping(
                  memory, session.control(bound, cancellation, own ? transaction : null));
            }
            Outcome outcome = run(bound, transaction, own, keys);
            done = true;
            return keeping(memory, outcome);
          } catch (RuntimeException | Error e) {
            memory.close();
            throw e;
          } finally {
            if (own && !done) {
              rollbackOwn(transaction);
            }
          }
        });
  }

  /** Rows keep the memory of their statement until they are released. */
  private static Outcome keeping(MemoryAccount memory, Outcome outcome) {
    switch (outcome) {
      case Outcome.Count _ -> memory.close();
      case Outcome.Rows _ -> {}
    }
    return outcome;
  }

  private Outcome run(
      Binding.Bound bound, Transaction transaction, boolean own, @Nullable KeyRequest keys) {
    Prepared prepared = bound.plan();
    isolation.use();
    boolean setsConstraints =
        prepared.kind() == StatementKind.DEFINITION
            && prepared.analyzed() instanceof Analyzed.SetConstraints;
    if (prepared.kind() != StatementKind.QUERY && !setsConstraints) {
      session.beforeChange();
    }
    Result result =
        keys == null
            ? prepared.execute(transaction, bound.values())
            : prepared.execute(transaction, bound.values(), keys);
    return switch (result) {
      case Result.UpdateCount count -> {
        if (own) {
          session.commit(transaction);
        }
        yield new Outcome.Count(count.rows());
      }
      case Result.Keyed keyed -> {
        Outcome.Keys kept = Outcome.Keys.of(keyed);
        if (own) {
          session.commit(transaction);
        }
        yield new Outcome.Count(keyed.count(), kept);
      }
      case Result.Rows rows when prepared.kind() != StatementKind.QUERY -> {
        if (own) {
          session.commit(transaction);
        }
        yield session.rows(prepared.columns(), rows.rows(), null, null);
      }
      case Result.Rows rows -> {
        if (own) {
          transaction.awaitSeen(); // of rows that were locked, and may not be durable
        }
        yield session.rows(
            prepared.columns(),
            rows.rows(),
            own ? transaction : null,
            own ? null : transaction.holdSnapshot());
      }
    };
  }

  static void rollbackOwn(Transaction transaction) {
    if (transaction.isActive()) {
      transaction.rollback();
    }
  }

  /** Does nothing and returns nothing where the rows need more than one plan. */
  Optional<Outcome.Batch> executeBatch(
      String sql, BatchBinding binding, Cancellation cancellation, @Nullable KeyRequest keys) {
    return inTransaction(
        (transaction, own) -> {
          boolean done = false;
          try (MemoryAccount memory = database.memory().statement(sql);
              StopSignal.Scope _ = cancellation.bind();
              SessionNumbers.Scope _ = numbers.bind();
              MemoryAccount.Scope _ = memory.bind()) {
            BatchBinding.Bound bound = binding.bind(database.engine(), sql, transaction);
            if (bound == null) {
              return Optional.empty();
            }
            Prepared prepared = bound.plan();
            ParameterColumns batch = bound.rows();
            if (prepared.kind() != StatementKind.CHANGE) {
              throw new GpdbException(
                  SqlCondition.INVALID_STATEMENT,
                  "a batch takes INSERT, UPDATE and DELETE: " + sql);
            }
            isolation.use();
            session.beforeChange();
            BatchResult result =
                keys == null
                    ? new BatchResult(prepared.executeBatch(transaction, batch), null)
                    : prepared.executeBatch(transaction, batch, keys);
            Result.Keyed keyed = result.keys();
            Outcome.Keys kept = keyed == null ? null : Outcome.Keys.of(keyed);
            if (own) {
              session.commit(transaction);
            }
            done = true;
            return Optional.of(new Outcome.Batch(result.counts(), kept));
          } finally {
            if (own && !done) {
              rollbackOwn(transaction);
            }
          }
        });
  }
}
