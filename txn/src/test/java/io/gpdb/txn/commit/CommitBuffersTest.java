package io.gpdb.txn.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.api.LogFilesAhead;
import io.gpdb.txn.log.ChangeSection;
import io.gpdb.txn.log.RecordBuffer;
import io.gpdb.txn.log.RecordSource;
import io.gpdb.txn.log.SectionSink;
import io.gpdb.txn.log.Wal;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.log.WalReader;
import io.gpdb.txn.log.WalRecord;
import io.gpdb.txn.log.WalSegment;
import io.gpdb.txn.protocol.Poison;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.LockWaits;
import io.gpdb.txn.version.Snapshots;
import io.gpdb.txn.version.TxnCounters;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits of one and of many records side by side. */
@Timeout(60)
class CommitBuffersTest {
  private static final UUID DATABASE = new UUID(1, 2);
  private static final int THREADS = 6;
  private static final int COMMITS = 40;

  /** Records of one transaction; remembers which threads made them. */
  private static final class Numbered implements RecordSource {
    private final Thread committer = Thread.currentThread();
    private final long transactionId;
    private final int count;
    private int made;

    Numbered(long transactionId, int count) {
      this.transactionId = transactionId;
      this.count = count;
    }

    @Override
    public boolean fill(RecordBuffer buffer) {
      assertThat(Thread.currentThread()).as("G4").isSameAs(committer);
      int flags = made == 0 ? WalLayout.FLAG_FIRST : 0;
      buffer.begin(WalLayout.KIND_COMMIT, flags, transactionId);
      buffer.section(WalLayout.SECTION_HEADER_BYTES + 8L * made).fill((byte) made);
      made++;
      if (made == count) {
        buffer.addFlags(WalLayout.FLAG_LAST);
      }
      buffer.end();
      return made < count;
    }
  }

  /** As many records as are asked for, of sections that stay where they are. */
  private static final class Elsewhere implements RecordSource {
    private final MemorySegment section;
    private final int count;
    private int made;

    Elsewhere(MemorySegment section, int count) {
      this.section = section;
      this.count = count;
    }

    @Override
    public boolean fill(RecordBuffer buffer) {
      buffer.begin(WalLayout.KIND_COMMIT, 0, 7);
      long end = buffer.takeSections(section, 0, section.byteSize(), (_, _) -> {});
      assertThat(end).isEqualTo(section.byteSize());
      buffer.end();
      return ++made < count;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 5, 63, 64, 65})
  void recordsThatTakeLittleMemoryAreAllMadeAhead(int count) {
    try (Arena arena = Arena.ofConfined();
        DatabaseMemory memory = new DatabaseMemory()) {
      List<MemorySegment> sections = new ArrayList<>();
      SectionSink sink =
          bytes -> {
            sections.add(arena.allocate(bytes, Long.BYTES));
            return sections.getLast();
          };
      ChangeSection.Delete.begin(sink, 7, 0, 40_000, true).fill((byte) 3);
      RecordSource source = new Elsewhere(sections.getFirst(), count);
      try (CommitBuffers made = new CommitBuffers(memory.work(), source, SharedWork.ALONE)) {
        assertThat(made.ahead()).hasSize(Math.min(count, CommitBuffers.ELSEWHERE_AHEAD_MAX));
        assertThat(made.hasMore()).isEqualTo(count > CommitBuffers.ELSEWHERE_AHEAD_MAX);
      }
    }
  }

  /** G2. Records of one commit follow each other, whole and in their order. */
  @Test
  void commitsOfAnyLengthAreWrittenByTheirOwnThread() throws Exception {
    try (CrashableDirectory directory = new CrashableDirectory();
        DatabaseMemory memory = new DatabaseMemory()) {
      WalSegment segment = segment(directory);
      Map<Long, Integer> counts = new HashMap<>();
      try (Wal wal =
              new Wal(
                  directory,
                  DATABASE,
                  List.of(segment),
                  0,
                  2,
                  1,
                  1 << 20,
                  LogFilesAhead.AT_ONCE,
                  SharedWork.ALONE);
          PersistentMemory home = directory.open("home.gpdb", 4096);
          ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
        GroupCommit commits =
            new GroupCommit(
                wal, home, new Snapshots(), new TxnCounters(), new Poison(), new LockWaits(), 0, 2);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          long first = 1L + thread * COMMITS;
          for (long id = first; id < first + COMMITS; id++) {
            counts.put(id, count(id));
          }
          running.add(
              threads.submit(
                  () -> {
                    for (long id = first; id < first + COMMITS; id++) {
                      commit(commits, memory, id);
                    }
                  }));
        }
        for (Future<?> task : running) {
          task.get();
        }
        assertThat(read(directory, memory)).isEqualTo(counts);
      }
    }
  }

  private static WalSegment segment(CrashableDirectory directory) {
    String name = WalLayout.fileName(1);
    WalSegment.createFirst(directory, 0, DATABASE);
    directory.syncNames();
    PersistentMemory memory = directory.open(name, 1 << 20);
    memory.grow(4 << 20);
    memory.close();
    return Objects.requireNonNull(WalSegment.read(directory, name, DATABASE));
  }

  /** Many of one record, some longer than what is made ahead. */
  private static int count(long id) {
    return id % 3 == 0 ? (int) (id % 11) + 1 : 1;
  }

  private static void commit(GroupCommit commits, DatabaseMemory memory, long id) {
    CommitStamp stamp = new CommitStamp(id);
    try (CommitBuffers made =
        new CommitBuffers(memory.work(), new Numbered(id, count(id)), SharedWork.ALONE)) {
      assertThat(made.hasMore()).isEqualTo(count(id) > CommitBuffers.AHEAD_MAX);
      commits.commit(new CommitRequest(stamp, made, null, CommitRequest.Kind.OTHER_ROWS, false));
    }
    assertThat(stamp.sequence()).isPositive();
  }

  /** By transaction, how many records of it follow each other from its first to its last. */
  private static Map<Long, Integer> read(CrashableDirectory directory, DatabaseMemory memory) {
    Map<Long, Integer> found = new HashMap<>();
    WalSegment segment =
        Objects.requireNonNull(WalSegment.read(directory, WalLayout.fileName(1), DATABASE));
    try (WalReader reader = new WalReader(directory, memory.work(), segment)) {
      long sequence = 0;
      int count = 0;
      @Nullable WalRecord record = reader.nextHere();
      while (record != null) {
        count = record.isFirst() ? 1 : count + 1;
        assertThat(record.sequence()).isEqualTo(record.isFirst() ? sequence + 1 : sequence);
        sequence = record.sequence();
        if (record.isLast()) {
          assertThat(found.put(record.transactionId(), count)).isNull();
        }
        record = reader.nextHere();
      }
    }
    return found;
  }
}
