package io.gpdb.planner.statement;

import io.gpdb.sql.catalog.Sequences;
import io.gpdb.sql.definition.SequenceDef;

/** The sequences of the database, for the statements of one session, which remembers numbers. */
public record SequenceNumbers(Sequences sequences, SessionNumbers session) {
  /** For the session that begins a statement on this thread. */
  public static SequenceNumbers of(Sequences sequences) {
    return SessionNumbers.current().numbers(sequences);
  }

  /** Takes the next number. */
  public long next(SequenceDef sequence) {
    session.requireWritable(sequence);
    long number = sequences.take(sequence);
    session.took(sequence, number);
    return number;
  }

  /** Takes the next n numbers. */
  public long[] next(SequenceDef sequence, int n) {
    long[] numbers = new long[n];
    if (n > 0) {
      session.requireWritable(sequence);
      sequences.take(sequence, numbers);
      session.took(sequence, numbers[n - 1]);
    }
    return numbers;
  }
}
