package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.space.TableSpace;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records whose values are in the home file count when all of these are there (B2). */
class ArrivedValuesTest {
  private static final int BLOCK = 64;
  private static final int BYTES = 2 * BLOCK + 8;
  private static final int NONE = 0;
  private static final int FIRST = WalLayout.FLAG_FIRST;
  private static final int LAST = WalLayout.FLAG_LAST;

  private final CrashableDirectory directory = new CrashableDirectory();
  private final DatabaseMemory memory = new DatabaseMemory();
  private final TableSpace space = TableSpace.open(directory, false);
  private final ArrivedValues arrived = new ArrivedValues(space);
  private final long place = space.home().sizeBytes() - 4096;

  @AfterEach
  void close() {
    space.close();
    memory.close();
    directory.close();
  }

  private static MemorySegment values() {
    byte[] values = new byte[BYTES];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) (i + 1);
    }
    return MemorySegment.ofArray(values);
  }

  private static ExtentReference reference(long offset, MemorySegment values) {
    int[] checksums = new int[Math.ceilDiv((int) values.byteSize(), BLOCK)];
    for (int b = 0; b < checksums.length; b++) {
      long bytes = Math.min(BLOCK, values.byteSize() - b * BLOCK);
      checksums[b] = Crc.of(values, (long) b * BLOCK, bytes);
    }
    return new ExtentReference(
        offset, (int) values.byteSize(), BLOCK, MemorySegment.ofArray(checksums));
  }

  /** A record that names an extent of the values, or no extent where the offset is negative. */
  private WalRecord record(int flags, long offset) {
    RecordBuffer record = new RecordBuffer(memory.work());
    record.begin(WalLayout.KIND_COMMIT, flags, 1);
    if (offset >= 0) {
      ExtentReference reference = reference(offset, values());
      new ChangeSection.Version(16, 0, 0, BYTES, reference, null, null).write(record);
    } else {
      new TableSection.DropTable(16).write(record);
    }
    record.end();
    return new WalRecord(0, record.pieces().getFirst());
  }

  @Test
  void aTransactionHoldsWhenEveryBlockOfItsValuesIsThere() {
    space.home().store(place, values());
    assertThat(arrived.holdsWith(record(FIRST | LAST, place))).isTrue();
    for (int at : new int[] {0, BLOCK - 1, BLOCK, 2 * BLOCK - 1, 2 * BLOCK, BYTES - 1}) {
      directory.flipBit("home.gpdb", place + at, 3);
      assertThat(arrived.holdsWith(record(FIRST | LAST, place))).as("byte " + at).isFalse();
      directory.flipBit("home.gpdb", place + at, 3);
    }
    assertThat(arrived.holdsWith(record(FIRST | LAST, place + 8))).isFalse();
    assertThat(arrived.holdsWith(record(FIRST | LAST, place + 4096))).as("behind").isFalse();
    assertThat(arrived.holdsWith(record(FIRST | LAST, place + 4096 - BYTES + 8))).isFalse();
  }

  @Test
  void itsLastRecordTellsForAllOfItsRecords() {
    space.home().store(place, values());
    assertThat(arrived.holdsWith(record(FIRST, place + 8))).as("not its last").isTrue();
    assertThat(arrived.holdsWith(record(NONE, place))).isTrue();
    assertThat(arrived.holdsWith(record(LAST, -1))).isFalse();
    assertThat(arrived.holdsWith(record(FIRST, place))).isTrue();
    assertThat(arrived.holdsWith(record(LAST, -1))).isTrue();
  }

  /** A transaction may end in the middle of its records, when the disk is full. */
  @Test
  void whatATransactionWithoutItsLastRecordNamedIsForgotten() {
    assertThat(arrived.holdsWith(record(FIRST, place + 8))).isTrue();
    assertThat(arrived.holdsWith(record(FIRST | LAST, -1))).isTrue();
  }

  /** W7. Whoever stored them may have been killed before they were durable. */
  @Test
  void whatHasArrivedIsDurableWhenItIsDrained() {
    space.home().store(place, values());
    assertThat(arrived.holdsWith(record(FIRST | LAST, place))).isTrue();
    arrived.drain();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        PersistentMemory home = left.open("home.gpdb", 0)) {
      byte[] found = new byte[BYTES];
      home.load(place, MemorySegment.ofArray(found));
      assertThat(MemorySegment.ofArray(found).mismatch(values())).isEqualTo(-1);
    }
  }

  @Test
  void aReferenceThatLeavesItsSectionIsRefused() {
    ExtentReference reference = reference(place, values());
    MemorySegment whole = MemorySegment.ofArray(new long[4]);
    reference.write(payload(whole));
    ExtentReference read = ExtentReference.read(payload(whole));
    assertThat(read.offset()).isEqualTo(place);
    assertThat(read.bytes()).isEqualTo(BYTES);
    assertThat(read.checksums().mismatch(reference.checksums())).isEqualTo(-1);
    assertThat(read.length()).isEqualTo(whole.byteSize());
    for (int bytes : new int[] {0, 8, 16, 20, 24}) {
      assertRefused(whole.asSlice(0, bytes));
    }
    whole.set(JAVA_INT, ExtentReference.BLOCK_BYTES_AT, 0);
    assertRefused(whole);
    whole.set(JAVA_INT, ExtentReference.BLOCK_BYTES_AT, BLOCK);
    whole.set(JAVA_INT, ExtentReference.BYTES_AT, -1);
    assertRefused(whole);
  }

  private static PayloadPieces payload(MemorySegment memory) {
    return new PayloadPieces(new SectionHeader(SectionKind.VERSION, 0, 16, 0, 0, 0, 0), memory);
  }

  private static void assertRefused(MemorySegment payload) {
    assertThatThrownBy(() -> ExtentReference.read(payload(payload)))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
  }
}
