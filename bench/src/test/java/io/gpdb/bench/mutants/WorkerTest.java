package io.gpdb.bench.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that do not end, in a process that judges mutants. */
class WorkerTest {
  private static final List<String> CLASSES = List.of("io.gpdb.storage.memory.Checksum");

  /** Milliseconds of work, and of the clock, that a test may take. */
  private static String judge(String sample, int cpu, int wall, Path scratch) throws IOException {
    MutationPoint point = new TargetClasses(TestWorkers.ROOTS, CLASSES).points().getFirst();
    String id =
        "[engine:junit-jupiter]/[class:%s]/[method:%s()]"
            .formatted(TimeSamples.class.getName(), sample);
    try (WorkerProcess worker = TestWorkers.start(CLASSES, "bench", scratch)) {
      return worker.judge(point, List.of(cpu + " " + wall + " " + id));
    }
  }

  @Test
  void aLoopIsNoticedByItsWork(@TempDir Path scratch) throws IOException {
    assertThat(judge("loops", 1_500, 60_000, scratch)).startsWith("killed timeout ");
  }

  @Test
  void aThreadThatWaitsForEverIsNoticedByStandingStill(@TempDir Path scratch) throws IOException {
    assertThat(judge("waits", 60_000, 1_000, scratch)).startsWith("killed standstill ");
  }
}
