package io.gpdb.bench.device;

import io.gpdb.bench.harness.JsonFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The process that runs classes of JUnit tests and reports how many passed. */
public final class ContractsChild {
  private ContractsChild() {}

  /** Arguments: the file of the report, then the names of the classes. */
  public static void main(String[] arguments) throws IOException {
    List<String> classes = Arrays.asList(arguments).subList(1, arguments.length);
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(classes.stream().map(DiscoverySelectors::selectClass).toList())
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    JsonFile.write(Path.of(arguments[0]), report(classes, summary));
    boolean passed = summary.getTotalFailureCount() == 0 && summary.getTestsSucceededCount() > 0;
    System.exit(passed ? 0 : 1);
  }

  private static Map<String, Object> report(List<String> classes, TestExecutionSummary summary) {
    List<String> failures = new ArrayList<>();
    for (TestExecutionSummary.Failure failure : summary.getFailures()) {
      failures.add(
          failure.getTestIdentifier().getUniqueId() + ": " + failure.getException().getMessage());
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "contracts");
    report.put("classes", classes);
    report.put("passed", summary.getTestsSucceededCount());
    report.put("failed", summary.getTotalFailureCount());
    report.put("left out", summary.getTestsSkippedCount() + summary.getTestsAbortedCount());
    report.put("failures", failures);
    return report;
  }
}
