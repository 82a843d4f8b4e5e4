package io.gpdb.bench.device;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a device is tried with, one after the other, each in processes of its own. */
enum Part {
  /** What every device does, and statements of every operator, as JUnit tests. */
  CONTRACTS,
  /** Scripts of sqllogictest. */
  SLT,
  /** The answers to TPC-H's queries, held against those of the emulated device. */
  TPCH,
  /** Times of statements. */
  STATEMENTS,
  /** Single figures of large changes, keys and scans. */
  FIGURES,
  /** Statements on the first of several GPUs, then on all of them: answers and times. */
  SPREAD,
  /** Processes killed while they work. */
  KILL;

  /** The JUnit classes of {@link #CONTRACTS}, which the bundle carries. */
  static final List<String> CLASSES =
      List.of(
          "io.gpdb.exec.cuda.CudaDeviceGpuTest",
          "io.gpdb.exec.cuda.CudaMemoryGpuTest",
          "io.gpdb.planner.CudaStatementsGpuTest");

  /** The same on two GPUs as one device. */
  static final List<String> LINKED_CLASSES =
      List.of(
          "io.gpdb.exec.cuda.LinkedDeviceGpuTest",
          "io.gpdb.exec.cuda.LinkedMemoryGpuTest",
          "io.gpdb.planner.LinkedStatementsGpuTest");

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Null where there is none. */
  static @Nullable Part named(String word) {
    return Arrays.stream(values())
        .filter(part -> part.word().equals(word))
        .findFirst()
        .orElse(null);
  }

  static List<String> words() {
    return Arrays.stream(values()).map(Part::word).toList();
  }
}
