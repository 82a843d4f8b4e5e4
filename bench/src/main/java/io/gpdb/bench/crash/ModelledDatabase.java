package io.gpdb.bench.crash;

import io.gpdb.simulation.medium.PersistListener;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.api.Protocol;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A database and the model of it, changed in step. At every moment it says what a crash may leave:
 * the acknowledged transactions, with or without the one that is being committed.
 */
final class ModelledDatabase implements AutoCloseable {
  /** The protocols that statements ask for, drawn at random, where the database chooses by cost. */
  private static final Protocol[] PROTOCOLS = {
    Protocol.AUTO, Protocol.REDO, Protocol.UNDO, Protocol.VERSIONED, Protocol.CHECKSUMMED
  };

  /** The number of drains of most openings. */
  private static final int OPENING_DRAINS = 3;

  /** A commit takes about that number of acts: some fall between two acts of a checkpoint. */
  private static final int RUN_ACTS_MAX = 32;

  private final Supplier<TransactionManager> opening;
  private final long salt;
  private final Random choices;
  private final boolean inOrder;
  private final ProcessDeath death;
  private final List<ModelledTransaction> open = new ArrayList<>();
  private TransactionManager manager;
  private volatile Contents acknowledged = Contents.EMPTY;
  private volatile List<Contents> committing = List.of();
  private volatile @Nullable CommitSchedule schedule;
  private int nextId;
  private int nextTable = 16;

  /**
   * @param salt added to every amount, so that runs by different seeds hold different values
   * @param inOrder whether commits reach the log in the order in which they begin
   * @param death of the process that has the database open
   */
  ModelledDatabase(
      Supplier<TransactionManager> opening, long salt, boolean inOrder, ProcessDeath death) {
    this.opening = opening;
    this.death = death;
    this.salt = salt;
    this.choices = new Random(salt);
    this.inOrder = inOrder;
    manager = opening.get();
  }

  /** What must be there. */
  Contents acknowledged() {
    return acknowledged;
  }

  /** What may be there instead, when commits are under way. */
  List<Contents> committing() {
    return committing;
  }

  /** Called before every act: where several commit, it returns when it is the thread's turn. */
  void awaitTurn() {
    CommitSchedule turns = schedule;
    if (turns != null) {
      turns.awaitTurn();
    }
  }

  List<ModelledTransaction> open() {
    return open;
  }

  /** The first of n ids that no row has had. */
  int newIds(int n) {
    nextId += n;
    return nextId - n;
  }

  int newTable() {
    return nextTable++;
  }

  ModelledTransaction begin() {
    ModelledTransaction tx = new ModelledTransaction(this, manager.begin(), acknowledged);
    open.add(tx);
    return tx;
  }

  void commit(ModelledTransaction tx) {
    Contents after = tx.appliedTo(acknowledged);
    committing = List.of(after);
    open.remove(tx);
    tx.transaction().commit();
    acknowledged = after;
    committing = List.of();
  }

  /**
   * Commits transactions that have written different rows side by side, in an order of acts drawn
   * from {@code random}.
   */
  void commitTogether(List<ModelledTransaction> together, Random random) {
    SideBySide commits = new SideBySide(acknowledged, together, inOrder);
    CommitSchedule turns = new CommitSchedule(random);
    committing = commits.possible();
    for (int i = 0; i < together.size(); i++) {
      int index = i;
      open.remove(together.get(i));
      turns.add(
          () -> {
            together.get(index).transaction().commit();
            synchronized (commits) {
              commits.acknowledge(index);
              acknowledged = commits.acknowledged();
              committing = commits.possible();
            }
          });
    }
    run(turns);
    committing = List.of();
  }

  /**
   * Commits transactions in threads of their own, in an order of acts drawn from {@code random}:
   * each begins when the one before it is released, sees it, and does its work.
   */
  void commitDependent(List<Consumer<ModelledTransaction>> works, Random random) {
    List<ModelledTransaction> begun = new ArrayList<>();
    SideBySide commits = new SideBySide(acknowledged, begun, true);
    CommitSchedule turns = new CommitSchedule(random);
    for (int i = 0; i < works.size(); i++) {
      int index = i;
      turns.add(
          () -> {
            Transaction tx = manager.begin(IsolationLevel.READ_COMMITTED);
            tx.beginChange();
            ModelledTransaction own = new ModelledTransaction(this, tx, commits.all());
            works.get(index).accept(own);
            synchronized (commits) {
              begun.add(own);
              committing = commits.possible();
            }
            tx.commit();
            synchronized (commits) {
              commits.acknowledge(index);
              acknowledged = commits.acknowledged();
              committing = commits.possible();
            }
          },
          () -> index == 0 || isReleased(commits, begun, index - 1));
    }
    run(turns);
    committing = List.of();
  }

