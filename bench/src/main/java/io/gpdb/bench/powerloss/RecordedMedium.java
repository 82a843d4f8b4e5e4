package io.gpdb.bench.powerloss;

import io.gpdb.bench.crash.WatchedMedium;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.simulation.medium.CrashUnit;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.recorded.RecordedFileSystem;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Real files of a database, and the mirror on which they lose power. */
final class RecordedMedium implements WatchedMedium {
  private final Path path;
  private final MirroredFiles files;
  private final StorageDirectory directory;

  RecordedMedium(CrashUnit unit) {
    try {
      path = Files.createTempDirectory("gpdb-powerloss").toRealPath();
      files = new MirroredFiles(path, unit);
      directory = FileDirectory.open(RecordedFileSystem.over(path, files), true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public StorageDirectory directory() {
    return directory;
  }

  @Override
  public CrashableDirectory crashable() {
    return files.mirror();
  }

  @Override
  public void refresh() {
    files.refresh();
  }

  @Override
  public void close() {
    directory.close();
    files.mirror().close();
    try {
      ScratchDirectory.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
