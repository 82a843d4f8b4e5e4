package io.gpdb.bench.harness;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of commands that make databases and delete them, mixed into them. */
public final class ScratchOption {
  @Option(
      names = "--path",
      description = "Folder for databases and other files (default: a temporary one).")
  private @Nullable Path parent;

  public ScratchDirectory open() throws IOException {
    return new ScratchDirectory(parent);
  }
}
