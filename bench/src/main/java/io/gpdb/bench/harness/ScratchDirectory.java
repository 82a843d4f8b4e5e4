package io.gpdb.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder for one run's databases, deleted when the run ends. */
public final class ScratchDirectory implements AutoCloseable {
  private final Path root;
  private int count;

  public ScratchDirectory(@Nullable Path parent) throws IOException {
    if (parent != null) {
      Files.createDirectories(parent);
    }
    root =
        Leftovers.watch(
            parent == null
                ? Files.createTempDirectory("gpdb-bench")
                : Files.createTempDirectory(parent, "gpdb-bench"));
  }

  public Path root() {
    return root;
  }

  public Path fresh() {
    return root.resolve("db" + count++);
  }

  public static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Override
  public void close() throws IOException {
    delete(root);
    Leftovers.forget(root);
  }
}
