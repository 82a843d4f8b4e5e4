package io.gpdb.bench.tpch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The texts of the 22 queries, from {@code queries.sql}. */
final class TpchQueries {
  static final List<String> ALL = read();

  private TpchQueries() {}

  private static List<String> read() {
    try (InputStream in =
        Objects.requireNonNull(TpchQueries.class.getResourceAsStream("queries.sql"))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      List<String> queries = new ArrayList<>(List.of(text.split("(?m)^-- \\d+$", -1)));
      queries.removeFirst(); // the file's comment
      return queries.stream().map(String::strip).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
