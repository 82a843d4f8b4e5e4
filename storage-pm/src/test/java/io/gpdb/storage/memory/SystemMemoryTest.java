package io.gpdb.storage.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SystemMemoryTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 4096, 65_535, 65_536, 65_537, 1 << 20, 32 << 20, (32 << 20) + 1})
  void aBlockIsZeroAndOnesOwn(long bytes) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment one = SystemMemory.allocate(arena, bytes, 1);
      MemorySegment other = SystemMemory.allocate(arena, bytes, 1);
      assertThat(one.byteSize()).isEqualTo(bytes);
      one.fill((byte) 1);
      assertThat(other.mismatch(MemorySegment.ofArray(new byte[(int) bytes]))).isEqualTo(-1);
      MemorySegment later = SystemMemory.allocate(arena, bytes, 1);
      assertThat(later.mismatch(other)).isEqualTo(-1);
    }
  }

  @Test
  void memoryEndsWithItsArena() {
    MemorySegment block;
    try (Arena arena = Arena.ofShared()) {
      block = SystemMemory.allocate(arena, 1 << 20, 256);
      assertThat(block.address() % 256).isZero();
    }
    assertThatThrownBy(() -> block.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anInterruptIsKeptForLater() {
    try (Arena arena = Arena.ofShared()) {
      Thread.currentThread().interrupt();
      MemorySegment block = SystemMemory.allocate(arena, 1 << 20, 256);
      assertThat(Thread.interrupted()).isTrue();
      block.fill((byte) 1);
      assertThat(SystemMemory.allocate(arena, 1 << 20, 256).get(ValueLayout.JAVA_BYTE, 9)).isZero();
    }
  }
}
