package io.gpdb.bench.device;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** The machine in words. */
final class Machine {
  private static final int SECONDS_MAX = 20;

  private Machine() {}

  /** The GPUs' names, memory and driver, as NVIDIA's tool prints them. */
  static String gpu() throws InterruptedException {
    ProcessBuilder tool =
        new ProcessBuilder(
            "nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader");
    try {
      Process process = tool.redirectErrorStream(true).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
      return ended && process.exitValue() == 0
          ? String.join("; ", text.lines().toList())
          : "no GPU";
    } catch (IOException e) {
      return "no GPU"; // the tool is part of the driver
    }
  }

  static String host() {
    Runtime runtime = Runtime.getRuntime();
    return "%d processors, %s %s, Java %s"
        .formatted(
            runtime.availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            Runtime.version());
  }
}
