package io.gpdb.bench.mutants;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Processes that judge mutants, on the class files of this build. */
final class TestWorkers {
  static final List<Path> ROOTS =
      Stream.of(
              "storage-pm",
              "exec-gpu",
              "simulation",
              "txn",
              "sql",
              "planner",
              "session",
              "jdbc",
              "bench")
          .flatMap(
              module ->
                  Stream.of(
                      Path.of("..", module, "target", "classes"),
                      Path.of("..", module, "target", "test-classes")))
          .map(path -> path.toAbsolutePath().normalize())
          .filter(Files::isDirectory)
          .toList();

  private TestWorkers() {}

  /**
   * @param names of the classes that may be changed
   * @param module in whose folder the tests run
   */
  static WorkerProcess start(List<String> names, String module, Path scratch) throws IOException {
    Path list = Files.write(scratch.resolve("classes"), names);
    List<String> command =
        MutantHunt.workerCommand(
            MutantHunt.agent(scratch.resolve("agent.jar")), list, ROOTS, classPath());
    return new WorkerProcess(command, Path.of("..", module), scratch.resolve("worker"));
  }

  /** That of the tests, however they were started. */
  private static String classPath() {
    Stream<String> own =
        Thread.currentThread().getContextClassLoader() instanceof URLClassLoader loader
            ? Stream.of(loader.getURLs()).map(URL::getPath)
            : Stream.of(System.getProperty("surefire.test.class.path", ""));
    Stream<String> jvm = Stream.of(System.getProperty("java.class.path"));
    return Stream.of(ROOTS.stream().map(Path::toString), own, jvm)
        .flatMap(each -> each)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
