package io.gpdb.bench.slt;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import java.util.Map;

/** The CPU time that records take: of the thread that runs them, and of the whole process. */
final class RunEffort {
  private static final double NANOS = 1e9;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private long threadNanos;

  void of(Runnable records) {
    long before = THREADS.getCurrentThreadCpuTime();
    records.run();
    threadNanos += THREADS.getCurrentThreadCpuTime() - before;
  }

  String text(long records) {
    double own = threadNanos / NANOS;
    double all = PROCESS.getProcessCpuTime() / NANOS;
    return String.format(
        Locale.ROOT,
        "CPU of the calling thread %.1f s, %.0f records/s; of the process since its start %.1f s,"
            + " %.0f records/s",
        own,
        records / own,
        all,
        records / all);
  }

  void addTo(Map<String, Object> report) {
    report.put("threadSeconds", threadNanos / NANOS);
    report.put("processSeconds", PROCESS.getProcessCpuTime() / NANOS);
  }
}
