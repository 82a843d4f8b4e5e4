package io.gpdb.bench.harness;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of commands that write what they found for programs, mixed into them. */
public final class JsonOption {
  @Option(names = "--json", description = "Also write the result to this file as JSON.")
  private @Nullable Path file;

  /** Overwrites the file, where there is one. */
  public void write(Object report) throws IOException {
    if (file != null) {
      JsonFile.write(file, report);
    }
  }
}
