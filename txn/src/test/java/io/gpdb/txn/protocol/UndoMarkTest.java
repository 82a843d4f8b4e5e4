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
}
