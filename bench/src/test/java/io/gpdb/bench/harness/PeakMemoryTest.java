package io.gpdb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.bench.harness.PeakMemory.Peak;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PeakMemoryTest {
  private static final long BYTES = 64 << 20;

  /** How far the JVM may give back memory of its own meanwhile. */
  private static final long OTHERS = 16 << 20;

  @Test
  @EnabledOnOs(OS.LINUX)
  void memoryThatIsGoneAgainIsInThePeakOfItsKind(@TempDir Path directory) throws IOException {
    Peak before;
    Peak own;
    Peak file;
    try (PeakMemory memory = PeakMemory.begin()) {
      before = memory.peak();
      try (Arena arena = Arena.ofConfined()) {
        arena.allocate(BYTES, 1).fill((byte) 1);
        own = memory.peak();
      }
    }
    Path path = directory.resolve("mapped");
    Files.write(path, new byte[(int) BYTES]);
    try (PeakMemory memory = PeakMemory.begin();
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, BYTES, arena);
        mapped.load();
        assertThat(memory.peak().fileBytes())
            .isGreaterThan(before.fileBytes() + (double) BYTES - OTHERS);
      }
      file = memory.peak();
    }
    assertThat(own.ownBytes()).isGreaterThan(before.ownBytes() + (double) BYTES - OTHERS);
    assertThat(own.fileBytes()).isLessThan(before.fileBytes() + (double) BYTES / 2);
    assertThat(own.bytes()).isGreaterThan(before.bytes() + (double) BYTES - OTHERS);
    assertThat(file.fileBytes()).isGreaterThan(before.fileBytes() + (double) BYTES - OTHERS);
  }
}
