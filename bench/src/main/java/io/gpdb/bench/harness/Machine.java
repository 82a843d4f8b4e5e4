package io.gpdb.bench.harness;

/** What a report says of the machine that it was made on. */
public final class Machine {
  private Machine() {}

  /** Processors, operating system, JVM. */
  public static String words() {
    Runtime runtime = Runtime.getRuntime();
    return "%d processors, %s %s, Java %s"
        .formatted(
            runtime.availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            Runtime.version());
  }
}
