package io.gpdb.storage.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.recorded.FileActs;
import io.gpdb.simulation.recorded.RecordedFileSystem;
import io.gpdb.simulation.recorded.ShortWrites;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.SharedStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real file is after the system has refused something: as it was, or not usable. */
class FailedFileTest {
  private static final MemorySegment BYTES = MemorySegment.ofArray(new byte[64]);
  private static final byte[] PAGE = new byte[4096];

  @TempDir Path temp;
  private final Refusing system = new Refusing();

  /** Refuses writes or syncs with the words of the system. */
  private static final class Refusing implements FileActs {
    private volatile @Nullable String writes;
    private volatile @Nullable String syncs;

    private static void act(@Nullable String refusal) throws IOException {
      if (refusal != null) {
        throw new IOException(refusal);
      }
    }

    @Override
    public void writing(FileId file, long offset, long bytes) throws IOException {
      act(writes);
    }

    @Override
    public Sync syncing(FileId file) throws IOException {
      act(syncs);
      return () -> {};
    }

    @Override
    public Sync syncingNames() {
      return () -> {};
    }

    @Override
    public void created(FileId file) {}

    @Override
    public void mapped(FileId file) {}

    @Override
    public void wrote(FileId file, long offset, byte[] bytes) {}

    @Override
    public void truncated(FileId file, long sizeBytes) {}

    @Override
    public void renamed(FileId file, String from, String to) {}

    @Override
    public void deleted(FileId file, String name) {}
  }

  private interface Use {
    void of(PersistentMemory file);
  }

  private void withFile(Use use) {
    try (StorageDirectory directory =
            FileDirectory.open(RecordedFileSystem.over(temp, system), true);
        PersistentMemory file = directory.open("f.gpdb", 8192)) {
      use.of(file);
    }
  }

