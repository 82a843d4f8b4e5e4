package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.protocol.UndoLayout;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What recovery in place relies on: marks before checkpoints, whole regions. */
@Timeout(60)
class UndoGuardsTest {
  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;

  @BeforeEach
  void open() {
    manager = withTable(directory, Protocol.UNDO);
    Transaction tx = manager.begin();
    insert(tx, 0, 100, id -> id);
    tx.commit();
  }

  @AfterEach
  void close() {
    manager.abandon();
    directory.close();
  }

  /** U3. The commit is visible and not marked yet when a checkpoint takes it in. */
  @Test
  void aCheckpointWaitsForTheMarksOfAllThatItHolds() throws InterruptedException {
    OpenDatabase database = manager.database();
    Transaction tx = manager.begin();
    update(tx, id -> id == 3, id -> 33);
    TransactionWrites writes = tx.writesTo(Objects.requireNonNull(database.tables().table(TABLE)));
    long sequence = database.snapshots().newestCommit() + 1;
    database.protocol().beforeCheckpoint(sequence - 1); // does not hold it, does not wait
    writes.stamp().commit(sequence);
    Thread checkpoint = new Thread(() -> database.protocol().beforeCheckpoint(sequence));
    checkpoint.start();
    while (checkpoint.getState() != Thread.State.TIMED_WAITING && checkpoint.isAlive()) {
      Thread.onSpinWait();
    }
    assertThat(checkpoint.isAlive()).isTrue();
    database.protocol().beforeCheckpoint(sequence - 1);
    database.protocol().afterCommit(writes);
    checkpoint.join(20_000);
    assertThat(checkpoint.isAlive()).isFalse();
  }

  /** Old values that are not what was written are never put back. */
  @Test
  void aDamagedRegionIsRefusedWhereItWouldBePutBack() {
    Transaction tx = manager.begin();
    update(tx, id -> id < 40, id -> -id);
    manager.abandon();
    int region = UndoLayout.RECORDS_AT + UndoLayout.HEADER_BYTES;
    for (int at : new int[] {region, region + 1, region + 40, region + 160}) {
      try (CrashableDirectory damaged = directory.crash(CrashChoice.keepAll())) {
        damaged.flipBit(UndoLayout.FILE_NAME, at, 5);
        assertThatThrownBy(() -> SampleDatabase.open(damaged, Protocol.UNDO))
            .isInstanceOfSatisfying(
                GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION))
            .hasMessageContaining("checksum of undo record does not match")
            .hasMessageContaining("offset=" + UndoLayout.RECORDS_AT);
      }
    }
  }
}
