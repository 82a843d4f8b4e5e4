package io.gpdb.storage.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.SharedStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores past the system's cache; that they are as plain ones is in the contract of all media. */
class DirectStoreTest {
  private static final int MIB = 1 << 20;
  @TempDir Path temp;

  private static SharedStore shared(PersistentMemory memory, long offset, MemorySegment... pieces) {
    Assumptions.assumeTrue(memory.takesSharedStores(), "memory without a disk");
    SharedStore shared = memory.shareStore(offset, List.of(pieces));
    Assumptions.assumeTrue(shared != null, "a file system that takes no such writes");
    return shared;
  }

  /** The parts are the whole blocks alone: what shares a block with others comes at the end. */
  @Test
  void blocksThatAreSharedWithOthersComeLast() {
    try (StorageDirectory db = FileDirectory.open(temp.resolve("db"), true);
        Arena arena = Arena.ofShared()) {
      PersistentMemory memory = db.open("m.gpdb", MIB);
      MemorySegment piece = arena.allocate(3 * 4096).fill((byte) 1);
      SharedStore store = shared(memory, 4000, piece);
      assertThat(store.parts()).isEqualTo(1);
      store.store(0);
      MemorySegment found = arena.allocate(5 * 4096);
      memory.load(0, found);
      assertThat(found.asSlice(0, 4096).mismatch(arena.allocate(4096))).isEqualTo(-1);
      assertThat(found.asSlice(4096, 2 * 4096).mismatch(piece)).isEqualTo(2 * 4096);
      assertThat(found.asSlice(3 * 4096).mismatch(arena.allocate(2 * 4096))).isEqualTo(-1);
      store.end();
      memory.load(0, found);
      assertThat(found.asSlice(4000, piece.byteSize()).mismatch(piece)).isEqualTo(-1);
    }
  }

  /** Also where the cache holds a changed range that reaches into the blocks. */
  @Test
  void whatTheCacheHoldsOfTheBlocksIsNotWrittenLater() {
    try (StorageDirectory db = FileDirectory.open(temp.resolve("db"), true);
        Arena arena = Arena.ofShared()) {
      PersistentMemory memory = db.open("m.gpdb", 4 * MIB);
      for (int run = 1; run <= 20; run++) {
        memory.store(0, arena.allocate(2 * MIB).fill((byte) -run));
        MemorySegment piece = arena.allocate(MIB).fill((byte) run);
        SharedStore store = shared(memory, 100, piece);
        for (int part = 0; part < store.parts(); part++) {
          store.store(part);
        }
        store.end();
        memory.persist(0, 2 * MIB);
        assertThat(memory.view(100, MIB, false).mismatch(piece)).isEqualTo(-1);
      }
    }
  }

  /** P4: the block is written with what others have stored in it since the append before. */
  @Test
  void anAppendKeepsWhatWasStoredInItsBlockMeanwhile() {
    try (StorageDirectory db = FileDirectory.open(temp.resolve("db"), true);
        Arena arena = Arena.ofShared()) {
      PersistentMemory memory = db.open("m.gpdb", 4 * MIB);
      MemorySegment piece = arena.allocate(64).fill((byte) 1);
      byte other = 1;
      for (int at = 0; at < 8192; at += 64) {
        memory.append(at, List.of(piece));
        MemorySegment since = arena.allocate(8).fill(++other);
        long place = at + 32;
        switch (at / 64 % 3) {
          case 0 -> memory.store(place, since);
          case 1 -> memory.store(place, List.of(since, since.asSlice(0, 3)));
          default -> {
            SharedStore shared = shared(memory, place, since);
            for (int part = 0; part < shared.parts(); part++) {
              shared.store(part);
            }
            shared.end();
          }
        }
        memory.append(at + 64, List.of(piece));
        MemorySegment found = arena.allocate(8);
        memory.load(place, found);
        assertThat(found.mismatch(since)).as("at %d", at).isEqualTo(-1);
      }
    }
  }

  @Test
  void aStoreOfAClosedFileOrOutsideIsRefused() {
    try (StorageDirectory db = FileDirectory.open(temp.resolve("db"), true);
        Arena arena = Arena.ofShared()) {
      PersistentMemory memory = db.open("m.gpdb", MIB);
      MemorySegment piece = arena.allocate(MIB);
      SharedStore store = shared(memory, 0, piece);
      assertThatThrownBy(() -> memory.shareStore(1, List.of(piece)))
          .isInstanceOf(GpdbException.class)
          .hasMessageContaining("offset=1");
      memory.close();
      assertThatThrownBy(() -> store.store(0)).isInstanceOf(GpdbException.class);
      assertThatThrownBy(() -> memory.shareStore(0, List.of(piece)))
          .isInstanceOf(GpdbException.class);
    }
  }
}
