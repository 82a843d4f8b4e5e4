package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that opens for reading only sees what an owner would see, and writes nothing. */
class ReadOnlyTest {
  @TempDir Path temp;

  private static TransactionManager openReadOnly(StorageDirectory directory) {
    return TransactionManager.open(
        directory, SampleDatabase.DEVICE, TxnOptions.standard().withReadOnly(true));
  }

  /** Work of every sort, with an unfinished transaction at its end. */
  private static void work(TransactionManager manager) {
    for (int i = 0; i < 4; i++) {
      int from = 100 * i;
      Transaction tx = manager.begin();
      insert(tx, from, 60, id -> id);
      update(tx, id -> id % 5 == 0, id -> id * 3L);
      tx.commit();
      if (i == 1) {
        manager.checkpoint();
      }
    }
    Transaction open = manager.begin();
    update(open, id -> id % 2 == 0, id -> -id);
    insert(open, 5000, 40, id -> id);
  }

  @ParameterizedTest
  @EnumSource
  void aCrashedDatabaseIsReadAsItsRecoveryWouldLeaveItAndStaysAsItIs(Protocol protocol) {
    int[] acts = {0};
    int[] states = {0};
    try (CrashableDirectory medium = new CrashableDirectory()) {
      medium.listener(
          (act, memory, offset, bytes) -> {
            if (acts[0]++ % 5 == 0) {
              try (CrashableDirectory crashed = medium.crash(CrashChoice.random(acts[0]))) {
                states[0] += assertReadAsRecovered(crashed, protocol) ? 1 : 0;
              }
            }
          });
      TransactionManager manager = SampleDatabase.withTable(medium, protocol);
      work(manager);
      medium.listener(null);
      assertThat(assertReadAsRecovered(medium.crash(CrashChoice.keepAll()), protocol)).isTrue();
      manager.close();
    }
    assertThat(states[0]).isGreaterThan(8);
  }

  private static boolean assertReadAsRecovered(CrashableDirectory crashed, Protocol protocol) {
    if (!crashed.exists("home.gpdb")) {
      return false;
    }
    crashed.listener(
        (act, memory, offset, bytes) -> {
          throw new AssertionError("a reader acts on the medium: " + act + " " + memory);
        });
    Map<Integer, Long> read;
    try (TransactionManager reader = openReadOnly(crashed)) {
      read = tableOrNothing(reader);
      // A superblock that the crash tore is healed by the next owner, not by a reader.
      assertThat(reader.space().check())
          .allMatch(
              p ->
                  p.matches(
                      "superblock [AB] of home.gpdb is damaged, or a checkpoint was cut short"))
          .hasSizeLessThan(2);
      assertThat(tableOrNothing(reader)).isEqualTo(read);
    }
    crashed.listener(null);
    try (TransactionManager owner = SampleDatabase.open(crashed, protocol)) {
      assertThat(read).isEqualTo(tableOrNothing(owner));
    }
    return true;
  }

  private static Map<Integer, Long> tableOrNothing(TransactionManager manager) {
    return manager.space().table(SampleDatabase.TABLE) == null ? Map.of() : contents(manager);
  }

  @Test
  void changesAreRefused() {
    try (CrashableDirectory medium = new CrashableDirectory()) {
      SampleDatabase.withTable(medium, Protocol.REDO).close();
      try (TransactionManager reader = openReadOnly(medium)) {
        assertReadOnly(() -> insert(reader.begin(), 1, 1, id -> id));
        assertReadOnly(() -> reader.begin().createTable(99, SampleDatabase.shape()));
        assertReadOnly(() -> reader.begin().dropTable(SampleDatabase.TABLE));
        assertReadOnly(reader::checkpoint);
        assertThat(contents(reader)).isEmpty();
      }
    }
  }

  private static void assertReadOnly(Runnable act) {
    assertThatThrownBy(act::run)
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.READ_ONLY));
  }

  private static Map<String, String> files(Path dir) throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(dir)) {
      for (Path file : files.toList()) {
        found.put(
            file.getFileName().toString(),
            Files.getLastModifiedTime(file)
                + " "
                + java.util.Arrays.hashCode(Files.readAllBytes(file)));
      }
    }
    return found;
  }

  @ParameterizedTest
  @EnumSource
  void noFileIsWrittenOrMadeEvenWhereRecoveryIsNeeded(Protocol protocol) throws IOException {
    Path db = temp.resolve("db");
    Map<Integer, Long> expected;
    try (StorageDirectory own = FileDirectory.open(db, true)) {
      TransactionManager manager = SampleDatabase.withTable(own, protocol);
      work(manager);
      expected = contents(manager);
      manager.abandon();
    }
    Map<String, String> before = files(db);
    try (StorageDirectory one = FileDirectory.openReadOnly(db);
        TransactionManager reader = openReadOnly(one);
        StorageDirectory two = FileDirectory.openReadOnly(db);
        TransactionManager other = openReadOnly(two)) {
      assertThat(contents(reader)).isEqualTo(expected);
      assertThat(contents(other)).isEqualTo(expected);
      assertThat(reader.recovery().cleanShutdown()).isFalse();
      other.backUp(temp.resolve("copy"));
    }
    assertThat(files(db)).isEqualTo(before);
    try (StorageDirectory copied = FileDirectory.openReadOnly(temp.resolve("copy"));
        TransactionManager copy = openReadOnly(copied)) {
      assertThat(contents(copy)).isEqualTo(expected);
      assertThat(copy.recovery().cleanShutdown()).isTrue();
    }
  }

  @Test
  void readersShareAndKeepOwnersOutAndOwnersKeepReadersOut() {
    Path db = temp.resolve("db");
    try (StorageDirectory own = FileDirectory.open(db, true)) {
      SampleDatabase.withTable(own, Protocol.REDO).close();
      assertInUse(() -> FileDirectory.openReadOnly(db));
    }
    try (StorageDirectory one = FileDirectory.openReadOnly(db)) {
      try (StorageDirectory two = FileDirectory.openReadOnly(db)) {
        assertThat(two.names()).isEqualTo(one.names());
      }
      assertInUse(() -> FileDirectory.open(db, false));
      assertThatThrownBy(() -> one.open("new.gpdb", 10))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND));
      assertReadOnly(() -> one.delete("home.gpdb"));
      assertReadOnly(() -> one.rename("home.gpdb", "other.gpdb"));
    }
    FileDirectory.open(db, false).close();
  }

  private static void assertInUse(Runnable act) {
    assertThatThrownBy(act::run)
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_IN_USE));
  }

  @Test
  void aMissingLockIsRefusedWhereAnOwnerCouldMakeIt() throws IOException {
    Path db = temp.resolve("db");
    try (StorageDirectory own = FileDirectory.open(db, true)) {
      SampleDatabase.withTable(own, Protocol.REDO).close();
    }
    Files.delete(db.resolve("gpdb.lock"));
    assertThatThrownBy(() -> FileDirectory.openReadOnly(db))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANNOT_OPEN))
        .hasMessageContaining("gpdb.lock is missing");
    assertThat(Files.exists(db.resolve("gpdb.lock"))).isFalse();
  }
}
