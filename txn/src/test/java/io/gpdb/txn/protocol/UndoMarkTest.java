package io.gpdb.txn.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class UndoMarkTest {
  private static final int CRC = 0x12345678;

  private static MemorySegment header(int version, long first, long second) {
    MemorySegment header = Arena.ofAuto().allocate(UndoLayout.HEADER_BYTES, 8);
    header.set(JAVA_INT, UndoLayout.VERSION_AT, version);
    header.set(JAVA_LONG, UndoLayout.MARK_AT, first);
    header.set(JAVA_LONG, UndoLayout.DONE_AT, second);
    return header;
  }

  @Test
  void aRecordOfTheFirstVersionSaysOnlyWhetherItEnded() {
    int version = UndoLayout.VERSION_WITHOUT_ENDING;
    UndoMark open = UndoMark.of(header(version, 7, 0), CRC);
    assertThat(open.ending()).isEqualTo(UndoMark.OPEN);
    assertThat(open.isTwice()).isTrue();
    UndoMark ended = UndoMark.of(header(version, 7, 1), CRC);
    assertThat(ended.ending()).isEqualTo(UndoMark.UNDONE);
    assertThat(ended.provenCommit()).isZero();
  }

  @Test
  void oneWordAloneProvesNothing() {
    int version = UndoLayout.VERSION_WITHOUT_ENDING + 1;
    long word = UndoMark.word(9, CRC);
    assertThat(UndoMark.of(header(version, word, word), CRC).provenCommit()).isEqualTo(9);
    assertThat(UndoMark.of(header(version, word, 0), CRC).provenCommit()).isZero();
    assertThat(UndoMark.of(header(version, 0, word), CRC).ending()).isEqualTo(9);
    assertThat(UndoMark.of(header(version, 0, 0), CRC).ending()).isEqualTo(UndoMark.OPEN);
    long other = UndoMark.word(8, CRC);
    assertThat(UndoMark.of(header(version, word, other), CRC).ending()).isEqualTo(UndoMark.OPEN);
    assertThat(UndoMark.of(header(version, word, word), CRC + 1).isTwice()).isFalse();
  }

  /** U5. A bit that flips may not make a commit of one that is open, nor a later one. */
  @Test
  void aWordWithAFlippedBitIsNoMark() {
    int version = UndoLayout.VERSION_WITHOUT_ENDING + 1;
    for (long ending : new long[] {UndoMark.OPEN, 1, 9, 1L << 40, UndoMark.UNDONE}) {
      for (int crc : new int[] {0, 1, CRC, -1, Integer.MIN_VALUE}) {
        long word = UndoMark.word(ending, crc);
        for (int bit = 0; bit < Long.SIZE; bit++) {
          long flipped = word ^ 1L << bit;
          assertThat(UndoMark.of(header(version, flipped, flipped), crc))
              .as("ending=%d, crc=%d, bit=%d", ending, crc, bit)
              .isEqualTo(new UndoMark(UndoMark.OPEN, false));
          assertThat(UndoMark.of(header(version, word, flipped), crc))
              .isEqualTo(new UndoMark(ending, false));
        }
        for (int bit = 0; bit < Integer.SIZE; bit++) {
          assertThat(UndoMark.of(header(version, word, word), crc ^ 1 << bit))
              .as("of another record: ending=%d, crc=%d, bit=%d", ending, crc, bit)
              .isEqualTo(new UndoMark(UndoMark.OPEN, false));
        }
      }
    }
  }

  /**
   * An open transaction's words are whole, too; those that an older record left at its place are
   * not.
   */
  @Test
  void aMarkCountsForItsOwnRecordAlone() {
    int version = UndoLayout.VERSION_WITHOUT_ENDING + 1;
    long open = UndoMark.word(UndoMark.OPEN, CRC);
    assertThat(UndoMark.of(header(version, open, open), CRC))
        .isEqualTo(new UndoMark(UndoMark.OPEN, true));
    int taken = 0;
    for (int other = 1; other <= 10_000; other++) {
      long word = UndoMark.word(7, other * 0x01000193);
      taken += UndoMark.of(header(version, word, word), CRC).isTwice() ? 1 : 0;
    }
    assertThat(taken).isLessThan(5); // one in 65 536
  }
}
