package io.gpdb.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of commands that draw what they found, mixed into them. */
public final class HtmlOption {
  @Option(names = "--html", description = "Also write the result to this file as one HTML page.")
  private @Nullable Path file;

  /** Overwrites the file, where there is one. */
  public void write(Supplier<String> page) throws IOException {
    if (file != null) {
      Files.writeString(file, page.get());
    }
  }
}
