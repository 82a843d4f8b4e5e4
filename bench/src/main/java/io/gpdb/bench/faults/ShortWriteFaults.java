package io.gpdb.bench.faults;

import io.gpdb.bench.faults.FaultWorkload.Step;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.simulation.recorded.RecordedFileSystem;
import io.gpdb.simulation.recorded.ShortWrites;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;

/**
 * Files of which each write takes fewer bytes than it was asked to take: it is gone on with, and
 * nothing shows. One that then takes none has failed, as any failed write.
 */
final class ShortWriteFaults implements AutoCloseable {
  private final FaultSetting setting;
  private final FaultWorkload workload;
  private final WriteFaults faults;
  private final ScratchDirectory scratch = new ScratchDirectory(null);
  private int writes;

  ShortWriteFaults(FaultSetting setting, FaultWorkload workload, WriteFaults faults)
      throws IOException {
    this.setting = setting;
    this.workload = workload;
    this.faults = faults;
    goOn(
        bytes -> {
          writes++;
          return bytes;
        },
        "without a fault");
  }

  /** All writes take a random part of what they are asked to take. */
  String goneOnWith(Random random) throws IOException {
    goOn(
        bytes -> bytes == 0 ? 0 : 1 + random.nextInt(bytes), setting + ", each write takes a part");
    return "gone on with";
  }

  private void goOn(IntUnaryOperator parts, String place) throws IOException {
    Path path = scratch.fresh();
    try {
      Map<Long, String> last = workload.steps().getLast().after();
      try (StorageDirectory directory = open(path, parts);
          FaultyEngine engine = new FaultyEngine(directory, setting)) {
        for (Step step : workload.steps()) {
          step.run(engine);
        }
        WriteFaults.expect(engine.rows(), List.of(last), place);
      }
      verify(path, List.of(last), place);
    } finally {
      ScratchDirectory.delete(path);
    }
  }

  private static StorageDirectory open(Path path, IntUnaryOperator parts) {
    return FileDirectory.open(RecordedFileSystem.over(path, new ShortWrites(parts)), true);
  }

  /** One write takes a part, and after that none takes anything. */
  String takesNothingMore(Random random) throws IOException {
    int failing = random.nextInt(writes);
    String place = "%s, write %d takes a part, the next nothing".formatted(setting, failing);
    int[] seen = {0};
    IntUnaryOperator parts =
        bytes -> {
          int number = seen[0]++;
          return number < failing ? bytes : number > failing ? 0 : random.nextInt(bytes);
        };
    Path path = scratch.fresh();
    try {
      List<Map<Long, String>> allowed;
      try (StorageDirectory directory = open(path, parts)) {
        allowed = faults.failing(directory, place);
      }
      verify(path, allowed, place);
      return WriteFaults.poisoned(allowed);
    } finally {
      ScratchDirectory.delete(path);
    }
  }

  private void verify(Path path, List<Map<Long, String>> allowed, String place) {
    try (StorageDirectory directory = FileDirectory.open(path, true)) {
      faults.verify(directory, allowed, place + ", reopened");
    }
  }

  @Override
  public void close() throws IOException {
    scratch.close();
  }
}
