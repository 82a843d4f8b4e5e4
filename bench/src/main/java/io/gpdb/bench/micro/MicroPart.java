package io.gpdb.bench.micro;

import java.util.Locale;

/** A class of benchmarks, as the command line names it. */
enum MicroPart {
  KERNELS(KernelBenchmark.class, "kernels over 1 M rows"),
  PROBES(ProbeBenchmark.class, "look-up of one key in an index"),
  LOG(LogBenchmark.class, "a record of the log, in memory"),
  PLANNING(PlanningBenchmark.class, "preparing a text not seen before");

  private final Class<?> benchmarks;
  private final String label;

  MicroPart(Class<?> benchmarks, String label) {
    this.benchmarks = benchmarks;
    this.label = label;
  }

  Class<?> benchmarks() {
    return benchmarks;
  }

  /** In reports. */
  String label() {
    return label;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
