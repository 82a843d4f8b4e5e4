package io.gpdb.txn.recovery;

import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Home files cut, after a kill, in the extent that the last record of the log names: its values
 * take a piece of its last page.
 */
class CutHomeFileTest {
  private static final int ROWS = 300;
  private static final int PAGE_BYTES = 4096;

  @TempDir Path temp;
  private Path killed;
  private Map<Integer, Long> before;
  private Map<Integer, Long> after;

  @BeforeEach
  void kill() {
    killed = temp.resolve("killed");
    try (StorageDirectory files = FileDirectory.open(killed, true)) {
      TransactionManager manager = withTable(files, Protocol.AUTO);
      Transaction tx = manager.begin();
      insert(tx, 0, ROWS, id -> id);
      tx.commit();
      manager.checkpoint();
      before = Map.copyOf(contents(manager));
      tx = manager.begin();
      tx.protocol(Protocol.VERSIONED);
      update(tx, id -> id % 2 == 0, id -> id + 1000);
      tx.commit();
      after = Map.copyOf(contents(manager));
      manager.abandon();
    }
  }

  /** What is there when the home file was cut to that size; empty where opening is refused. */
  private Map<Integer, Long> cutTo(long bytes) throws IOException {
    Path copy = Files.createTempDirectory(temp, "cut");
    try (Stream<Path> files = Files.list(killed)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    try (RandomAccessFile home = new RandomAccessFile(copy.resolve("home.gpdb").toFile(), "rw")) {
      home.setLength(bytes);
    }
    try (StorageDirectory files = FileDirectory.open(copy, false)) {
      return goOn(files);
    } catch (GpdbException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION);
      return Map.of();
    }
  }

  /** Opens, writes as much again, and opens once more. */
  private Map<Integer, Long> goOn(StorageDirectory files) {
    Map<Integer, Long> found;
    try (TransactionManager again = SampleDatabase.open(files, Protocol.AUTO)) {
      assertThat(again.check()).isEmpty();
      found = Map.copyOf(contents(again));
      Transaction tx = again.begin();
      tx.protocol(Protocol.VERSIONED);
      update(tx, id -> id % 3 == 0, id -> id + 5000);
      insert(tx, ROWS, ROWS, id -> id);
      tx.commit();
      assertThat(again.check()).isEmpty();
    }
    try (TransactionManager again = SampleDatabase.open(files, Protocol.AUTO)) {
      assertThat(again.check()).isEmpty();
      assertThat(contents(again)).hasSize(2 * ROWS).containsEntry(3, 5003L);
    }
    return found;
  }

  @Test
  void theLastTransactionIsThereAsLongAsItsValuesAre() throws IOException {
    long size = Files.size(killed.resolve("home.gpdb"));
    assertThat(cutTo(size)).isEqualTo(after);
    while (cutTo(size - PAGE_BYTES).equals(after)) {
      size -= PAGE_BYTES;
    }
    for (int less : new int[] {1, 100, 1000}) { // 300 values of 8 bytes take 2400
      assertThat(cutTo(size - less)).as("less by %d", less).isEqualTo(after);
    }
    for (int less : new int[] {PAGE_BYTES - 1, PAGE_BYTES, PAGE_BYTES + 1}) {
      assertThat(cutTo(size - less)).as("less by %d", less).isIn(before, Map.of());
    }
    for (int more : new int[] {1, PAGE_BYTES - 1, PAGE_BYTES}) {
      assertThat(cutTo(size + more)).as("more by %d", more).isEqualTo(after);
    }
  }
}
