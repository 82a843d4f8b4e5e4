package io.gpdb.bench.compared;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What docs/sql.md says that gpDB and others have is what they do. */
class ComparedDatabasesTest {
  private static final Path DOCUMENT =
      Path.of(Files.exists(Path.of("docs")) ? "docs" : "../docs", "sql.md");

  @Test
  void theDocumentSaysWhichDatabaseHasWhichFeature() throws IOException, SQLException {
    assertThat(Files.readString(DOCUMENT)).contains(table(features()));
  }

  private static List<Feature> features() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ComparedDatabasesTest.class.getResourceAsStream("features.txt"))) {
      return Feature.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
    }
  }

  private static String table(List<Feature> features) throws SQLException {
    StringBuilder table = new StringBuilder("| feature |");
    TriedDatabase.ALL.forEach(database -> table.append(' ').append(database.name()).append(" |"));
    table.append(" PostgreSQL 18 | DuckDB 1.4 |\n| --- |");
    table.append(" --- |".repeat(TriedDatabase.ALL.size() + 2)).append('\n');
    for (int i = 0; i < features.size(); i++) {
      Feature feature = features.get(i);
      List<String> cells = new ArrayList<>(List.of(feature.name()));
      for (TriedDatabase database : TriedDatabase.ALL) {
        cells.add(database.has(feature, i) ? "yes" : "no");
      }
      cells.addAll(feature.documented());
      table.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
    return table.toString();
  }
}
