package io.gpdb.storage.medium;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory whose files are removed when it closes. */
final class RemovedAtClose extends ForwardingDirectory {
  private final Path path;

  RemovedAtClose(StorageDirectory inner, Path path) {
    super(inner);
    this.path = path;
  }

  @Override
  public void close() {
    super.close();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        Files.delete(file);
      }
      Files.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
