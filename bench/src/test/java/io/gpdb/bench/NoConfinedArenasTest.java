package io.gpdb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The engine has no memory that one thread alone may access. Each access to memory asks whether it
 * has an owner; once it had one anywhere in the process, HotSpot compiles both answers into every
 * loop over several buffers, one copy of the loop after the other, for seconds.
 */
class NoConfinedArenasTest {
  private static final List<String> MODULES =
      List.of("storage-pm", "exec-gpu", "txn", "sql", "planner", "session", "jdbc");

  @Test
  void noClassOfTheEngineMakesOne() throws IOException {
    List<String> makers = new ArrayList<>();
    for (String module : MODULES) {
      makers.addAll(makers(Path.of("..", module, "target", "classes")));
    }
    assertThat(makers).isEmpty();
  }

  /** The classes whose constants name such an arena's maker. */
  private static List<String> makers(Path root) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        if (bytes.contains("ofConfined")) {
          found.add(root.relativize(file).toString());
        }
      }
    }
    return found;
  }
}
