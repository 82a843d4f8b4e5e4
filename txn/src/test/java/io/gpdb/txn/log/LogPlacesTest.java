package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.txn.api.LogFilesAhead;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records at the places where a file, what is searched at once, or what a file may hold ends. */
class LogPlacesTest {
  private static final UUID ID = new UUID(3, 4);
  private static final int EPOCH = 1;
  private static final int RECORD = 256;
  private static final int PAGE = 4096;
  private static final long SEARCHED = 1 << 20;

  private final CrashableDirectory directory = new CrashableDirectory();
  private final DatabaseMemory memory = new DatabaseMemory();
  private final TableSpace space = TableSpace.open(directory, false);

  @AfterEach
  void close() {
    space.close();
    memory.close();
    directory.close();
  }

  private Wal wal(long tail, long nextNumber, List<WalSegment> known, long fileBytes) {
    return new Wal(
        directory,
        ID,
        known,
        tail,
        nextNumber,
        EPOCH,
        fileBytes,
        LogFilesAhead.AT_ONCE,
        SharedWork.ALONE);
  }

  private static long fileBytes(long recordsBytes) {
    return WalLayout.SEGMENT_RECORDS_AT + recordsBytes;
  }

  /** Puts a whole transaction of one record; it has {@link #RECORD} bytes. */
  private void put(Wal wal, long transaction) {
    RecordBuffer record = new RecordBuffer(memory.work());
    record.begin(WalLayout.KIND_COMMIT, WalLayout.FLAG_FIRST | WalLayout.FLAG_LAST, transaction);
    for (int bytes = WalLayout.RECORD_HEADER_BYTES;
        bytes < RECORD;
        bytes += WalLayout.SECTION_HEADER_BYTES) {
      new TableSection.DropTable(16).write(record);
    }
    record.end();
    RecordBuffer.complete(List.of(record), SharedWork.ALONE);
    assertThat(record.bytes()).isEqualTo(RECORD);
    wal.beginBatch(wal.position());
    wal.put(record, transaction);
    wal.drain();
    record.free();
  }

  private WalReader reader() {
    return reader(0);
  }

  private WalReader reader(long from) {
    return new WalReader(directory, memory.work(), ID, new ArrivedValues(space), from, EPOCH);
  }

  /** Reads all; returns how many records there are. */
  private int count() {
    try (WalReader reader = reader()) {
      int count = 0;
      while (reader.next() != null) {
        count++;
      }
      return count;
    }
  }

