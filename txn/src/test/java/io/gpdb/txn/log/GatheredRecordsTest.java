package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.ViewStore;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.LogFilesAhead;
import io.gpdb.txn.api.Protocol;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records of a batch, which are gathered up to 1 MiB from where they were made. */
class GatheredRecordsTest {
  private static final int STEP = WalLayout.RECORD_ALIGNMENT;
  private static final int LONG_BYTES = 64 << 10;
  private static final int GATHERED_BYTES = 1 << 20;

  private final DatabaseMemory memory = new DatabaseMemory();

  /** Backwards, each on a thread of its own. */
  private static final SharedWork WORKERS =
      (pieces, piece) -> {
        Thread[] threads = new Thread[pieces];
        for (int i = pieces - 1; i >= 0; i--) {
          int number = i;
          threads[i] = Thread.startVirtualThread(() -> piece.accept(number));
        }
        for (Thread thread : threads) {
          try {
            thread.join();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      };

  @AfterEach
  void close() {
    memory.close();
  }

  /** Puts records of these lengths as one batch; all of them must be there after a crash. */
  private void assertDurable(List<Integer> lengths) {
    UUID id = UUID.randomUUID();
    long total = lengths.stream().mapToLong(length -> length).sum();
    List<Long> places = new ArrayList<>();
    List<RecordBuffer> records = new ArrayList<>();
    try (CrashableDirectory medium = new CrashableDirectory();
        Wal wal =
            new Wal(medium, id, List.of(), 0, 1, 1, 1 << 16, LogFilesAhead.AT_ONCE, WORKERS)) {
      wal.openSegment(total);
      wal.beginBatch(0);
      for (int i = 0; i < lengths.size(); i++) {
        places.add(wal.position());
        RecordBuffer record = record(i, lengths.get(i));
        wal.put(record, i + 1);
        records.add(record);
      }
      wal.drain();
      records.forEach(RecordBuffer::free);
      try (CrashableDirectory left = medium.crash(CrashChoice.keepNothing());
          PersistentMemory file = left.open(WalLayout.fileName(1), 0);
          Arena arena = Arena.ofConfined()) {
        MemorySegment room = arena.allocate(total, Long.BYTES);
        for (int i = 0; i < places.size(); i++) {
          long at = places.get(i) + WalLayout.SEGMENT_RECORDS_AT;
          MemorySegment read = room.asSlice(0, lengths.get(i));
          file.load(at, read);
          assertIsRecord(read, places.get(i), i);
        }
      }
    }
  }

  /** Each alone, or with others beside: all are there, wherever the power fails later. */
  @Test
  void recordsOfLoneBatchesAreDurableLikeOthers() {
    Random random = new Random(Long.getLong("gpdb.seed", 20261127L));
    try (CrashableDirectory medium = new CrashableDirectory();
        Wal wal =
            new Wal(
                medium,
                UUID.randomUUID(),
                List.of(),
                0,
                1,
                1,
                1 << 20,
                LogFilesAhead.AT_ONCE,
                WORKERS)) {
      wal.openSegment(1 << 20);
      List<Long> places = new ArrayList<>();
      List<Integer> lengths = new ArrayList<>();
      boolean alone = false;
      for (int i = 0; i < 200; i++) {
        alone = random.nextInt(12) == 0 ? !alone : alone;
        int length = STEP * random.nextInt(2, random.nextInt(9) == 0 ? 2000 / STEP * 9 : 20);
        RecordBuffer record = record(i, length);
        wal.beginBatch(wal.position(), alone);
        places.add(wal.position());
        lengths.add(length);
        wal.put(record, i + 1);
        wal.drain();
        record.free();
      }
      try (CrashableDirectory left = medium.crash(CrashChoice.keepNothing());
          PersistentMemory file = left.open(WalLayout.fileName(1), 0);
          Arena arena = Arena.ofConfined()) {
        for (int i = 0; i < places.size(); i++) {
          MemorySegment read = arena.allocate(lengths.get(i), Long.BYTES);
          file.load(places.get(i) + WalLayout.SEGMENT_RECORDS_AT, read);
          assertIsRecord(read, places.get(i), i);
        }
      }
    }
  }

  private RecordBuffer record(int number, int length) {
    RecordBuffer record = new RecordBuffer(memory.work());
    record.begin(1, 0, number);
    record.section(length - WalLayout.RECORD_HEADER_BYTES).fill((byte) (number + 1));
    record.end();
    RecordBuffer.complete(List.of(record), WORKERS);
    assertThat(record.bytes()).isEqualTo(length);
    return record;
  }

  private static void assertIsRecord(MemorySegment record, long position, int number) {
    int body = WalLayout.RECORD_HEADER_BYTES;
    assertThat(record.get(JAVA_LONG, WalLayout.RECORD_POSITION_AT))
        .as("record %d", number)
        .isEqualTo(position);
    assertThat(record.get(JAVA_INT, WalLayout.RECORD_HEADER_CRC_AT))
        .as("record %d", number)
        .isEqualTo(Crc.of(record, 0, WalLayout.RECORD_HEADER_CRC_AT));
    assertThat(record.get(JAVA_INT, WalLayout.RECORD_BODY_CRC_AT))
        .as("record %d", number)
        .isEqualTo(Crc.of(record, body, record.byteSize() - body));
  }

  private static List<Integer> with(int count, int length, int... more) {
    List<Integer> lengths = new ArrayList<>();
    IntStream.range(0, count).forEach(i -> lengths.add(length));
    IntStream.of(more).forEach(lengths::add);
    return lengths;
  }

  @Test
  void recordsThatFillTheGatheredBytesToTheLastAreThere() {
    int length = LONG_BYTES / 2;
    int count = GATHERED_BYTES / length;
    assertDurable(with(count - 1, length, length - STEP));
    assertDurable(with(count, length));
    assertDurable(with(count - 1, length, length + STEP));
    assertDurable(with(count, length, 2 * STEP));
    assertDurable(with(2 * count, length, 2 * STEP, length));
  }

  @Test
  void longRecordsComeBehindThoseGatheredBefore() {
    for (int length : new int[] {LONG_BYTES - STEP, LONG_BYTES, LONG_BYTES + STEP}) {
      assertDurable(List.of(256, length, 512, length, length, 256));
      assertDurable(with(17, length, 256));
    }
    assertDurable(List.of(256, 2 * GATHERED_BYTES, 256));
  }

  /** Threads share stores that are so long, of one record and of many. */
  @Test
  void recordsThatThreadsStoreTogetherAreThere() {
    for (int step = -STEP; step <= STEP; step += STEP) {
      assertDurable(List.of((int) SharedStores.BYTES_MIN + step));
      assertDurable(List.of(256, (int) SharedStores.BYTES_MIN + step, 256));
      assertDurable(List.of(2 * ViewStore.PART_BYTES + step, (int) SharedStores.BYTES_MIN));
      assertDurable(List.of((int) Crc.SHARED_BYTES_MIN + WalLayout.RECORD_HEADER_BYTES + step));
    }
    assertDurable(with(5, 4 << 20, 256));
  }

  /** W1, W5. What a loss of power leaves of a long record is all of it, or the log's end. */
  @Test
  void aLongRecordThatPowerTearsIsNone() {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    UUID id = UUID.randomUUID();
    int length = (int) SharedStores.BYTES_MIN + STEP;
    List<CrashChoice> choices =
        List.of(
            CrashChoice.keepNothing(),
            CrashChoice.keepAll(),
            CrashChoice.random(seed),
            (memoryName, offset, candidates) ->
                offset == WalLayout.SEGMENT_RECORDS_AT + 256 + length - 64L ? 0 : candidates - 1);
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = TableSpace.open(medium, false);
        Wal wal =
            new Wal(medium, id, List.of(), 0, 1, 1, 1 << 16, LogFilesAhead.AT_ONCE, WORKERS)) {
      wal.openSegment(4L << 20);
      wal.beginBatch(0);
      putAlone(wal, 1, 256);
      wal.drain();
      wal.beginBatch(wal.position());
      putAlone(wal, 2, length);
      wal.flush();
      for (int i = 0; i < choices.size(); i++) {
        try (CrashableDirectory left = medium.crash(choices.get(i));
            WalReader reader =
                new WalReader(left, memory.work(), id, new ArrivedValues(space), 0, 1)) {
          int read = 0;
          while (reader.next() != null) {
            read++;
          }
          assertThat(read).as("choice %d, seed %d", i, seed).isEqualTo(i == 1 ? 2 : 1);
        }
      }
    }
  }

  private void putAlone(Wal wal, int transaction, int length) {
    RecordBuffer record = new RecordBuffer(memory.work());
    record.begin(WalLayout.KIND_COMMIT, WalLayout.FLAG_FIRST | WalLayout.FLAG_LAST, transaction);
    int rows = (length - WalLayout.RECORD_HEADER_BYTES - WalLayout.SECTION_HEADER_BYTES) / 4;
    ChangeSection.Delete.begin(record, 7, 0, rows, true).fill((byte) transaction);
    record.end();
    RecordBuffer.complete(List.of(record), WORKERS);
    wal.put(record, transaction);
    wal.write();
    record.free();
  }

  /** Runs of short and long sections that were made elsewhere, with own ones between them. */
  @Test
  void sectionsThatStayWhereTheyAreComeInTheirOrder() {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    Random random = new Random(seed);
    for (int run = 0; run < 20; run++) {
      List<Integer> tablets = new ArrayList<>();
      RecordBuffer record = new RecordBuffer(memory.work());
      List<RecordBuffer> others = new ArrayList<>();
      record.begin(WalLayout.KIND_COMMIT, 0, 1);
      for (int part = 0; part < 6; part++) {
        boolean own = random.nextBoolean();
        RecordBuffer sink = own ? record : new RecordBuffer(memory.work());
        long before = own ? 0 : WalLayout.RECORD_HEADER_BYTES;
        if (!own) {
          sink.begin(WalLayout.KIND_COMMIT, 0, 1);
          others.add(sink);
        }
        for (int i = random.nextInt(4); i >= 0; i--) {
          int n = random.nextInt(random.nextBoolean() ? 40 : RecordBuffer.PIECE_BYTES_MIN / 4);
          ChangeSection.Delete.begin(sink, 7, tablets.size(), n, true).fill((byte) tablets.size());
          tablets.add(tablets.size());
        }
        if (!own) {
          MemorySegment made = sink.pieces().getFirst().asSlice(before);
          long limit = WalLayout.RECORD_BYTES_MAX;
          assertThat(record.takeSections(made, 0, limit, (_, _) -> {})).isEqualTo(made.byteSize());
        }
      }
      record.end();
      RecordBuffer.complete(List.of(record), SharedWork.ALONE);
      assertIsWhole(record, tablets, "seed=" + seed + ", run=" + run);
      record.free();
      others.forEach(RecordBuffer::free);
    }
  }

  /** Sections filled at once, or later by threads, alone and between others. */
  @Test
  void sectionsAreFilledBeforeTheyAreSummed() {
    long seed = Long.getLong("gpdb.seed", 20261127L);
    Random random = new Random(seed);
    for (int run = 0; run < 20; run++) {
      String name = "seed=" + seed + ", run=" + run;
      List<RecordBuffer> records = new ArrayList<>();
      List<List<Integer>> tablets = new ArrayList<>();
      RecordBuffer other = new RecordBuffer(memory.work());
      other.begin(WalLayout.KIND_COMMIT, 0, 1);
      ChangeSection.Delete.begin(other, 7, 0, 20_000, true).fill((byte) 0);
      MemorySegment elsewhere = other.pieces().getFirst().asSlice(WalLayout.RECORD_HEADER_BYTES);
      for (int i = random.nextInt(1, 6); i > 0; i--) {
        RecordBuffer record = new RecordBuffer(memory.work());
        record.begin(WalLayout.KIND_COMMIT, 0, 1);
        tablets.add(new ArrayList<>());
        for (int part = random.nextInt(1, 7); part > 0; part--) {
          int tablet = random.nextInt(3) * tablets.getLast().size();
          tablets.getLast().add(tablet);
          if (tablet == 0) {
            record.takeSections(elsewhere, 0, WalLayout.RECORD_BYTES_MAX, (_, _) -> {});
          } else {
            putUnfilled(record, tablet, random.nextInt(random.nextBoolean() ? 40 : 200_000));
          }
        }
        record.end();
        records.add(record);
      }
      RecordBuffer.complete(records, random.nextBoolean() ? WORKERS : SharedWork.ALONE);
      for (int i = 0; i < records.size(); i++) {
        assertIsWhole(records.get(i), tablets.get(i), name);
        records.get(i).free();
      }
      other.free();
    }
  }

  @Test
  void sectionsOfExpectedLengthAreNotMoved() {
    RecordBuffer record = new RecordBuffer(memory.work());
    record.begin(WalLayout.KIND_COMMIT, 0, 1);
    record.expect(5L << 20);
    long blocks = memory.work().blocksTaken();
    long at = record.section(1 << 20).address();
    for (int i = 1; i < 5; i++) {
      assertThat(record.section(1 << 20).address()).isEqualTo(at + ((long) i << 20));
    }
    assertThat(memory.work().blocksTaken()).isEqualTo(blocks);
    record.free();
  }

  /** A commit of many inserted rows says how long its records are going to be. */
  @Test
  void aRecordOfInsertedRowsTakesOneBlock() {
    long[] blocks = new long[2];
    for (int i = 0; i < 2; i++) {
      try (CrashableDirectory files = new CrashableDirectory();
          TransactionManager manager = SampleDatabase.withTable(files, Protocol.REDO)) {
        Transaction tx = manager.begin();
        SampleDatabase.insert(tx, 0, i == 0 ? 10 : 131_000, id -> id);
        long before = manager.database().memory().blocksTaken();
        tx.commit();
        blocks[i] = manager.database().memory().blocksTaken() - before;
      }
    }
    assertThat(blocks[1]).isEqualTo(blocks[0] + 1);
  }

  private static void putUnfilled(RecordBuffer record, int tablet, int n) {
    MemorySegment values = ChangeSection.Delete.begin(record, 7, tablet, n, true);
    values.fill((byte) -1);
    long padded = WalLayout.align(values.byteSize(), WalLayout.SECTION_ALIGNMENT);
    record.fill(
        WalLayout.SECTION_HEADER_BYTES + padded,
        section ->
            section.asSlice(WalLayout.SECTION_HEADER_BYTES, values.byteSize()).fill((byte) tablet));
  }

  /** All threads fill the sections of records that are made together. */
  @Test
  void longSectionsAreFilledByAllThreadsAtOnce() {
    List<RecordBuffer> records = new ArrayList<>();
    AtomicInteger filled = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      RecordBuffer record = new RecordBuffer(memory.work());
      record.begin(WalLayout.KIND_COMMIT, 0, 1);
      for (int part = 0; part < 2; part++) {
        record.section(Crc.SHARED_BYTES_MIN);
        record.fill(Crc.SHARED_BYTES_MIN, _ -> filled.incrementAndGet());
      }
      record.end();
      records.add(record);
    }
    assertThat(filled).hasValue(0);
    List<Integer> atOnce = new ArrayList<>();
    RecordBuffer.complete(
        records,
        (pieces, piece) -> {
          atOnce.add(pieces);
          IntStream.range(0, pieces).forEach(piece);
        });
    assertThat(filled).hasValue(6);
    assertThat(atOnce).containsExactly(6);
    records.forEach(RecordBuffer::free);
  }

  private static void assertIsWhole(RecordBuffer record, List<Integer> tablets, String run) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment whole = arena.allocate(record.bytes(), Long.BYTES);
      long at = 0;
      for (MemorySegment piece : record.pieces()) {
        whole.asSlice(at).copyFrom(piece);
        at += piece.byteSize();
      }
      assertThat(at).as(run).isEqualTo(record.bytes());
      assertThat(whole.get(JAVA_INT, WalLayout.RECORD_BYTES_AT)).as(run).isEqualTo((int) at);
      int body = WalLayout.RECORD_HEADER_BYTES;
      assertThat(whole.get(JAVA_INT, WalLayout.RECORD_BODY_CRC_AT))
          .as(run)
          .isEqualTo(Crc.of(whole, body, at - body));
      List<Integer> read = new ArrayList<>();
      new WalRecord(0, whole)
          .forEachSection(
              section -> {
                ChangeSection.Delete delete = (ChangeSection.Delete) section;
                for (int i = 0; i < delete.n(); i++) {
                  assertThat(delete.row(i)).as(run).isEqualTo(0x01010101 * delete.tablet());
                }
                read.add(delete.tablet());
              });
      assertThat(read).as(run).isEqualTo(tablets);
    }
  }
}
