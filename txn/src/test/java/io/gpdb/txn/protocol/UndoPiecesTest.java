package io.gpdb.txn.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TabletView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that end right before, at and behind the end of a piece of the undo log. */
class UndoPiecesTest {
  private static final int TABLE = 16;
  private static final int GROUP_ROWS = 32;

  /** A record of g groups of an 8-byte column takes 128 + 384 g bytes. */
  private static final int GROUP_BYTES = 384;

  /** Three records with these groups together end where the first piece ends. */
  private static final int GROUPS =
      (int)
          ((UndoLayout.PIECE_BYTES - UndoLayout.RECORDS_AT - 3 * UndoLayout.HEADER_BYTES)
              / GROUP_BYTES);

  private static final int ROWS = 1000 * GROUP_ROWS;

  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;

  @BeforeEach
  void open() {
    manager = SampleDatabase.open(directory, Protocol.UNDO);
    Transaction tx = manager.begin();
    tx.createTable(
        TABLE, new TableShape(List.of(new ColumnShape("V", ElementType.I64)), List.of()));
    try (Arena arena = Arena.ofConfined()) {
      tx.writer(TABLE).insert(new ColumnView[] {numbers(arena, ROWS, 0)}, ROWS);
    }
    tx.commit();
  }

  @AfterEach
  void close() {
    manager.abandon();
    directory.close();
  }

  private static ColumnView numbers(Arena arena, int n, long salt) {
    MemorySegment values = arena.allocate(8L * n, 8);
    for (int i = 0; i < n; i++) {
      values.setAtIndex(JAVA_LONG, i, i + salt);
    }
    return ColumnView.mapped(HostMemory.INSTANCE, ElementType.I64, values, null);
  }

  private static void update(Transaction tx, int groups, long salt) {
    int n = groups * GROUP_ROWS;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment rows = arena.allocate(4L * n, 8);
      for (int i = 0; i < n; i++) {
        rows.setAtIndex(JAVA_INT, i, i);
      }
      ColumnView[] values = {numbers(arena, n, salt)};
      tx.writer(TABLE).update(0, HostMemory.INSTANCE.map(rows), n, new int[] {0}, values);
    }
  }

  /** What is behind the others begins the next piece, and is put back like them. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1})
  void allRecordsArePutBackWhereverThePieceEnds(int groupsMore) {
    assertThat(UndoLayout.RECORDS_AT + 3 * UndoLayout.HEADER_BYTES + GROUPS * GROUP_BYTES)
        .isEqualTo((int) UndoLayout.PIECE_BYTES);
    Transaction tx = manager.begin();
    update(tx, 999, 1_000_000);
    update(tx, 999, 2_000_000);
    int rest = GROUPS - 2 * 999 + groupsMore;
    update(tx, rest, 3_000_000);
    long third = UndoLayout.RECORDS_AT + 2 * recordBytes(999);
    long thirdAt = groupsMore > 0 ? UndoLayout.PIECE_BYTES : third;
    assertRecordsAt(3, thirdAt);
    assertPutBack(3, 2 * 999 + rest);
    update(tx, 1, 4_000_000);
    assertRecordsAt(4, groupsMore < 0 ? UndoLayout.PIECE_BYTES : thirdAt + recordBytes(rest));
    assertPutBack(4, 2 * 999 + rest + 1);
    tx.rollback();
  }

  private static long recordBytes(int groups) {
    return UndoLayout.HEADER_BYTES + (long) groups * GROUP_BYTES;
  }

  private void assertRecordsAt(int count, long last) {
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        PersistentMemory home = left.open("home.gpdb", 0);
        UndoLog log = new UndoLog(left, home, null)) {
      List<UndoEntry> entries = log.entries();
      assertThat(entries).hasSize(count);
      assertThat(entries.getLast().offset()).isEqualTo(last);
    }
  }

  private void assertPutBack(int records, int groups) {
    try (CrashableDirectory left = directory.crash(CrashChoice.keepAll());
        TransactionManager again = SampleDatabase.open(left, Protocol.UNDO)) {
      assertThat(again.recovery().undoneEntries())
          .as("%d records", records)
          .isEqualTo((long) groups * GROUP_ROWS);
      Transaction reader = again.begin();
      try (TabletView view = reader.reader(TABLE).open(0, new int[] {0})) {
        for (int r = 0; r < ROWS; r++) {
          if (view.column(0).raw(r) != r) {
            throw new AssertionError("row " + r + " was not put back");
          }
        }
      }
      reader.commit();
    }
  }
}
