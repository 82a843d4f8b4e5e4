package io.gpdb.txn.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * How the transaction of a record of the undo log has ended. It is stored twice in the record, each
 * time as a word {@code ending << 16 | check}, the check taken over the ending and the record's
 * checksum: one flipped bit leaves the other word, and what an older record left there is no
 * ending.
 *
 * <p>U5. A record that says that its transaction has committed at a sequence was marked when the
 * log was durable up to that sequence: a log that ends before has lost a commit that was
 * acknowledged.
 *
 * @param ending {@link #OPEN}, {@link #UNDONE}, or the sequence of the commit
 * @param isTwice whether both words say so
 */
public record UndoMark(long ending, boolean isTwice) {
  /** The transaction has not ended. */
  static final long OPEN = 0;

  /** What the record saves was put back. */
  public static final long UNDONE = (1L << 48) - 1;

  /** What a mark of version 1 other than 0 says: put back, or committed at an unknown sequence. */
  private static final UndoMark ENDED = new UndoMark(UNDONE, true);

  private static final int CHECK_BITS = 16;
  private static final long CHECK_MASK = (1L << CHECK_BITS) - 1;
  private static final long CRC_MASK = 0xffffffffL;
  private static final long MIXER = 0x9e3779b97f4a7c15L;

  /** The word for it in the record with that checksum. */
  static long word(long ending, int recordCrc) {
    assert ending >= OPEN && ending <= UNDONE : "ending " + ending;
    return ending << CHECK_BITS | check(ending, recordCrc);
  }

  /** The upper bits of a product, where every bit of both has come. */
  private static long check(long ending, int recordCrc) {
    long mixed = (ending * MIXER ^ (recordCrc & CRC_MASK)) * MIXER;
    return mixed >>> (Long.SIZE - CHECK_BITS) & CHECK_MASK;
  }

  private static boolean isWhole(long word, int recordCrc) {
    return (word & CHECK_MASK) == check(word >>> CHECK_BITS, recordCrc);
  }

  /**
   * What the record's header says. Where the words differ the power failed between them: the log
   * still decides. Where none is whole, the header was stored without them: nothing was overwritten
   * yet.
   */
  static UndoMark of(MemorySegment header, int recordCrc) {
    long second = header.get(JAVA_LONG, UndoLayout.DONE_AT);
    if (header.get(JAVA_INT, UndoLayout.VERSION_AT) == UndoLayout.VERSION_WITHOUT_ENDING) {
      return second == 0 ? new UndoMark(OPEN, true) : ENDED;
    }
    long first = header.get(JAVA_LONG, UndoLayout.MARK_AT);
    boolean firstIsWhole = isWhole(first, recordCrc);
    boolean secondIsWhole = isWhole(second, recordCrc);
    if (firstIsWhole && secondIsWhole) {
      return new UndoMark(first == second ? first >>> CHECK_BITS : OPEN, first == second);
    }
    if (!firstIsWhole && !secondIsWhole) {
      return new UndoMark(OPEN, false);
    }
    return new UndoMark((firstIsWhole ? first : second) >>> CHECK_BITS, false);
  }

  /** The commit that the log must hold, or 0; one word alone proves nothing. */
  long provenCommit() {
    return isTwice && ending != UNDONE ? ending : OPEN;
  }

  /** Whether the values are not to be put back, when the log ends with that commit. */
  public boolean isDone(long newestCommit) {
    return ending == UNDONE || (ending != OPEN && ending <= newestCommit);
  }
}
