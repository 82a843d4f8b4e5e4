package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.DEVICE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A database whose files were deleted, moved or replaced beneath it acknowledges nothing more; an
 * interrupted thread loses nothing.
 */
class FilesGoneTest {
  private static final long ALL_LOOKED_AT_NANOS = 30_000_000;

  @TempDir Path temp;
  private int rows;

  /** What is done to the files. */
  private interface Harm {
    void to(Path db) throws IOException;
  }

  private void commit(TransactionManager manager) {
    Transaction tx = manager.begin();
    try {
      insert(tx, rows, 10, id -> id);
      tx.commit();
      rows += 10;
    } finally {
      if (tx.isActive()) {
        tx.rollback();
      }
    }
  }

  private static TransactionManager open(StorageDirectory directory, Protocol protocol) {
    TransactionManager manager =
        TransactionManager.open(directory, DEVICE, TxnOptions.standard().withProtocol(protocol));
    Transaction tx = manager.begin();
    tx.createTable(SampleDatabase.TABLE, SampleDatabase.shape());
    tx.commit();
    return manager;
  }

  private void assertNoticed(Protocol protocol, boolean checkpoint, Harm harm) throws IOException {
    Path db = Files.createTempDirectory(temp, "db");
    StorageDirectory directory = FileDirectory.open(db, true);
    TransactionManager manager = open(directory, protocol);
    commit(manager);
    manager.checkpoint();
    commit(manager);
    harm.to(db);
    long deadline = System.nanoTime() + ALL_LOOKED_AT_NANOS;
    while (System.nanoTime() < deadline) {
      LockSupport.parkNanos(ALL_LOOKED_AT_NANOS);
    }
    assertThatThrownBy(
            () -> {
              if (checkpoint) {
                manager.checkpoint();
              } else {
                commit(manager);
              }
            })
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND))
        .hasMessageContaining("of the open database was");
    assertThatThrownBy(() -> commit(manager))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND));
    manager.abandon();
    directory.close();
  }

  private static void delete(Path db, String prefix) throws IOException {
    try (var files = Files.list(db)) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith(prefix)).toList()) {
        Files.delete(file);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void deletedFilesAreNoticedAtTheNextCommitOrCheckpoint(Protocol protocol) throws IOException {
    for (boolean checkpoint : new boolean[] {false, true}) {
      assertNoticed(protocol, checkpoint, db -> delete(db, "wal-"));
      assertNoticed(protocol, checkpoint, db -> delete(db, "home"));
      assertNoticed(protocol, checkpoint, db -> delete(db, ""));
    }
  }

  @Test
  void filesThatWereReplacedOrMovedAreNoticed() throws IOException {
    assertNoticed(
        Protocol.REDO,
        false,
        db -> {
          Files.copy(db.resolve("wal-00000001.gpdb"), db.resolve("copy"));
          Files.move(
              db.resolve("copy"),
              db.resolve("wal-00000001.gpdb"),
              StandardCopyOption.REPLACE_EXISTING);
        });
    assertNoticed(Protocol.REDO, true, db -> Files.move(db, db.resolveSibling("moved")));
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void anInterruptInACommitLosesNothingAndIsKept(Protocol protocol) throws IOException {
    Path db = Files.createTempDirectory(temp, "db");
    try (StorageDirectory directory = FileDirectory.open(db, true)) {
      try (TransactionManager manager = open(directory, protocol)) {
        for (int i = 0; i < 5; i++) {
          Transaction tx = manager.begin();
          insert(tx, rows, 10, id -> id);
          rows += 10;
          Thread.currentThread().interrupt();
          tx.commit();
          assertThat(Thread.interrupted()).isTrue();
          Thread.currentThread().interrupt();
          manager.checkpoint();
          assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(contents(manager)).hasSize(rows);
      }
    }
  }
}
