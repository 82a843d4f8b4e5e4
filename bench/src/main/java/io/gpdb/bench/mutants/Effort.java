package io.gpdb.bench.mutants;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What this process has done up to a moment. A process on a busy machine runs little, but its
 * threads wait for a processor; one that waits for a lock does neither.
 *
 * @param wallNanos of the clock
 * @param cpuNanos that all threads have run, those that ended included
 * @param wantedNanos by task: run, or ready to run and waiting for a processor
 * @param onDisk whether a task waits for a device
 */
record Effort(long wallNanos, long cpuNanos, Map<String, Long> wantedNanos, boolean onDisk) {
  private static final Path TASKS = Path.of("/proc/self/task");
  private static final com.sun.management.OperatingSystemMXBean PROCESS =
      (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  static long processNanos() {
    return PROCESS.getProcessCpuTime();
  }

  /** The thread that calls this does not count as a task. */
  static Effort now() throws IOException {
    String own = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
    Map<String, Long> wanted = new HashMap<>();
    boolean onDisk = false;
    for (Path task : tasks()) {
      String id = task.getFileName().toString();
      if (!id.equals(own)) {
        try {
          String[] times = Files.readString(task.resolve("schedstat")).trim().split(" ", -1);
          wanted.put(id, Long.parseLong(times[0]) + Long.parseLong(times[1]));
          onDisk |= Files.readString(task.resolve("stat")).contains(") D ");
        } catch (IOException e) {
          wanted.remove(id); // it has ended meanwhile
        }
      }
    }
    return new Effort(System.nanoTime(), processNanos(), wanted, onDisk);
  }

  private static List<Path> tasks() throws IOException {
    try (Stream<Path> tasks = Files.list(TASKS)) {
      return tasks.toList();
    }
  }

  /** What the tasks of now wanted since then. */
  long wantedSince(Effort before) {
    long sum = 0;
    for (Map.Entry<String, Long> task : wantedNanos.entrySet()) {
      sum += task.getValue() - before.wantedNanos.getOrDefault(task.getKey(), 0L);
    }
    return sum;
  }
}
