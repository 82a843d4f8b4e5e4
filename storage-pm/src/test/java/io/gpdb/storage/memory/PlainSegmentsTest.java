package io.gpdb.storage.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlainSegmentsTest {
  @TempDir private Path directory;

  private MemorySegment mapped(MapMode mode, long bytes, Arena arena) throws IOException {
    Path file = directory.resolve("mapped");
    if (!Files.exists(file)) {
      Files.write(file, new byte[8192]);
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(mode, 0, bytes, arena);
    }
  }

  @Test
  void mappedMemoryHasTheClassOfAllocatedMemory() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment plain = PlainSegments.of(mapped(MapMode.READ_WRITE, 8192, arena));
      assertThat(plain).hasSameClassAs(arena.allocate(8));
      assertThat(plain.isMapped()).isFalse();
      assertThat(plain.asSlice(64, 128)).hasSameClassAs(plain);
    }
  }

  @Test
  void itIsTheSameMemory() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment mapped = mapped(MapMode.READ_WRITE, 8192, arena);
      MemorySegment plain = PlainSegments.of(mapped);
      assertThat(plain.address()).isEqualTo(mapped.address());
      assertThat(plain.byteSize()).isEqualTo(mapped.byteSize());
      plain.set(ValueLayout.JAVA_LONG, 8184, 0x0102030405060708L);
      assertThat(mapped.get(ValueLayout.JAVA_LONG, 8184)).isEqualTo(0x0102030405060708L);
      assertThat(mapped.get(ValueLayout.JAVA_BYTE, 8184)).isEqualTo((byte) 8);
    }
  }

  @Test
  void whatMayOnlyBeReadStaysSo() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment plain = PlainSegments.of(mapped(MapMode.READ_ONLY, 8192, arena));
      assertThat(plain.isReadOnly()).isTrue();
      assertThatThrownBy(() -> plain.set(ValueLayout.JAVA_INT, 0, 1))
          .isInstanceOf(RuntimeException.class);
    }
  }

  @Test
  void nobodyAccessesItAfterItsArenaHasClosed() throws IOException {
    MemorySegment plain;
    try (Arena arena = Arena.ofShared()) {
      plain = PlainSegments.of(mapped(MapMode.READ_WRITE, 8192, arena));
      assertThat(plain.scope().isAlive()).isTrue();
    }
    assertThat(plain.scope().isAlive()).isFalse();
    assertThatThrownBy(() -> plain.get(ValueLayout.JAVA_INT, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theOwnersThreadIsKept() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment plain = PlainSegments.of(mapped(MapMode.READ_WRITE, 8192, arena));
      assertThat(plain.isAccessibleBy(Thread.currentThread())).isTrue();
      assertThat(plain.isAccessibleBy(new Thread(() -> {}, "other"))).isFalse();
    }
  }

  @Test
  void anOddSizeStaysMapped() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment mapped = mapped(MapMode.READ_WRITE, 8190, arena);
      assertThat(PlainSegments.of(mapped)).isSameAs(mapped);
    }
  }
}
