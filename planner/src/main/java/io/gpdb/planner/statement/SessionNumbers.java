package io.gpdb.planner.statement;

import io.gpdb.sql.catalog.Sequences;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that a session took last from sequences: what {@code currval} and {@code lastval} ask
 * for. Kept by the session, and bound to its thread while it begins a statement.
 */
public final class SessionNumbers {
  private static final ThreadLocal<SessionNumbers> CURRENT =
      ThreadLocal.withInitial(SessionNumbers::new);

  private final Map<Integer, Long> bySequence = new ConcurrentHashMap<>();
  private volatile @Nullable Long last;
  private volatile boolean readOnly;
  private volatile @Nullable SequenceNumbers numbers;

  /** Those of the session whose statement this thread begins. */
  static SessionNumbers current() {
    return CURRENT.get();
  }

  /** Ends the binding. */
  public record Scope(SessionNumbers before) implements AutoCloseable {
    @Override
    public void close() {
      CURRENT.set(before);
    }
  }

  /** Makes these the current ones of this thread, until the scope is closed. */
  public Scope bind() {
    Scope scope = new Scope(CURRENT.get());
    CURRENT.set(this);
    return scope;
  }

  /** From now on whether the session may not take numbers, which the database writes. */
  public void readOnly(boolean only) {
    readOnly = only;
  }

  /** For the statements of this session. */
  SequenceNumbers numbers(Sequences sequences) {
    SequenceNumbers made = numbers;
    if (made == null || made.sequences() != sequences) {
      made = new SequenceNumbers(sequences, this);
      numbers = made;
    }
    return made;
  }

  void requireWritable(SequenceDef sequence) {
    if (readOnly) {
      throw new GpdbException(
          ErrorCode.READ_ONLY,
          "the connection is read only, and a number of sequence "
              + sequence.name()
              + " would be a change");
    }
  }

  void took(SequenceDef sequence, long number) {
    bySequence.put(sequence.sequenceId(), number);
    last = number;
  }

  /** The number taken last from the sequence, or 55000. */
  public long of(SequenceDef sequence) {
    Long number = bySequence.get(sequence.sequenceId());
    if (number == null) {
      throw new GpdbException(
          SqlCondition.OBJECT_NOT_READY,
          "this session has taken no number from sequence " + sequence.name());
    }
    return number;
  }

  /** The number taken last from any sequence, or 55000. */
  public long last() {
    Long number = last;
    if (number == null) {
      throw new GpdbException(
          SqlCondition.OBJECT_NOT_READY, "this session has taken no number from a sequence");
    }
    return number;
  }
}
