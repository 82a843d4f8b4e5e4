package io.gpdb.storage.medium;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.memory.PersistentMemory;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class PrivateDirectoryTest {
  @Test
  void copiesAreItsOwnAndEndWithIt() {
    try (VolatileDirectory base = new VolatileDirectory("base")) {
      PersistentMemory below = base.open("m", 8192);
      below.store(0, MemorySegment.ofArray(new byte[] {1, 2, 3}));
      MemorySegment read;
      MemorySegment first;
      MemorySegment second;
      try (PrivateDirectory directory = new PrivateDirectory(base)) {
        PersistentMemory memory = directory.open("m", 0);
        read = memory.view(0, 4096, false);
        first = memory.view(0, 4096, true);
        first.set(JAVA_BYTE, 1, (byte) 9);
        second = memory.view(4096, 4096, true);
        assertThat(memory.view(0, 3, false).toArray(JAVA_BYTE)).containsExactly(1, 9, 3);
      }
      assertThat(read.get(JAVA_BYTE, 1)).as("what it only read is the base's").isEqualTo((byte) 2);
      assertThatThrownBy(() -> first.get(JAVA_BYTE, 1)).isInstanceOf(IllegalStateException.class);
      assertThat(second.scope().isAlive()).isFalse();
    }
  }

  @Test
  void whatIsOnlyReadEndsWithoutCopies() {
    try (VolatileDirectory base = new VolatileDirectory("base")) {
      base.open("m", 4096);
      PrivateDirectory directory = new PrivateDirectory(base);
      directory.open("m", 0).view(0, 4096, false);
      directory.close();
      assertThat(base.exists("m")).isTrue();
    }
  }
}
