package io.gpdb.bench.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A place of a class that one test must notice when it is changed.
 *
 * @param which of the method's points of that kind and detail, from 0
 * @param test class and method, with the types of its parameters where it has some
 */
record Guard(
    String className, String method, MutationKind kind, String detail, int which, String test) {
  /** What a test is told to take, more than it does: it is ended after six times as long. */
  private static final int MILLIS = 12_000;

  private String name() {
    return "io.gpdb." + className;
  }

  private MutationPoint in(List<MutationPoint> points) {
    List<MutationPoint> found =
        points.stream()
            .filter(
                p ->
                    p.className().equals(name())
                        && p.method().startsWith(method)
                        && p.kind() == kind
                        && p.detail().startsWith(detail))
            .toList();
    assertThat(found).as(toString()).hasSizeGreaterThan(which);
    return found.get(which);
  }

  private String testId() {
    int hash = test.indexOf('#');
    String ofTest = test.substring(hash + 1);
    return "[engine:junit-jupiter]/[class:io.gpdb.%s]/[%s]"
        .formatted(
            test.substring(0, hash),
            ofTest.endsWith(")") ? "test-template:" + ofTest : "method:" + ofTest + "()");
  }

  /**
   * The guards whose tests do not notice that they are changed.
   *
   * @param module in whose folder the tests run
   */
  static List<String> unnoticed(List<Guard> guards, String module, Path scratch)
      throws IOException {
    List<String> names = guards.stream().map(Guard::name).distinct().toList();
    TargetClasses targets = new TargetClasses(TestWorkers.ROOTS, names);
    List<String> unnoticed = new ArrayList<>();
    try (WorkerProcess worker = TestWorkers.start(names, module, scratch)) {
      for (Guard guard : guards) {
        MutationPoint point = guard.in(targets.points());
        String answer = worker.judge(point, List.of(MILLIS + " " + MILLIS + " " + guard.testId()));
        if (!answer.startsWith("killed ") || WorkerProcess.isOfTheProcess(answer)) {
          unnoticed.add(point + ": " + answer);
        }
      }
    }
    return unnoticed;
  }
}
