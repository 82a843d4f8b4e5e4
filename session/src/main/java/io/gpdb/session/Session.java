package io.gpdb.session;

import io.gpdb.planner.Prepared;
import io.gpdb.planner.statement.KeyRequest;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.planner.statement.SessionNumbers;
import io.gpdb.session.copy.CopyProgress;
import io.gpdb.session.database.Database;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.api.SnapshotHold;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one connection does: its transaction, its settings, and the statements that it runs one
 * after another. States: idle, in a transaction (begun by the first statement without autocommit,
 * or by BEGIN), closed.
 *
 * <p>With autocommit and no BEGIN every statement has a transaction of its own; that of a query
 * ends when its rows are read or closed.
 */
public final class Session implements AutoCloseable {
  private final Database database;
  private final SessionLock lock = new SessionLock();
  private final SessionSavepoints savepoints = new SessionSavepoints();
  private final CurrentTransaction current;
  private final SessionIsolation isolation;
  private final SessionSchema schema;
  private final TemporaryTables temporaryTables;
  private final AtomicStatements atomicStatements = new AtomicStatements(this);
  private final SessionNumbers numbers = new SessionNumbers();
  private final SessionCursors cursors = new SessionCursors(this);
  private final SessionStatements statements;

  private final OpenResults openResults = new OpenResults();
  private final SessionUse use;

  /** Whether the current transaction began with BEGIN. */
  private boolean begun;

  private FileAccess fileAccess;
  private volatile boolean autoCommit = true;
  private volatile boolean readOnly;
  private volatile boolean closed;
  private final StopSignal stop = new StopSignal(null);
  private volatile CopyProgress copyProgress = CopyProgress.SILENT;

  public Session(Database database, boolean readOnly, FileAccess fileAccess) {
    this.database = database;
    this.fileAccess = fileAccess;
    this.readOnly = readOnly;
    numbers.readOnly(readOnly);
    this.current = new CurrentTransaction(database);
    this.isolation = new SessionIsolation(current);
    this.schema = new SessionSchema(current, this::catalog);
    this.temporaryTables = new TemporaryTables(database, current);
    this.statements =
        new SessionStatements(
            database, new StatementOwner(), current, isolation, numbers, temporaryTables);
    this.use = new SessionUse(lock, current, openResults, cursors::anyOpen);
    database.join(use);
  }

  public Database database() {
    return database;
  }

  FileAccess fileAccess() {
    return fileAccess;
  }

  /** Once narrowed, it stays: the SQL that is to be kept from files could widen it again. */
  void narrow(FileAccess narrower) {
    if (!fileAccess.includes(narrower)) {
      throw new GpdbException(
          ErrorCode.PERMISSION_DENIED,
          "file_access can only be narrowed: now="
              + fileAccess.text()
              + ", asked="
              + narrower.text());
    }
    fileAccess = narrower;
  }

  public SessionLock lock() {
    return lock;
  }

  SessionSavepoints savepoints() {
    return savepoints;
  }

  SessionCursors cursors() {
    return cursors;
  }

  CopyProgress copyProgress() {
    return copyProgress;
  }

  public void onCopyProgress(CopyProgress listener) {
    copyProgress = listener;
  }

  public boolean isAutoCommit() {
    return autoCommit;
  }

  public boolean isReadOnly() {
    return readOnly;
  }

  public CurrentTransaction current() {
    return current;
  }

  public SessionIsolation isolation() {
    return isolation;
  }

  public SessionSchema schema() {
    return schema;
  }

  public AtomicStatements atomicStatements() {
    return atomicStatements;
  }

