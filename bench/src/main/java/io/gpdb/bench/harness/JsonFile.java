package io.gpdb.bench.harness;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;

/** A report as a file of indented JSON. */
public final class JsonFile {
  private JsonFile() {}

  /** Overwrites what the file holds. */
  public static void write(Path file, Object report) throws IOException {
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), report);
  }
}
