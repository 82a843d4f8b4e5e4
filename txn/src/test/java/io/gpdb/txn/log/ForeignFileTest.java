package io.gpdb.txn.log;

import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.open;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.protocol.UndoLayout;
import io.gpdb.txn.recovery.LogCheck;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file of one killed database in the place of another's is refused, and not read. */
class ForeignFileTest {
  private static final String LOG = WalLayout.fileName(1);
  private static final int ROWS = 100;

  private final CrashableDirectory directory = killed(1);
  private final CrashableDirectory other = killed(1000);

  @AfterEach
  void close() {
    directory.close();
    other.close();
  }

  private static CrashableDirectory killed(long factor) {
    CrashableDirectory made = new CrashableDirectory();
    TransactionManager manager = withTable(made, Protocol.UNDO);
    Transaction tx = manager.begin();
    insert(tx, 0, ROWS, id -> id * factor);
    tx.commit();
    Transaction unfinished = manager.begin();
    update(unfinished, id -> true, id -> -id);
    manager.abandon();
    return made;
  }

  @ParameterizedTest
  @ValueSource(strings = {"wal-00000001.gpdb", "undo.gpdb", "home.gpdb"})
  void aFileOfAnotherDatabaseIsRefused(String name) {
    try (Arena arena = Arena.ofConfined()) {
      PersistentMemory from = other.open(name, 0);
      PersistentMemory to = directory.open(name, 0);
      MemorySegment bytes = arena.allocate(from.sizeBytes(), 8);
      from.load(0, bytes);
      to.grow(from.sizeBytes());
      to.store(0, bytes);
      to.persist(0, bytes.byteSize());
    }
    assertThatThrownBy(() -> open(directory, Protocol.UNDO).abandon())
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION))
        .hasMessageContaining("of another database");
    assertThat(LogCheck.run(directory)).anyMatch(p -> p.contains("of another database"));
  }

  @Test
  void headersWithoutAnIdAreRead() {
    reseal(
        LOG,
        0,
        WalLayout.SEGMENT_VERSION_AT,
        WalLayout.SEGMENT_VERSION_WITHOUT_ID,
        WalLayout.SEGMENT_CRC_AT,
        WalLayout.SEGMENT_HEADER_WITHOUT_ID);
    for (int at : new int[] {0, UndoLayout.FILE_HEADER_STEP}) {
      reseal(
          UndoLayout.FILE_NAME,
          at,
          UndoLayout.FILE_VERSION_AT,
          UndoLayout.VERSION,
          UndoLayout.FILE_CRC_AT,
          UndoLayout.FILE_DATABASE_ID_AT);
    }
    assertThat(LogCheck.run(directory)).isEmpty();
    try (TransactionManager manager = open(directory, Protocol.UNDO)) {
      assertThat(contents(manager)).isEqualTo(expected(0, ROWS, id -> id));
    }
  }

  /** Makes a header what an earlier version wrote: shorter, with zeros behind. */
  private void reseal(String file, long at, int versionAt, int version, int crcAt, int bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocate(64, 8);
      PersistentMemory memory = directory.open(file, 0);
      memory.load(at, header);
      if (header.get(JAVA_INT, versionAt) == 0) {
        return; // not written yet
      }
      header.asSlice(bytes).fill((byte) 0);
      header.set(JAVA_INT, versionAt, version);
      header.set(JAVA_INT, crcAt, 0);
      header.set(JAVA_INT, crcAt, Crc.of(header, 0, bytes));
      memory.store(at, header);
      memory.persist(at, header.byteSize());
    }
  }
}