  public void setReadOnly(boolean only) {
    if (!only && database.transactions().options().readOnly()) {
      throw new GpdbException(ErrorCode.READ_ONLY, "the database was opened read only");
    }
    readOnly = only;
    numbers.readOnly(only);
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      requireOpen();
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new GpdbException(ErrorCode.CLOSED, "the connection is closed");
    }
  }

  /** Runs one statement; {@code binding} provides its plan and its values. */
  public Outcome execute(String sql, Binding binding, Cancellation cancellation) {
    return execute(sql, binding, cancellation, null);
  }

  /** As {@link #execute(String, Binding, Cancellation)}, with the keys that are asked for. */
  public Outcome execute(
      String sql, Binding binding, Cancellation cancellation, @Nullable KeyRequest keys) {
    lock.lock();
    try {
      requireOpen();
      return statements.execute(sql, binding, cancellation, keys);
    } catch (GpdbException e) {
      return FailedStatements.outcome(sql, e, new SessionControl(this)::runFailed);
    } finally {
      lock.unlock();
    }
  }

  /**
   * One batch, one transaction when none is open, one call of the engine; with the keys that are
   * asked for. Does nothing and returns nothing where the rows need more than one plan.
   */
  public Optional<Outcome.Batch> executeBatch(
      String sql, BatchBinding batch, Cancellation cancellation, @Nullable KeyRequest keys) {
    return locked(() -> statements.executeBatch(sql, batch, cancellation, keys));
  }

  /** Rows that end, with their release, that transaction or that hold of a snapshot. */
  Outcome.Rows rows(
      List<OutputColumn> columns,
      RowSet rows,
      @Nullable Transaction own,
      @Nullable SnapshotHold held) {
    if (own != null) {
      openResults.begun(own);
    }
    return new Outcome.Rows(
        columns,
        rows,
        new RowsOwner(lock, openResults, own, held, MemoryAccount.current()),
        own != null);
  }

  /** What the statements need of it. */
  private final class StatementOwner implements SessionStatements.Owner {
    private final SessionControl control = new SessionControl(Session.this);

    @Override
    public boolean hasOwnTransactions() {
      return autoCommit && !current.isOpen();
    }

    @Override
    public Transaction transaction() {
      return Session.this.transaction();
    }

    @Override
    public void beforeChange() {
      Session.this.beforeChange();
    }

    @Override
    public void commit(Transaction transaction) {
      Session.this.commit(transaction);
    }

    @Override
    public Outcome.Rows rows(
        List<OutputColumn> columns,
        RowSet rows,
        @Nullable Transaction own,
        @Nullable SnapshotHold held) {
      return Session.this.rows(columns, rows, own, held);
    }

    @Override
    public Outcome control(
        Binding.Bound bound, Cancellation cancellation, @Nullable Transaction own) {
      return control.run(bound, cancellation, own);
    }
  }

  /** Plans a statement to learn its parameters and columns; begins no transaction. */
  public Prepared describe(String sql, @Nullable List<SqlTypeSpec> parameterTypes) {
    return looking(transaction -> database.engine().prepare(sql, transaction, parameterTypes));
  }

  public CatalogSnapshot catalog() {
    return looking(transaction -> database.catalog().snapshot(transaction));
  }

  private interface Look<T> {
    T at(Transaction transaction);
  }

  /** Looks at the catalog as the current transaction sees it, else as it is now. */
  private <T> T looking(Look<T> look) {
    return locked(
        () -> {
          Transaction open = current.transaction();
          if (open != null) {
            try (StopSignal.Scope _ = stop.bind()) {
              return look.at(open);
            }
          }
          Transaction own = database.transactions().begin();
          own.attach(current.path());
          try (StopSignal.Scope _ = stop.bind()) {
            return look.at(own);
          } finally {
            own.rollback();
          }
        });
  }

  /** The current transaction, begun now without autocommit, else a new one for one statement. */
  Transaction transaction() {
    Transaction open = current.transaction();
    if (open != null) {
      open.beginStatement();
      return open;
    }
    IsolationLevel level = isolation.level();
    return autoCommit ? current.beginOwn(level) : current.begin(level);
  }

  /** Refuses changes of a read-only session and saves open result sets from seeing this one. */
  void beforeChange() {
    if (readOnly || isolation.isReadOnly()) {
      throw new GpdbException(
          ErrorCode.READ_ONLY,
          "the " + (readOnly ? "connection" : "transaction") + " is read only");
    }
    openResults.detach();
  }

  /** Begins a transaction that lasts until COMMIT or ROLLBACK, whatever autocommit says. */
  void begin(@Nullable IsolationLevel level) {
    Transaction open = current.transaction();
    if (open != null && (begun || isolation.isUsed())) {
      throw new GpdbException(ErrorCode.TRANSACTION_STATE, "a transaction is open already");
    }
    if (level != null) {
      isolation.setForNext(level);
    }
    if (open == null) {
      current.begin(isolation.level());
    } else {
      // As any first statement without autocommit BEGIN opened it.
      var _ = current.restart(open, isolation.level());
    }
    begun = true;
  }

  public void commit() {
    locked(
        () -> {
          openResults.beforeCommit();
          Transaction open = end();
          boolean done = false;
          try (StopSignal.Scope _ = StopSignal.masked()) {
            if (open != null) {
              commit(open);
            }
            done = true;
          } finally {
            cursors.endOfTransaction(done);
            if (open != null && open.isActive()) {
              open.rollback();
            }
          }
          return this;
        });
  }

  /** Commits after what is to become of temporary tables at the end of a transaction. */
  void commit(Transaction ending) {
    temporaryTables.beforeCommit(ending);
    ending.commit();
  }

  public void rollback() {
    locked(
        () -> {
          Transaction open = end();
          cursors.endOfTransaction(false);
          if (open != null && open.isActive()) {
            open.rollback();
          }
          return this;
        });
  }

  /** Takes the current transaction away, with its result sets and savepoints. */
  private @Nullable Transaction end() {
    openResults.closeOfCurrent();
    savepoints.clear();
    Transaction open = current.take();
    if (open != null) {
      isolation.end();
    }
    begun = false;
    return open;
  }

  /** Opens the database on another device; null is the first one. */
  void changeDevice(@Nullable String name) {
    if (current.isOpen()) {
      if (begun || isolation.isUsed()) {
        throw new GpdbException(
            ErrorCode.TRANSACTION_STATE, "SET device cannot be in a transaction");
      }
      rollback(); // begun by this statement alone, without autocommit
    }
    database.changeDevice(name);
  }

  public void requireManual(String act) {
    if (autoCommit && !current.isOpen()) {
      throw new GpdbException(
          ErrorCode.TRANSACTION_STATE, act + " with autocommit on and no transaction begun");
    }
  }

  public void setAutoCommit(boolean on) {
    if (on != autoCommit) {
      if (on) {
        commit();
      }
      autoCommit = on;
    }
  }

  public SessionSavepoints.Entry setSavepoint(@Nullable String name) {
    return locked(
        () -> {
          requireManual("a savepoint");
          Transaction marked = transaction();
          isolation.use();
          return savepoints.set(marked, name);
        });
  }

  public void rollbackTo(SessionSavepoints.Entry entry) {
    locked(
        () -> {
          openResults.detach();
          savepoints.rollbackTo(transaction(), entry);
          cursors.rolledBackTo(entry);
          return this;
        });
  }

  public void release(SessionSavepoints.Entry entry) {
    locked(
        () -> {
          savepoints.release(entry);
          return this;
        });
  }

  /** A result set that must not outlive its transaction: the current one, or its own. */
  public void opened(OpenResult result, boolean ownTransaction) {
    lock.lock();
    try {
      openResults.add(result, ownTransaction);
    } finally {
      lock.unlock();
    }
  }

  /** Whether the database still takes transactions. */
  public boolean answers() {
    TransactionManager asked = database.transactions();
    try {
      asked.begin().rollback();
      return !closed;
    } catch (RuntimeException e) {
      return !closed && database.replaces(asked);
    }
  }

  /** Ends whatever the connection does now or will do. */
  public void stopAll() {
    stop.request();
  }

  public StopSignal stop() {
    return stop;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      Transaction open = end();
      try {
        openResults.closeOwn();
        cursors.closeAll();
      } finally {
        if (open != null) {
          SessionStatements.rollbackOwn(open);
        }
        temporaryTables.drop();
        database.leave(use);
      }
    } finally {
      lock.unlock();
    }
  }
}
