package io.gpdb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real benchmarks that are interrupted while they work. */
class InterruptedBenchTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"commits", "kill", "persistency"})
  void anInterruptedCommandLeavesNothing(String name) throws Exception {
    // Where the tests run in the background, SIGINT is ignored, which children inherit.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Dslf4j.internal.verbosity=ERROR");
    command.add("-Djava.io.tmpdir=" + directory);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(GpdbBench.class.getName());
    command.add(name);
    Process bench =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      interrupt(bench);
    } finally {
      bench.destroyForcibly();
    }
    assertThat(files()).isEmpty();
  }

  private void interrupt(Process bench) throws Exception {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (files().isEmpty() && System.nanoTime() < limit) {
      Thread.sleep(20);
    }
    assertThat(files()).isNotEmpty();
    Thread.sleep(500);
    new ProcessBuilder("kill", "-INT", Long.toString(bench.pid())).start().waitFor();
    assertThat(bench.waitFor(20, TimeUnit.SECONDS)).as("ended").isTrue();
    assertThat(bench.exitValue()).isEqualTo(130);
  }

  private List<Path> files() throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(f -> f.getFileName().toString().startsWith("gpdb")).toList();
    }
  }
}
