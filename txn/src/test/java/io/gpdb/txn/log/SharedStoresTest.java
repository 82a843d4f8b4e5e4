package io.gpdb.txn.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.PersistentMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stores by several threads, and by one where the memory has no view. */
class SharedStoresTest {
  private static final long OFFSET = 4096;
  private static final long BYTES = SharedStores.BYTES_MIN + 100;

  /** As the memory, but for views, which the system does not let it have. */
  private static PersistentMemory withoutViews(PersistentMemory memory) {
    return (PersistentMemory)
        Proxy.newProxyInstance(
            PersistentMemory.class.getClassLoader(),
            new Class<?>[] {PersistentMemory.class},
            (_, method, arguments) -> {
              if (method.getName().equals("view")) {
                throw new GpdbException(ErrorCode.TOO_MANY_FILES, "no more files to open");
              }
              try {
                return method.invoke(memory, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void whatCannotBeMappedIsStoredByOneThread() {
    try (CrashableDirectory directory = new CrashableDirectory();
        PersistentMemory memory = directory.open("log", OFFSET + BYTES);
        Arena arena = Arena.ofShared()) {
      for (int value = 1; value <= 2; value++) {
        MemorySegment front = arena.allocate(100).fill((byte) value);
        MemorySegment rest = arena.allocate(BYTES - 100).fill((byte) -value);
        PersistentMemory target = value == 1 ? memory : withoutViews(memory);
        long before = memory.counters().snapshot().bytesStored();
        new SharedStores(SharedWork.ALONE).store(target, OFFSET, List.of(front, rest), BYTES);
        assertThat(memory.counters().snapshot().bytesStored() - before).isEqualTo(BYTES);
        MemorySegment found = arena.allocate(BYTES);
        memory.load(OFFSET, found);
        assertThat(found.asSlice(0, 100).mismatch(front)).isEqualTo(-1);
        assertThat(found.asSlice(100).mismatch(rest)).isEqualTo(-1);
        assertThat(found.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) value);
      }
    }
  }
}
