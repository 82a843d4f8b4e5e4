package io.gpdb.session;

import io.gpdb.planner.Prepared;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.session.copy.CopyIn;
import io.gpdb.session.copy.CopyOut;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Savepoint;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Carries out the statements that concern the session and not the planner. */
final class SessionControl {
  private final Session session;

  SessionControl(Session session) {
    this.session = session;
  }

  /** {@code own} is the transaction of this one statement, when it has one. */
  Outcome run(Binding.Bound bound, Cancellation cancellation, @Nullable Transaction own) {
    Analyzed statement = bound.plan().analyzed();
    if (statement instanceof Analyzed.CopyFrom copy) {
      return count(inTransaction(own, transaction -> copyFrom(copy, transaction, cancellation)));
    }
    if (statement instanceof Analyzed.CopyTo copy) {
      return count(
          inTransaction(
              own, transaction -> copyTo(copy, bound.values(), transaction, cancellation)));
    }
    if (statement instanceof Analyzed.Show show) {
      return SessionSettings.show(session, show.name(), own);
    }
    if (statement instanceof Analyzed.OpenCursor open) {
      return count(inTransaction(own, transaction -> open(open, transaction, own != null)));
    }
    session.atomicStatements().admit(statement);
    if (own != null) {
      own.rollback();
    }
    if (statement instanceof Analyzed.Call call) {
      ProcedureRun run = new ProcedureRun(call, session.schema(), statements(cancellation));
      return session
          .atomicStatements()
          .<Outcome, RuntimeException>run(() -> run.run(bound.values()));
    }
    if (statement instanceof Analyzed.Fetch fetch) {
      return session.cursors().fetch(fetch);
    }
    if (statement instanceof Analyzed.Positioned change) {
      return positioned(change, bound.values(), cancellation);
    }
    switch (statement) {
      case Analyzed.Begin begin -> begin(begin);
      case Analyzed.Commit commit -> ending(commit.chain(), session::commit);
      case Analyzed.Rollback rollback -> ending(rollback.chain(), session::rollback);
      case Analyzed.Savepoint savepoint -> session.setSavepoint(savepoint.name());
      case Analyzed.RollbackTo back -> session.rollbackTo(session.savepoints().named(back.name()));
      case Analyzed.Release release -> session.release(session.savepoints().named(release.name()));
      case Analyzed.SetOption set -> SessionSettings.set(session, set.name(), set.value());
      case Analyzed.SetTransaction set when set.session() -> setForSession(set);
      case Analyzed.SetTransaction set -> setForTransaction(set);
      case Analyzed.CreateFullSchema create -> createAll(create, cancellation);
      case Analyzed.DeclareCursor declared -> session.cursors().declare(declared);
      case Analyzed.CloseCursor close -> session.cursors().close(close.name());
      case Analyzed.Checkpoint checkpoint -> session.database().transactions().checkpointDetached();
      case Analyzed.Backup backup -> backUp(backup.directory());
      default ->
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED,
              statement.getClass().getSimpleName() + " is not supported by the session");
    }
    return count(0);
  }

  /** Carries out what a database takes that has failed; whether the statement is such a one. */
  boolean runFailed(Analyzed statement) {
    session.atomicStatements().admit(statement);
    switch (statement) {
      case Analyzed.Rollback rollback when !rollback.chain() -> session.rollback();
      case Analyzed.SetOption set when SessionSettings.isDevice(set.name()) ->
          SessionSettings.set(session, set.name(), set.value());
      default -> {
        return false;
      }
    }
    return true;
  }

  private ProcedureRun.Statements statements(Cancellation cancellation) {
    return new ProcedureRun.Statements() {
      @Override
      public Outcome execute(String sql, Binding binding) {
        return session.execute(sql, binding, cancellation);
      }

      @Override
      public Transaction transaction() {
        return session.transaction();
      }

      @Override
      public Prepared prepare(String query, Transaction transaction) {
        return session.database().engine().prepare(query, transaction);
      }

      @Override
      public Prepared prepare(Analyzed.Query query, Transaction transaction) {
        return session.database().engine().prepare(query, transaction);
      }

      @Override
      public Outcome rows(List<OutputColumn> columns, RowSet rows) {
        return session.rows(columns, rows, null, null);
      }
    };
  }

  private long open(Analyzed.OpenCursor open, Transaction transaction, boolean own) {
    session.cursors().open(open.name(), transaction, own);
    return 0;
  }

  private Outcome positioned(
      Analyzed.Positioned change, ParameterValues values, Cancellation cancellation) {
    SessionCursors cursors = session.cursors();
    String sql = cursors.positioned(change);
    Binding same =
        (engine, text, transaction) -> {
          Prepared plan = engine.prepare(text, transaction);
          cursors.requireTable(change.cursor(), plan.analyzed());
          return new Binding.Bound(plan, values);
        };
    Outcome outcome = session.execute(sql, same, cancellation);
    cursors.changed(change);
    return outcome;
  }

  private void begin(Analyzed.Begin begin) {
    requireAdmitted(begin.readOnly());
    session.begin(begin.isolation());
    session.isolation().setReadOnlyForTransaction(begin.readOnly());
  }

  /** Ends the transaction; with {@code chain} one with the same modes begins. */
  private void ending(boolean chain, Runnable end) {
    if (!chain) {
      end.run();
      return;
    }
    session.requireManual("AND CHAIN");
    SessionIsolation isolation = session.isolation();
    IsolationLevel level = isolation.now();
    Boolean readOnly = isolation.readOnly();
    end.run();
    session.begin(level);
    isolation.setReadOnlyForTransaction(readOnly);
  }

  /** All or nothing. */
  private void createAll(Analyzed.CreateFullSchema create, Cancellation cancellation) {
    session
        .atomicStatements()
        .run(
            () -> {
              new FullSchema(
                      session.schema(),
                      statement -> session.execute(statement, Binding.NONE, cancellation))
                  .create(create);
              return create;
            });
  }

  private void setForSession(Analyzed.SetTransaction set) {
    IsolationLevel level = set.level();
    Boolean readOnly = set.readOnly();
    if (readOnly != null) {
      session.setReadOnly(readOnly);
    }
    if (level != null) {
      session.isolation().setForSession(level);
    }
  }

  private void setForTransaction(Analyzed.SetTransaction set) {
    IsolationLevel level = set.level();
    Boolean readOnly = set.readOnly();
    requireAdmitted(readOnly);
    if (level != null) {
      session.isolation().setForTransaction(level);
    }
    if (readOnly != null) {
      session.isolation().setReadOnlyForTransaction(readOnly);
    }
  }

  /** Refuses READ WRITE where the connection is read only. */
  private void requireAdmitted(@Nullable Boolean readOnly) {
    if (Boolean.FALSE.equals(readOnly)) {
      requireWritable("READ WRITE");
    }
  }

  /** A copy of what is committed; changes of an open transaction are not in it. */
  private void backUp(String directory) {
    if (directory.isBlank()) {
      // The empty path would be the process's working directory.
      throw new GpdbException(
          ErrorCode.INVALID_ARGUMENT, "BACKUP TO '" + directory + "' names no directory");
    }
    requireWritable("BACKUP");
    session.database().transactions().backUp(session.fileAccess().admit(directory));
  }

  private void requireWritable(String statement) {
    if (session.isReadOnly()) {
      throw new GpdbException(
          ErrorCode.READ_ONLY, statement + " is refused: the connection is read only");
    }
  }

  private static Outcome count(long rows) {
    return new Outcome.Count(rows);
  }

  private interface Work {
    long run(Transaction transaction);
  }

  /** All or nothing, in the statement's own transaction or as a part of the current one. */
  private long inTransaction(@Nullable Transaction own, Work work) {
    session.isolation().use();
    Transaction transaction =
        own == null ? Objects.requireNonNull(session.current().transaction()) : own;
    Savepoint before = own == null ? transaction.savepoint() : null;
    boolean done = false;
    try {
      long rows = work.run(transaction);
      if (own != null) {
        session.commit(own);
      }
      done = true;
      return rows;
    } finally {
      if (!done && transaction.isActive()) {
        if (before == null) {
          transaction.rollback();
        } else {
          transaction.rollbackTo(before);
        }
      }
    }
  }

  private long copyFrom(
      Analyzed.CopyFrom copy, Transaction transaction, Cancellation cancellation) {
    session.beforeChange();
    transaction.usesCodes();
    CopyIn in =
        new CopyIn(
            copy.table(),
            copy.columns(),
            copy.names(),
            copy.format(),
            copy.file(),
            session.fileAccess().admit(copy.file()),
            session.copyProgress(),
            cancellation::isRequested);
    return session
        .database()
        .engine()
        .keepingConstraints(
            transaction,
            copy,
            rows ->
                in.run(transaction, new CopyDefaults(session.database(), copy, transaction, rows)));
  }

  private long copyTo(
      Analyzed.CopyTo copy,
      ParameterValues values,
      Transaction transaction,
      Cancellation cancellation) {
    requireWritable("COPY … TO");
    Prepared query = session.database().engine().prepare(copy.query(), transaction);
    List<OutputColumn> columns = query.columns();
    SqlTypeSpec[] types = Outcome.types(columns);
    List<String> names = new ArrayList<>();
    columns.forEach(column -> names.add(column.name()));
    CopyOut out =
        new CopyOut(
            copy.file(),
            session.fileAccess().admit(copy.file()),
            copy.format(),
            session.copyProgress(),
            cancellation::isRequested);
    try (RowSet rows = Outcome.rows(query.execute(transaction, values))) {
      return out.run(
          names,
          new CopyOut.Rows() {
            @Override
            public boolean next() {
              return rows.next();
            }

            @Override
            public @Nullable String text(int column) {
              return rows.isNull(column) ? null : ValueText.of(types[column], rows, column);
            }
          });
    }
  }
}
