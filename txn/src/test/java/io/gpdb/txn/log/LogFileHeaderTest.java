package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistentMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is taken for a log file's name, its header and its note of the next file. */
class LogFileHeaderTest {
  private static final String NAME = WalLayout.fileName(1);
  private static final UUID OWNER = new UUID(1, 2);

  private final CrashableDirectory directory = new CrashableDirectory();

  @BeforeEach
  void make() {
    WalSegment.createFirst(directory, 128, OWNER);
  }

  @AfterEach
  void close() {
    directory.close();
  }

  @Test
  void onlyNumbersBetweenPrefixAndSuffixAreNamesOfLogFiles() {
    for (String name : new String[] {"wal-00000001.gpdb", "wal-7.gpdb", "wal-123456789.gpdb"}) {
      assertThat(WalLayout.isFileName(name)).as(name).isTrue();
    }
    for (String name :
        new String[] {
          "wal-.gpdb", "wal.gpdb", "wal-gpdb", "wal-1x.gpdb", "wal-x1.gpdb", "wal-/.gpdb",
          "wal-:.gpdb", "wal-1.gpdb.new", "xwal-1.gpdb", "home.gpdb", "wal-1.gpd", ""
        }) {
      assertThat(WalLayout.isFileName(name)).as(name).isFalse();
    }
  }

  private void change(Consumer<MemorySegment> fields, int headerBytes) {
    try (Arena arena = Arena.ofConfined();
        PersistentMemory file = directory.open(NAME, 0)) {
      MemorySegment header = arena.allocate(WalLayout.SEGMENT_HEADER_BYTES, 8);
      file.load(0, header);
      fields.accept(header);
      header.set(JAVA_INT, WalLayout.SEGMENT_CRC_AT, 0);
      header.set(JAVA_INT, WalLayout.SEGMENT_CRC_AT, Crc.of(header, 0, headerBytes));
      file.store(0, header);
    }
  }

  private void version(int version, int headerBytes) {
    change(h -> h.set(JAVA_INT, WalLayout.SEGMENT_VERSION_AT, version), headerBytes);
  }

  private WalSegment read() {
    return WalSegment.read(directory, NAME, OWNER);
  }

  @Test
  void headersOfAllVersionsAreReadAndNoOthers() {
    assertThat(Objects.requireNonNull(read()).start()).isEqualTo(128);
    int all = WalLayout.SEGMENT_HEADER_BYTES;
    version(1, WalLayout.SEGMENT_HEADER_WITHOUT_BYTES);
    assertThat(read()).isNotNull();
    version(1, all);
    assertThat(read()).as("checksum over too much").isNull();
    version(2, WalLayout.SEGMENT_HEADER_WITHOUT_ID);
    assertThat(read()).isNotNull();
    version(3, all);
    assertThat(read()).isNotNull();
    version(WalLayout.SEGMENT_VERSION, all);
    assertThat(read()).isNotNull();
    for (int version : new int[] {-1, 0, WalLayout.SEGMENT_VERSION + 1}) {
      version(version, all);
      assertThat(read()).as("version " + version).isNull();
    }
  }

  @Test
  void aHeaderOfAnotherDatabaseNumberOrMagicIsNotThisFiles() {
    assertThat(WalSegment.read(directory, NAME, null)).isNotNull();
    assertThatThrownBy(() -> WalSegment.read(directory, NAME, new UUID(1, 3)))
        .isInstanceOf(GpdbException.class);
    int all = WalLayout.SEGMENT_HEADER_BYTES;
    change(h -> h.set(JAVA_LONG, WalLayout.SEGMENT_NUMBER_AT, 2), all);
    assertThat(read()).isNull();
    change(h -> h.set(JAVA_LONG, WalLayout.SEGMENT_NUMBER_AT, 1), all);
    assertThat(read()).isNotNull();
    change(h -> h.set(JAVA_LONG, WalLayout.SEGMENT_MAGIC_AT, WalLayout.SEGMENT_MAGIC + 1), all);
    assertThat(read()).isNull();
  }

  @Test
  void aFileStartsAtAPlaceThatALogHas() {
    int all = WalLayout.SEGMENT_HEADER_BYTES;
    for (long start : new long[] {0, 64, 1L << 40, WalSegment.POSITION_MAX}) {
      change(h -> h.set(JAVA_LONG, WalLayout.SEGMENT_START_AT, start), all);
      assertThat(Objects.requireNonNull(read()).start()).isEqualTo(start);
    }
    for (long start :
        new long[] {-64, -4096, Long.MIN_VALUE, 63, 1, WalSegment.POSITION_MAX + 64}) {
      change(h -> h.set(JAVA_LONG, WalLayout.SEGMENT_START_AT, start), all);
      assertThatThrownBy(this::read)
          .as("start " + start)
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
    }
  }

  @Test
  void aFileThatIsShorterThanItsHeaderSaysIsRefused() {
    int all = WalLayout.SEGMENT_HEADER_BYTES;
    long bytes = Objects.requireNonNull(read()).memory().sizeBytes();
    change(h -> h.set(JAVA_LONG, WalLayout.SEGMENT_BYTES_AT, bytes + 1), all);
    assertThatThrownBy(this::read)
        .isInstanceOf(GpdbException.class)
        .hasMessageContaining("cut short");
    change(h -> h.set(JAVA_LONG, WalLayout.SEGMENT_BYTES_AT, bytes), all);
    assertThat(read()).isNotNull();
    cut(WalLayout.SEGMENT_RECORDS_AT);
    assertThatThrownBy(this::read)
        .isInstanceOf(GpdbException.class)
        .hasMessageContaining("cut short");
  }

  private void cut(long bytes) {
    byte[] left = new byte[(int) bytes];
    try (PersistentMemory file = directory.open(NAME, 0)) {
      file.load(0, MemorySegment.ofArray(left));
    }
    directory.delete(NAME);
    try (PersistentMemory file = directory.open(NAME, bytes)) {
      file.store(0, MemorySegment.ofArray(left));
    }
  }

  /** W8. */
  @Test
  void aNoteOfTheNextFileCountsWhenItIsWholeAndThisFilesOwn() {
    WalSegment segment = Objects.requireNonNull(read());
    assertThat(segment.notedNext()).isZero();
    segment.noteNext(5);
    assertThat(segment.notedNext()).isEqualTo(5);
    for (long at = WalLayout.NEXT_MAGIC_AT; at < WalLayout.NEXT_CRC_AT + 4; at++) {
      directory.flipBit(NAME, at, (int) (at % 8));
      assertThat(segment.notedNext()).as("byte " + at).isZero();
      directory.flipBit(NAME, at, (int) (at % 8));
    }
    assertThat(segment.notedNext()).isEqualTo(5);
    assertThat(new WalSegment(2, 0, segment.memory()).notedNext()).as("of its past").isZero();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment note = arena.allocate(28, 8);
      note.set(JAVA_LONG, 0, WalLayout.NEXT_MAGIC + 1);
      note.set(JAVA_LONG, 8, 1);
      note.set(JAVA_LONG, 16, 6);
      note.set(JAVA_INT, 24, Crc.of(note, 0, 24));
      segment.memory().store(WalLayout.NEXT_MAGIC_AT, note);
    }
    assertThat(segment.notedNext()).as("something else").isZero();
  }
}
