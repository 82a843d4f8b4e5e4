package io.gpdb.bench.mutants;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs JUnit tests, found by the thread's context class loader, and explorations in this JVM. */
final class TestRun {
  private static final List<String> METHOD_SEGMENTS =
      List.of("method", "test-template", "test-factory");

  private TestRun() {}

  /** The test methods of a class, by their unique ids; a parameterised one counts once. */
  static List<String> methods(String className) {
    if (ExplorerTests.isOne(className)) {
      return List.of(className);
    }
    List<String> ids = new ArrayList<>();
    TestPlan plan = launcher().discover(request(DiscoverySelectors.selectClass(className)));
    for (TestIdentifier root : plan.getRoots()) {
      for (TestIdentifier each : plan.getDescendants(root)) {
        if (METHOD_SEGMENTS.contains(each.getUniqueIdObject().getLastSegment().getType())) {
          ids.add(each.getUniqueId());
        }
      }
    }
    return ids;
  }

  /** Runs one test method; returns why it failed, or null. */
  static @Nullable Throwable failure(String id) {
    if (ExplorerTests.isOne(id)) {
      return ExplorerTests.failure(id);
    }
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    boolean[] ran = {false};
    run(
        id,
        (test, result) -> {
          ran[0] |= test.isTest();
          if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            failure.compareAndSet(
                null, result.getThrowable().orElseGet(() -> new AssertionError("failed")));
          }
        });
    if (!ran[0] && failure.get() == null) {
      return new IllegalStateException("no such test: " + id);
    }
    return failure.get();
  }

  private static void run(String id, BiConsumer<TestIdentifier, TestExecutionResult> ended) {
    TestExecutionListener listener =
        new TestExecutionListener() {
          @Override
          public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            ended.accept(test, result);
          }
        };
    launcher().execute(request(DiscoverySelectors.selectUniqueId(UniqueId.parse(id))), listener);
  }

  private static Launcher launcher() {
    return LauncherFactory.create();
  }

  private static LauncherDiscoveryRequest request(DiscoverySelector selector) {
    return LauncherDiscoveryRequestBuilder.request().selectors(selector).build();
  }
}
