package io.gpdb.bench.slt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The scripts below a folder, or one file, in the order of their names. */
final class SltFiles {
  private static final List<String> ENDINGS = List.of(".test", ".slt", ".test.gz", ".slt.gz");

  private SltFiles() {}

  static List<Path> below(Path path) throws IOException {
    if (Files.isRegularFile(path)) {
      return List.of(path);
    }
    try (Stream<Path> files = Files.walk(path)) {
      return files.filter(Files::isRegularFile).filter(SltFiles::isScript).sorted().toList();
    }
  }

  private static boolean isScript(Path file) {
    return ENDINGS.stream().anyMatch(file.toString()::endsWith);
  }
}