  private static void assertCode(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(GpdbException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static List<ThrowingCallable> everything(PersistentMemory file) {
    return List.of(
        () -> file.grow(1 << 20),
        () -> file.shrink(4096),
        () -> file.store(0, BYTES),
        () -> file.flush(0, 64),
        () -> file.view(0, 64, false),
        () -> file.view(0, 64, true),
        file::drain);
  }

  @Test
  void aFullDiskLeavesTheFileAsItWas() {
    withFile(
        file -> {
          system.writes = "No space left on device";
          assertCode(ErrorCode.DISK_FULL, () -> file.grow(1 << 20));
          assertThat(file.sizeBytes()).isEqualTo(8192);
          system.writes = null;
          file.store(0, BYTES);
          file.persist(0, 64);
          file.grow(1 << 20);
          assertThat(file.sizeBytes()).isEqualTo(1 << 20);
        });
  }

  /** After any other failure nothing is known of it (A5). */
  @Test
  void aFileThatCouldNotGrowForAnotherReasonIsNotUsable() {
    withFile(
        file -> {
          system.writes = "Input/output error";
          assertCode(ErrorCode.IO_ERROR, () -> file.grow(1 << 20));
          system.writes = null;
          for (ThrowingCallable call : everything(file)) {
            assertCode(ErrorCode.POISONED, call);
          }
        });
  }

  @Test
  void aFileOfWhichAPartOfASharedStoreFailedIsNotUsable() {
    withFile(
        file -> {
          SharedStore store = file.shareStore(0, List.of(MemorySegment.ofArray(PAGE)));
          Assumptions.assumeTrue(store != null, "a file system that takes no such writes");
          system.writes = "Input/output error";
          assertCode(ErrorCode.IO_ERROR, () -> store.store(0));
          system.writes = null;
          assertCode(ErrorCode.POISONED, () -> store.store(0));
          assertCode(ErrorCode.POISONED, store::end);
          for (ThrowingCallable call : everything(file)) {
            assertCode(ErrorCode.POISONED, call);
          }
        });
  }

  @Test
  void aFileToWhichAnAppendFailedIsNotUsable() {
    withFile(
        file -> {
          file.append(0, List.of(BYTES));
          system.writes = "Input/output error";
          assertCode(ErrorCode.IO_ERROR, () -> file.append(64, List.of(BYTES)));
          system.writes = null;
          assertCode(ErrorCode.POISONED, () -> file.append(64, List.of(BYTES)));
          for (ThrowingCallable call : everything(file)) {
            assertCode(ErrorCode.POISONED, call);
          }
        });
  }

  /** P4: of a block that others have bytes in, those are written, too. */
  @Test
  void anAppendIsAWriteOfWholeBlocks() throws Exception {
    List<Integer> writes = new ArrayList<>();
    ShortWrites all =
        new ShortWrites(
            bytes -> {
              writes.add(bytes);
              return bytes;
            });
    try (StorageDirectory directory = FileDirectory.open(RecordedFileSystem.over(temp, all), true);
        PersistentMemory file = directory.open("f.gpdb", 1 << 20)) {
      Assumptions.assumeTrue(
          file.shareStore(0, List.of(BYTES)) != null, "a file system that takes no such writes");
      writes.clear();
      file.append(4096, List.of(BYTES));
      file.append(4160, List.of(BYTES, BYTES));
      file.append(8000, List.of(MemorySegment.ofArray(PAGE)));
      file.append(12_096, List.of(MemorySegment.ofArray(new byte[65_536])));
      assertThat(writes).containsExactly(4096, 4096, 8192, 65_536);
    }
  }

  /** Of each write some bytes, or whole blocks, are taken: what is left is stored as ever. */
  @Test
  void whatIsNotTakenOfAnAppendIsStored() throws Exception {
    long seed = Long.getLong("gpdb.seed", 20261127L);
    Random random = new Random(seed);
    int size = 1 << 16;
    ShortWrites some = new ShortWrites(bytes -> 1 + random.nextInt(bytes));
    Path path = Files.createDirectory(temp.resolve("short"));
    try (StorageDirectory directory =
            FileDirectory.open(RecordedFileSystem.over(path, some), true);
        PersistentMemory file = directory.open("f.gpdb", size)) {
      byte[] expected = new byte[size];
      random.nextBytes(expected);
      int at = 0;
      for (int bytes; at < size - 9000; at += bytes) {
        bytes = random.nextInt(1, random.nextInt(4) == 0 ? 9000 : 300);
        file.append(at, List.of(MemorySegment.ofArray(expected).asSlice(at, bytes)));
      }
      byte[] found = new byte[at];
      file.load(0, MemorySegment.ofArray(found));
      assertThat(found).as("seed %d", seed).isEqualTo(Arrays.copyOf(expected, at));
      assertThat(file.counters().snapshot().bytesStored()).isEqualTo(at);
    }
  }

  /** Of each write some bytes, or whole blocks, are taken: the rest is written as ever. */
  @Test
  void whatIsNotTakenOfASharedStoreIsStoredAtItsEnd() throws Exception {
    long seed = Long.getLong("gpdb.seed", 20261127L);
    Random random = new Random(seed);
    int size = 1 << 20;
    for (int blocks = 0; blocks < 4; blocks++) {
      int unit = blocks == 0 ? 1 : blocks * 4096;
      Path path = Files.createDirectory(temp.resolve("short" + blocks));
      ShortWrites some =
          new ShortWrites(
              bytes -> bytes <= unit ? bytes : (1 + random.nextInt(bytes / unit)) * unit);
      try (StorageDirectory directory =
              FileDirectory.open(RecordedFileSystem.over(path, some), true);
          PersistentMemory file = directory.open("f.gpdb", size)) {
        byte[] expected = new byte[size - 77];
        random.nextBytes(expected);
        SharedStore store = file.shareStore(77, List.of(MemorySegment.ofArray(expected)));
        Assumptions.assumeTrue(store != null, "a file system that takes no such writes");
        for (int part = store.parts() - 1; part >= 0; part--) {
          store.store(part);
        }
        store.end();
        byte[] found = new byte[size - 77];
        file.load(77, MemorySegment.ofArray(found));
        assertThat(found).as("seed %d, unit %d", seed, unit).isEqualTo(expected);
        assertThat(file.counters().snapshot().bytesStored()).isEqualTo(size - 77L);
      }
    }
  }

  @Test
  void aFileWhoseSyncFailedIsNotUsable() {
    withFile(
        file -> {
          file.store(0, BYTES);
          system.syncs = "Input/output error";
          assertCode(ErrorCode.IO_ERROR, () -> file.persist(0, 64));
          system.syncs = null;
          for (ThrowingCallable call : everything(file)) {
            assertCode(ErrorCode.POISONED, call);
          }
        });
  }

  /** Of several pieces all count; nothing of them is written. */
  @Test
  void aStoreBehindTheEndIsRefused() {
    withFile(
        file -> {
          file.store(8192 - 128, List.of(BYTES, BYTES));
          for (List<MemorySegment> pieces :
              List.of(List.of(BYTES, BYTES), List.of(BYTES, BYTES, BYTES))) {
            assertThatThrownBy(() -> file.store(8192 - 64, pieces))
                .isInstanceOf(GpdbException.class);
          }
          assertThat(file.sizeBytes()).isEqualTo(8192);
          file.persist(0, 64);
        });
  }

  @Test
  void aViewForReadingCannotBeWritten() {
    withFile(
        file -> {
          assertThat(file.view(0, 64, false).isReadOnly()).isTrue();
          assertThat(file.view(0, 64, true).isReadOnly()).isFalse();
        });
  }
}
