package io.gpdb.bench.layers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The poms under {@code verify} against the modules: a module whose tests no pool runs is named.
 */
class PooledTestsTest {
  private static final Path PROJECT =
      Path.of(Files.exists(Path.of("ARCHITECTURE.md")) ? "" : "..").toAbsolutePath();

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern TESTS =
      Pattern.compile("<directory>../../([^<]+)/target/test-classes</directory>");
  private static final String RUNS_ITS_OWN = "<units.skipped>false</units.skipped>";

  @Test
  void theTestsOfEachModuleRunOnce() throws IOException {
    List<String> tested = new ArrayList<>();
    List<String> run = new ArrayList<>();
    for (String module : matches(MODULE, pom(""))) {
      if (module.startsWith("verify/")) {
        run.addAll(matches(TESTS, pom(module)));
        continue;
      }
      if (Files.isDirectory(PROJECT.resolve(module).resolve("src/test/java"))) {
        tested.add(module);
      }
      if (pom(module).contains(RUNS_ITS_OWN)) {
        run.add(module);
      }
    }
    assertThat(run).containsExactlyInAnyOrderElementsOf(tested);
  }

  private static String pom(String module) throws IOException {
    return Files.readString(PROJECT.resolve(module).resolve("pom.xml"));
  }

  private static List<String> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }
}
