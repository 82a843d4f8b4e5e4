package io.gpdb.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The files of an open database as a process that is killed now leaves them. */
public final class CopiedFiles {
  private CopiedFiles() {}

  /** Copies them to a folder that is made for them. */
  public static void copy(Path from, Path to) {
    try (Stream<Path> all = Files.list(from)) {
      Files.createDirectory(to);
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
