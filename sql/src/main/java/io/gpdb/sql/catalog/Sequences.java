package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.TableReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How far the sequences of a database have been taken, outside of all transactions: a number is
 * taken once, whether the transaction that took it commits or not. Thread-safe.
 *
 * <p>Table 1, SYS_SEQUENCES, has a row for each state from which a number was ever taken: its id,
 * and the last number that is <i>reserved</i>. Invariants:
 *
 * <ol>
 *   <li>S1: a number leaves {@link #take} only after a commit that reserved it, or one that comes
 *       after it in the direction of the increment, is durable.
 *   <li>S2: a state that is read from the table begins after the number reserved there, so that a
 *       crash skips numbers and returns none twice.
 *   <li>S3: a row is written by transactions of this class alone, under the monitor of its state.
 * </ol>
 *
 * Whoever takes numbers waits for a commit once in {@link SequenceDef#cache} numbers. When the
 * database closes, the last numbers taken replace those reserved, so that only a crash skips any.
 */
public final class Sequences {
  static final int TABLE_ID = 1;

  private static final int STATE = 0;
  private static final int RESERVED = 1;
  private static final int[] RESERVED_COLUMN = {RESERVED};
  private static final int[] ALL_COLUMNS = {STATE, RESERVED};

  private static final TableShape SHAPE =
      new TableShape(
          List.of(
              new ColumnShape("STATE_ID", ElementType.I64),
              new ColumnShape("RESERVED", ElementType.I64)),
          List.of(new IndexShape(0, new int[] {STATE}, true)));

  private final TransactionManager manager;
  private final Map<Integer, State> states = new ConcurrentHashMap<>();
  private volatile boolean stored;

  Sequences(TransactionManager manager) {
    this.manager = manager;
    this.stored = manager.table(TABLE_ID) != null;
  }

  /** How far a sequence has been taken; guarded by its monitor. */
  private static final class State {
    final int stateId;
    boolean read;

    /** Whether there is a last number. */
    boolean begun;

    long last;

    /** Numbers after the last one that are reserved, by steps of {@link #increment}. */
    int left;

    long increment;

    State(int stateId) {
      this.stateId = stateId;
    }
  }

  /** Takes the next number. */
  public long take(SequenceDef sequence) {
    State state = state(sequence);
    synchronized (state) {
      reserve(sequence, state, 1);
      return step(sequence, state);
    }
  }

  /** Takes the next numbers, as many as the array has room for. */
  public void take(SequenceDef sequence, long[] numbers) {
    State state = state(sequence);
    synchronized (state) {
      for (int i = 0; i < numbers.length; i++) {
        StopSignal.poll(i);
        reserve(sequence, state, numbers.length - i);
        numbers[i] = step(sequence, state);
      }
    }
  }

  private State state(SequenceDef sequence) {
    return states.computeIfAbsent(sequence.stateId(), State::new);
  }

  /** The number after the last; one is reserved. */
  private static long step(SequenceDef sequence, State state) {
    long number = candidate(sequence, state);
    state.begun = true;
    state.last = number;
    state.left--;
    return number;
  }

  private static long candidate(SequenceDef sequence, State state) {
    if (!state.begun) {
      return sequence.first();
    }
    if (sequence.hasNext(state.last)) {
      return state.last + sequence.increment();
    }
    boolean before =
        sequence.increment() > 0
            ? state.last < sequence.minimum()
            : state.last > sequence.maximum();
    if (before || sequence.cycles()) {
      return sequence.afterEnd();
    }
    throw new GpdbException(
        SqlCondition.SEQUENCE_EXHAUSTED,
        "sequence "
            + sequence.name()
            + " has no number after "
            + state.last
            + (sequence.increment() > 0 ? ", its maximum is " : ", its minimum is ")
            + (sequence.increment() > 0 ? sequence.maximum() : sequence.minimum()));
  }

  /** Makes at least one number reserved, and as many as are wanted unless the end comes before. */
  private void reserve(SequenceDef sequence, State state, int wanted) {
    if (!state.read) {
      read(state);
    }
    boolean reserved =
        state.left > 0
            && state.increment == sequence.increment()
            && (!state.begun || sequence.hasNext(state.last));
    if (reserved) {
      return;
    }
    long first = candidate(sequence, state);
    int count = sequence.room(first, Math.max(wanted, sequence.cache()));
    long reservedLast = first + (count - 1) * sequence.increment();
    state.left = 0;
    write(Map.of(state.stateId, reservedLast));
    state.left = count;
    state.increment = sequence.increment();
  }

  private void read(State state) {
    if (stored) {
      Transaction transaction = manager.begin();
      try {
        TableReader reader = transaction.reader(TABLE_ID);
        long[] reserved = new long[1];
        long row = reader.findByKey(0, new long[] {state.stateId});
        state.begun = row >= 0 && reader.read(row, RESERVED_COLUMN, reserved, new boolean[1]);
        state.last = reserved[0];
      } finally {
        transaction.rollback();
      }
    }
    state.read = true;
  }

  /** Makes last reserved numbers durable, by states. */
  private void write(Map<Integer, Long> reserved) {
    try (StopSignal.Scope _ = StopSignal.masked()) {
      createTable();
      Transaction transaction = manager.begin();
      try {
        reserved.forEach((state, number) -> write(transaction, state, number));
        transaction.commit();
      } finally {
        if (transaction.isActive()) {
          transaction.rollback();
        }
      }
    }
  }

  private static void write(Transaction transaction, int state, long number) {
    long row = transaction.reader(TABLE_ID).findByKey(0, new long[] {state});
    if (row >= 0) {
      transaction
          .writer(TABLE_ID)
          .updateRow(row, RESERVED_COLUMN, new long[] {number}, new boolean[1]);
      return;
    }
    Arena arena = Arena.ofAuto();
    transaction
        .writer(TABLE_ID)
        .insert(new ColumnView[] {column(arena, state), column(arena, number)}, 1);
  }

  private static ColumnView column(Arena arena, long value) {
    MemorySegment values = arena.allocateFrom(ValueLayout.JAVA_LONG, value);
    return ColumnView.mapped(HostMemory.INSTANCE, ElementType.I64, values, null);
  }

  /** The first number that a database ever reserves makes the table. */
  private synchronized void createTable() {
    if (!stored) {
      Transaction transaction = manager.begin();
      try {
        transaction.createTable(TABLE_ID, SHAPE);
        transaction.commit();
        stored = true;
      } finally {
        if (transaction.isActive()) {
          transaction.rollback();
        }
      }
    }
  }

  /** Forgets states that no sequence has: of those dropped, begun anew, or never committed. */
  void keepOnly(Set<Integer> used) {
    if (!stored) {
      return;
    }
    Transaction transaction = manager.begin();
    try {
      boolean changed = false;
      for (long[] row : SystemRows.of(transaction, TABLE_ID, ALL_COLUMNS)) {
        if (!used.contains((int) row[1 + STATE])) {
          transaction.writer(TABLE_ID).deleteRow(row[0]);
          changed = true;
        }
      }
      if (changed) {
        transaction.commit();
      }
    } finally {
      if (transaction.isActive()) {
        transaction.rollback();
      }
    }
  }

  /** Gives reserved numbers back that nobody took; for when nobody takes any more. */
  void close() {
    Map<Integer, Long> taken = new ConcurrentHashMap<>();
    for (State state : states.values()) {
      synchronized (state) {
        if (state.left > 0 && state.begun) {
          taken.put(state.stateId, state.last);
          state.left = 0;
        }
      }
    }
    if (!taken.isEmpty()) {
      write(taken);
    }
  }
}
