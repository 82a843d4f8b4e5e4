package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.AMOUNT;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.api.Protocol;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Too little memory for versions and copies: what fails leaves everything as it was. */
@Timeout(60)
class MemoryOfVersionsTest {
  private static final int ROWS = 500;
  private static final int ENOUGH_BYTES = 2 << 20;
  private static final long PLENTY = 1L << 30;

  private final VolatileDirectory directory = new VolatileDirectory("versions");
  private TransactionManager manager;
  private MemoryAccount memory;

  @BeforeEach
  void open() {
    manager = withTable(directory, Protocol.REDO);
    memory = manager.database().memory();
    Transaction tx = manager.begin();
    insert(tx, 0, ROWS, id -> id);
    tx.commit();
  }

  @AfterEach
  void close() {
    manager.close();
    directory.close();
  }

  private static void assertFails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(GpdbException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private void updateAll(Transaction tx, long more) {
    update(tx, id -> true, id -> id + more);
  }

  /** As {@link #updateAll}, with versions that are merged with others. */
  private Transaction largeWriter(long more, int times) {
    Transaction tx = manager.begin();
    updateAll(tx, more);
    takeMemory(tx, times * ENOUGH_BYTES);
    return tx;
  }

  private void takeMemory(Transaction tx, int bytes) {
    tx.writesTo(Objects.requireNonNull(manager.database().tables().table(TABLE)))
        .versionMemory()
        .allocate(bytes, Long.BYTES);
  }

  @Test
  void aLimitHoldsFromTheLeastOneOn() {
    long least = TransactionManager.MEMORY_BYTES_MIN;
    assertThat(least).isEqualTo(2 << 20);
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> manager.limitMemory(least - 1));
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> manager.limitMemory(0));
    Transaction tx = manager.begin();
    manager.limitMemory(least);
    assertThat(memory.limitBytes()).isEqualTo(least);
    assertFails(ErrorCode.OUT_OF_MEMORY, () -> takeMemory(tx, ENOUGH_BYTES + 1));
    tx.rollback();
    manager.limitMemory(PLENTY);
    assertThat(contents(manager)).isEqualTo(expected(0, ROWS, id -> id));
  }

  /** Versions that cannot be merged are kept, and no tablet stays latched. */
  @Test
  void aMergeWithoutMemoryLeavesTheVersions() throws InterruptedException {
    Transaction reader = manager.begin();
    largeWriter(1, 1).commit();
    Transaction second = largeWriter(2, 4);
    memory.limit(1);
    second.commit();
    memory.limit(PLENTY);
    assertThat(manager.database().reclaim().pendingCount()).isGreaterThan(1);
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  Transaction tx = manager.begin();
                  updateAll(tx, 3);
                  tx.commit();
                });
    other.join();
    assertThat(contents(reader)).isEqualTo(expected(0, ROWS, id -> id));
    largeWriter(4, 16).commit();
    assertThat(manager.database().reclaim().pendingCount()).isEqualTo(1);
    assertThat(contents(reader)).isEqualTo(expected(0, ROWS, id -> id));
    reader.commit();
    assertThat(contents(manager)).isEqualTo(expected(0, ROWS, id -> id + 4));
  }

  @Test
  void anInterruptedThreadMergesAllTheSame() {
    Transaction reader = manager.begin();
    largeWriter(1, 1).commit();
    Transaction second = largeWriter(2, 4);
    Thread.currentThread().interrupt();
    second.commit();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(manager.database().reclaim().pendingCount()).isEqualTo(1);
    assertThat(contents(reader)).isEqualTo(expected(0, ROWS, id -> id));
    reader.commit();
  }

  /** A view of an older state takes copies. */
  @Test
  void aViewWithoutMemoryForItsCopiesHoldsNothing() throws InterruptedException {
    Transaction reader = manager.begin();
    Transaction writer = manager.begin();
    updateAll(writer, 1);
    writer.commit();
    long limit = memory.limitBytes();
    long before = manager.spaceStatistics().versionBytes();
    memory.limit(1);
    assertFails(
        ErrorCode.OUT_OF_MEMORY, () -> reader.reader(TABLE).open(0, new int[] {AMOUNT}).close());
    memory.limit(limit);
    assertThat(manager.spaceStatistics().versionBytes()).isEqualTo(before);
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  Transaction tx = manager.begin();
                  updateAll(tx, 2);
                  tx.commit();
                });
    other.join();
    assertThat(contents(reader)).isEqualTo(expected(0, ROWS, id -> id));
    reader.commit();
  }
}