  private static boolean isReleased(
      SideBySide commits, List<ModelledTransaction> begun, int index) {
    synchronized (commits) {
      return index < begun.size() && begun.get(index).transaction().isReleased();
    }
  }

  /** Frees the codes of strings that no row has any more. */
  void releaseStrings() {
    manager.releaseStrings();
  }

  void rollback(ModelledTransaction tx) {
    open.remove(tx);
    tx.transaction().rollback();
  }

  /** As one transaction. */
  void commit(Consumer<ModelledTransaction> work) {
    ModelledTransaction tx = begin();
    work.accept(tx);
    commit(tx);
  }

  /** Runs a statement; a conflict with another transaction rolls all of its own back. */
  void attempt(ModelledTransaction tx, Runnable statement) {
    try {
      statement.run();
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.SERIALIZATION_CONFLICT) {
        throw e;
      }
      rollback(tx);
    }
  }

  void checkpoint() {
    manager.checkpoint();
  }

  /**
   * Runs a checkpoint in a thread of its own and {@code work} in another one, which commits one
   * transaction after the other, in an order of acts drawn from {@code random}.
   */
  void checkpointBeside(Runnable work, Random random) {
    CommitSchedule turns = new CommitSchedule(random, RUN_ACTS_MAX);
    turns.add(this::checkpoint);
    turns.add(work);
    run(turns);
  }

  private void run(CommitSchedule turns) {
    schedule = turns;
    try {
      turns.run();
    } finally {
      schedule = null;
    }
  }

  /** Closes in order and opens again; what is open is rolled back. */
  void reopen() {
    open.clear();
    manager.close();
    manager = opening.get();
  }

  /**
   * Opens again as after a kill: without a checkpoint. A baseline with open transactions closes in
   * order instead: a kill would leave their changes in place, and later steps have no model of
   * that.
   */
  void abandonAndReopen() {
    if (manager.options().protocol().isBaseline() && !open.isEmpty()) {
      reopen();
      return;
    }
    open.clear();
    manager.abandon();
    manager = opening.get();
  }

  /**
   * Does the work in a process that is killed before one of its next acts at such a place, and
   * opens again in another one. What that finds, the transaction that was being committed or not,
   * it has seen: it stays.
   */
  void killedBefore(String place, int acts, Runnable work) {
    death.before(place, acts);
    try {
      work.run();
    } catch (RuntimeException e) {
      if (!death.hasHappened()) {
        throw e;
      }
    }
    open.clear();
    manager.abandon();
    manager = openKilledAtTimes();
    Contents found = Contents.of(manager);
    if (committing.contains(found)) {
      acknowledged = found;
    } else if (!found.equals(acknowledged)) {
      throw new IllegalStateException(
          "after a kill before %s %d %s"
              .formatted(place, acts, found.differenceFrom(acknowledged)));
    }
    committing = List.of();
  }

  private TransactionManager openKilledAtTimes() {
    while (true) {
      if (choices.nextInt(3) == 0) {
        death.before(PersistListener.Act.DRAIN.name(), choices.nextInt(OPENING_DRAINS));
      } else {
        death.never();
      }
      try {
        TransactionManager opened = opening.get();
        death.never();
        return opened;
      } catch (RuntimeException e) {
        if (!death.hasHappened()) {
          throw e;
        }
      }
    }
  }

  /** Frees the memory; nothing more is written. */
  void abandon() {
    manager.abandon();
  }

  @Override
  public void close() {
    open.clear();
    manager.close();
  }

  /** A transaction and what it means. */
  static final class ModelledTransaction {
    private final Transaction transaction;
    private final List<Change> changes = new ArrayList<>();
    private SortedMap<Integer, SortedMap<Integer, Long>> view;
    private final Contents base;
    private final ModelledDatabase db;

    /** A change of the model. */
    private interface Change {
      void apply(SortedMap<Integer, SortedMap<Integer, Long>> tables);
    }

    /** A moment to go back to. */
    record Mark(io.gpdb.txn.Savepoint savepoint, int changes) {}

    ModelledTransaction(ModelledDatabase db, Transaction transaction, Contents base) {
      this.transaction = transaction;
      this.db = db;
      this.base = base;
      this.view = base.copy();
    }

    Transaction transaction() {
      return transaction;
    }

    /** The rows of a table as the transaction sees them. */
    SortedMap<Integer, Long> rows(int table) {
      return rowsOf(view, table);
    }

    private static SortedMap<Integer, Long> rowsOf(
        SortedMap<Integer, SortedMap<Integer, Long>> tables, int table) {
      return Objects.requireNonNull(tables.get(table), () -> "no table " + table);
    }

    Set<Integer> tables() {
      return view.keySet();
    }

    Contents appliedTo(Contents contents) {
      SortedMap<Integer, SortedMap<Integer, Long>> tables = contents.copy();
      changes.forEach(change -> change.apply(tables));
      return new Contents(tables);
    }

    private void changed(Change change) {
      changes.add(change);
      change.apply(view);
    }

    void create(int table) {
      transaction.createTable(table, SampleTable.SHAPE);
      changed(tables -> tables.put(table, new TreeMap<>()));
    }

    void drop(int table) {
      transaction.dropTable(table);
      changed(tables -> tables.remove(table));
    }

    /** Adds a column that the model does not know: each row says whether it is right. */
    void addColumn(int table) {
      requestProtocol();
      SampleTable.addColumn(transaction, table);
    }

    void addIndex(int table, boolean unique) {
      int indexes = Objects.requireNonNull(db.manager.table(table)).shape().indexes().size();
      SampleTable.addIndex(transaction, table, indexes, unique);
    }

    /** Moves the rows of one table to a new one, which takes its place. */
    void rewrite(int table, int replacement) {
      transaction.rewriteTable(table, replacement);
      changed(tables -> tables.put(replacement, rowsOf(tables, table)));
      changed(tables -> tables.remove(table));
    }

    private void requestProtocol() {
      if (db.manager.options().protocol() == Protocol.AUTO) {
        transaction.protocol(PROTOCOLS[db.choices.nextInt(PROTOCOLS.length)]);
      }
    }

    private SortedMap<Integer, Long> salted(SortedMap<Integer, Long> amounts) {
      SortedMap<Integer, Long> salted = new TreeMap<>(amounts);
      salted.replaceAll((id, amount) -> amount == SampleTable.NULL ? amount : amount + db.salt);
      return salted;
    }

    void insert(int table, SortedMap<Integer, Long> unsalted) {
      SortedMap<Integer, Long> rows = salted(unsalted);
      requestProtocol();
      SampleTable.insert(transaction, table, rows);
      changed(tables -> rowsOf(tables, table).putAll(rows));
    }

    void update(int table, SortedMap<Integer, Long> unsalted) {
      SortedMap<Integer, Long> amounts = salted(unsalted);
      requestProtocol();
      SampleTable.update(transaction, table, amounts);
      changed(tables -> rowsOf(tables, table).putAll(amounts));
    }

    void rekey(int table, SortedMap<Integer, Integer> newIds) {
      requestProtocol();
      SampleTable.rekey(transaction, table, newIds);
      changed(
          tables -> {
            SortedMap<Integer, Long> rows = rowsOf(tables, table);
            SortedMap<Integer, Long> moved = new TreeMap<>();
            newIds.forEach((old, now) -> moved.put(now, Objects.requireNonNull(rows.remove(old))));
            rows.putAll(moved);
          });
    }

    void delete(int table, Set<Integer> ids) {
      SampleTable.delete(transaction, table, ids);
      Set<Integer> gone = new HashSet<>(ids);
      changed(tables -> rowsOf(tables, table).keySet().removeAll(gone));
    }

    Mark savepoint() {
      return new Mark(transaction.savepoint(), changes.size());
    }

    void rollbackTo(Mark mark) {
      transaction.rollbackTo(mark.savepoint);
      changes.subList(mark.changes, changes.size()).clear();
      view = base.copy();
      changes.forEach(change -> change.apply(view));
    }
  }
}