  private void assertLost() {
    assertThatThrownBy(this::count)
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION))
        .hasMessageContaining("later records");
  }

  private WalSegment segment(int number) {
    return Objects.requireNonNull(WalSegment.read(directory, WalLayout.fileName(number), ID));
  }

  @Test
  void recordsOfEveryFileAreReadAgain() {
    try (Wal wal = wal(0, 1, List.of(), fileBytes(PAGE))) {
      for (int file = 0; file < 3; file++) {
        wal.openSegment(RECORD);
        put(wal, 10 + 2 * file);
        put(wal, 11 + 2 * file);
      }
    }
    try (WalReader reader = reader()) {
      for (int i = 0; i < 6; i++) {
        assertThat(Objects.requireNonNull(reader.next()).transactionId()).isEqualTo(10 + i);
      }
      assertThat(reader.next()).isNull();
      for (int i : new int[] {0, 5, 1, 2, 4, 3}) {
        WalRecord again = reader.reread((long) i * RECORD);
        assertThat(again.transactionId()).isEqualTo(10 + i);
        assertThat(again.position()).isEqualTo((long) i * RECORD);
      }
      assertThat(reader.position()).isEqualTo(6 * RECORD);
      assertThat(reader.used(0)).extracting(WalSegment::number).containsExactly(1L, 2L, 3L);
      assertThat(reader.used(2 * RECORD)).extracting(WalSegment::number).containsExactly(2L, 3L);
      assertThat(reader.useless(2 * RECORD)).containsExactly(WalLayout.fileName(1));
    }
  }

  /** What is behind the last record is as long as what is searched at once, or a little less. */
  @Test
  void aLogEndsWhereverTheFileDoes() {
    for (long left : new long[] {0, 64, PAGE, SEARCHED - 64, SEARCHED, SEARCHED + PAGE}) {
      long records = (RECORD + left + PAGE - 1) / PAGE * PAGE;
      try (Wal wal = wal(0, 1, List.of(), fileBytes(records))) {
        wal.openSegment(RECORD);
      }
      WalSegment only = segment(1);
      long position = only.limit() - left - RECORD;
      try (Wal wal = wal(position, 2, List.of(only), 0)) {
        put(wal, 10);
      }
      try (WalReader reader = reader(position)) {
        assertThat(reader.next()).as("left %d", left).isNotNull();
        assertThat(reader.next()).as("left %d", left).isNull();
      }
      directory.delete(WalLayout.fileName(1));
    }
  }

  /** W5. It is in the last page of the file: in the part searched first, or after it. */
  @Test
  void aRecordAtTheEndOfTheFileProvesThatOthersAreGone() {
    for (long records : new long[] {2 * PAGE, SEARCHED + PAGE, SEARCHED + 2 * PAGE}) {
      try (Wal wal = wal(0, 1, List.of(), fileBytes(records))) {
        wal.openSegment(RECORD);
        put(wal, 10);
        assertThat(count()).isEqualTo(1);
      }
      WalSegment only = segment(1);
      assertThat(only.limit()).isEqualTo(records);
      try (Wal later = wal(records - RECORD, 2, List.of(only), 0)) {
        put(later, 11);
      }
      assertLost();
      directory.delete(WalLayout.fileName(1));
    }
  }

  /** A file without a whole header: what it holds is of the log from its end on, or older. */
  @Test
  void onlyRecordsFromTheEndOnInAFileWithoutAHeaderProveDamage() {
    try (Wal wal = wal(0, 1, List.of(), fileBytes(PAGE))) {
      wal.openSegment(RECORD);
      put(wal, 10);
      put(wal, 11);
    }
    long end = 2 * RECORD;
    try (PersistentMemory other = directory.open(WalLayout.fileName(2), fileBytes(PAGE))) {
      for (long position : new long[] {0, RECORD, end - 64}) {
        copyFirstRecord(other, position, EPOCH);
        assertThat(count()).as("position %d", position).isEqualTo(2);
      }
      copyFirstRecord(other, end, EPOCH - 1);
      assertThat(count()).isEqualTo(2);
      for (long position : new long[] {end, end + 64, end + PAGE}) {
        copyFirstRecord(other, position, EPOCH);
        assertLost();
      }
    }
  }

  /** Of several files without a whole header each is looked at. */
  @Test
  void anyFileWithoutAHeaderMayProveDamage() {
    try (Wal wal = wal(0, 1, List.of(), fileBytes(PAGE))) {
      wal.openSegment(RECORD);
      put(wal, 10);
    }
    for (int newer = 2; newer <= 4; newer++) {
      for (int file = 2; file <= 4; file++) {
        try (PersistentMemory other = directory.open(WalLayout.fileName(file), fileBytes(PAGE))) {
          copyFirstRecord(other, file == newer ? RECORD : 0, EPOCH);
        }
      }
      assertLost();
    }
  }

  private void copyFirstRecord(PersistentMemory to, long position, int epoch) {
    change(
        segment(1).memory(),
        to,
        header -> {
          header.set(JAVA_LONG, WalLayout.RECORD_POSITION_AT, position);
          header.set(JAVA_INT, WalLayout.RECORD_EPOCH_AT, epoch);
        });
  }

  /** The first record with another header, whose checksum is right. */
  private static void change(
      PersistentMemory from, PersistentMemory to, Consumer<MemorySegment> change) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment record = arena.allocate(RECORD, 8);
      from.load(WalLayout.SEGMENT_RECORDS_AT, record);
      change.accept(record);
      record.set(
          JAVA_INT,
          WalLayout.RECORD_HEADER_CRC_AT,
          Crc.of(record, 0, WalLayout.RECORD_HEADER_CRC_AT));
      to.store(WalLayout.SEGMENT_RECORDS_AT, record);
    }
  }

  @Test
  void lengthsAndEpochsThatNoRecordHasEndTheLog() {
    try (Wal wal = wal(0, 1, List.of(), fileBytes(PAGE))) {
      wal.openSegment(RECORD);
      put(wal, 10);
    }
    PersistentMemory file = segment(1).memory();
    int header = WalLayout.RECORD_HEADER_BYTES;
    for (int bytes :
        new int[] {
          0, 1, -64, header - 64, header - 1, RECORD + 1, PAGE + 64, 2 * PAGE, Integer.MAX_VALUE
        }) {
      change(file, file, h -> h.set(JAVA_INT, WalLayout.RECORD_BYTES_AT, bytes));
      assertOutOfRange("bytes " + bytes);
    }
    change(file, file, h -> h.set(JAVA_INT, WalLayout.RECORD_BYTES_AT, RECORD));
    assertThat(count()).isEqualTo(1);
    for (int epoch : new int[] {-1, Integer.MIN_VALUE}) {
      change(file, file, h -> h.set(JAVA_INT, WalLayout.RECORD_EPOCH_AT, epoch));
      assertOutOfRange("epoch " + epoch);
    }
  }

  private void assertOutOfRange(String what) {
    try (WalReader reader = reader()) {
      assertThat(reader.next()).as(what).isNull();
      assertThat(reader.tornTail()).as(what).contains("length out of range");
    }
  }

  /** None of those that are kept is long enough for the next record. */
  @Test
  void filesThatAreTooShortToBeUsedAgainAreDeleted() {
    try (Wal wal = wal(0, 1, List.of(), fileBytes(PAGE))) {
      for (int i = 0; i < 3; i++) {
        wal.openSegment(RECORD);
      }
      wal.retire(0);
      assertThat(logFiles()).hasSize(3);
      wal.openSegment(4 * PAGE);
      assertThat(logFiles()).containsExactly(WalLayout.fileName(3), WalLayout.fileName(4));
    }
  }

  private List<String> logFiles() {
    return directory.names().stream().filter(WalLayout::isFileName).toList();
  }
}
