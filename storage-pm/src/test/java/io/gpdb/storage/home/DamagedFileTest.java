package io.gpdb.storage.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.Checksum;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DamagedFileTest {
  private static final long FREE_BYTES = 64 << 10;

  @TempDir Path temp;
  private Path db;

  @BeforeEach
  void makeDatabase() {
    db = temp.resolve("db");
    try (StorageDirectory files = FileDirectory.open(db, true);
        TableSpace space = TableSpace.open(files, false)) {
      SampleTables.append(space.createTable(16, SampleTables.SHAPE), 5000, 0);
      space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
    }
  }

  private void assertCorrupt(String message) {
    try (StorageDirectory files = FileDirectory.open(db, false)) {
      assertThatThrownBy(() -> TableSpace.open(files, false))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION))
          .hasMessageContaining(message);
    }
  }

  @Test
  void aTruncatedFileIsFoundAtOpening() throws IOException {
    long size = Files.size(db.resolve("home.gpdb"));
    for (long shorter : new long[] {size / 2, 8192, 5000, 10, 0}) {
      try (FileChannel file = FileChannel.open(db.resolve("home.gpdb"), StandardOpenOption.WRITE)) {
        file.truncate(shorter);
      }
      assertCorrupt("home.gpdb");
    }
  }

  /** Whatever has been compiled by then: a checksum over pages that are gone ends the process. */
  @Test
  void aFileThatIsCutUnderAnOpenDatabaseIsAnErrorOfWhoeverReads() throws IOException {
    try (StorageDirectory files = FileDirectory.open(db, false);
        PersistentMemory home = files.open("home.gpdb", 0)) {
      long size = home.sizeBytes();
      assertThat(home.view(size - 1, 1, false).byteSize()).isEqualTo(1);
      setLength(size - 1);
      assertThatThrownBy(() -> home.view(size - 4096, 4096, false))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO_ERROR))
          .hasMessageContaining("was cut");
      assertThat(home.view(0, size - 4096, false).byteSize()).isEqualTo(size - 4096);
    }
  }

  private void setLength(long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(db.resolve("home.gpdb").toFile(), "rw")) {
      file.setLength(bytes);
    }
  }

  private boolean opens() {
    try (StorageDirectory files = FileDirectory.open(db, false);
        TableSpace space = TableSpace.open(files, false)) {
      return space.table(16) != null;
    } catch (GpdbException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION);
      return false;
    }
  }

  /** The length of the shortest file that holds all that the root names. */
  private long bytesInUse() throws IOException {
    byte[] whole = Files.readAllBytes(db.resolve("home.gpdb"));
    long size = whole.length;
    while (opens()) {
      size -= SuperblockLayout.BLOCK_BYTES;
      setLength(size);
    }
    Files.write(db.resolve("home.gpdb"), whole);
    return size + SuperblockLayout.BLOCK_BYTES;
  }

  @Test
  void anExtentThatLacksItsLastByteIsFoundAtOpening() throws IOException {
    setLength(bytesInUse() - 1);
    assertCorrupt("home.gpdb");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1, 4095, -4095})
  void aFileWithoutWholePagesAtItsFreeEndGrowsOn(long more) throws IOException {
    setLength(Files.size(db.resolve("home.gpdb")) + FREE_BYTES + more);
    growOn();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 4095})
  void aFileThatEndsInAPieceOfAPageGrowsOn(long more) throws IOException {
    long used = bytesInUse();
    setLength(used);
    setLength(used + more);
    growOn();
  }

  private void growOn() {
    try (StorageDirectory files = FileDirectory.open(db, false)) {
      try (TableSpace space = TableSpace.open(files, false)) {
        assertThat(space.check()).isEmpty();
        SampleTables.append(space.createTable(17, SampleTables.SHAPE), 100_000, 0);
        space.checkpoint(SnapshotImages.current(), 2, new byte[0]);
        assertThat(space.check()).isEmpty();
        space.dropTable(17);
        for (int position = 3; position < 7; position++) {
          space.checkpoint(SnapshotImages.current(), position, new byte[0]);
          assertThat(space.check()).isEmpty();
        }
      }
      try (TableSpace again = TableSpace.open(files, false)) {
        assertThat(SampleTables.contents(Objects.requireNonNull(again.table(16))))
            .isEqualTo(SampleTables.expected(5000, 0));
        assertThat(again.check()).isEmpty();
      }
    }
  }

  @Test
  void aFileOfSomethingElseIsFoundAtOpening() throws IOException {
    Files.write(db.resolve("home.gpdb"), "not a database at all".repeat(5000).getBytes());
    assertCorrupt("both superblocks are damaged");
  }

  @Test
  void aLogWithoutAHomeFileIsNoNewDatabase() throws IOException {
    Files.delete(db.resolve("home.gpdb"));
    Files.write(db.resolve("wal-1.gpdb"), new byte[4096]);
    assertCorrupt("home.gpdb");
  }

  @Test
  void oneDamagedSuperblockIsHealed() throws IOException {
    try (FileChannel file = FileChannel.open(db.resolve("home.gpdb"), StandardOpenOption.WRITE)) {
      file.write(java.nio.ByteBuffer.wrap(new byte[] {1, 2, 3}), 16);
    }
    try (StorageDirectory files = FileDirectory.open(db, false);
        TableSpace space = TableSpace.open(files, false)) {
      assertThat(space.check()).isEmpty();
      assertThat(space.table(16)).isNotNull();
    }
  }

  @Test
  void aFormatOfTheFutureIsNotSupported() throws IOException {
    Superblock any = new Superblock(9, new Extent(8192, 10, 0, true), 0, new java.util.UUID(1, 2));
    byte[] block = any.encode();
    block[SuperblockLayout.VERSION_OFFSET] = 99;
    java.nio.ByteBuffer.wrap(block)
        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
        .putInt(
            SuperblockLayout.CRC_OFFSET, Checksum.of(block, 0, SuperblockLayout.CRC_COVERS_BYTES));
    try (FileChannel file = FileChannel.open(db.resolve("home.gpdb"), StandardOpenOption.WRITE)) {
      file.write(java.nio.ByteBuffer.wrap(block), 0);
    }
    try (StorageDirectory files = FileDirectory.open(db, false)) {
      assertThatThrownBy(() -> TableSpace.open(files, false))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED))
          .hasMessageContaining("version=99");
    }
  }
}
