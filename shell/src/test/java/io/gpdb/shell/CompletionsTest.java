package io.gpdb.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.ParsedLine;
import org.jline.reader.impl.DefaultParser;
import org.junit.jupiter.api.Test;

class CompletionsTest {
  private static List<String> complete(String line) throws SQLException {
    try (var connection = Connections.open("mem:", "")) {
      PrintWriter out = new PrintWriter(new StringWriter());
      Shell shell = new Shell(connection, new Console(out, out, false, 0), OutputFormat.TABLE);
      shell.update("CREATE TABLE flights (\"DATE\" TIMESTAMP, delay INTEGER, \"mixedCase\" REAL)");
      ParsedLine parsed = new DefaultParser().parse(line, line.length());
      List<Candidate> candidates = new ArrayList<>();
      new Completions(shell).complete(null, parsed, candidates);
      return candidates.stream().map(Candidate::value).toList();
    }
  }

  @Test
  void keywordsTablesAndColumnsFollowTheCaseTyped() throws SQLException {
    assertThat(complete("select de"))
        .contains("select", "delete", "flights", "delay", "\"DATE\"", "\"mixedCase\"");
    assertThat(complete("SELECT DE")).contains("SELECT", "DELETE", "FLIGHTS", "DELAY");
  }

  @Test
  void afterATableAndADotComeItsColumnsAlone() throws SQLException {
    assertThat(complete("select flights.d"))
        .containsExactly("flights.\"DATE\"", "flights.delay", "flights.\"mixedCase\"");
  }

  @Test
  void dotCommandsAreCompletedWithTheirWords() throws SQLException {
    assertThat(complete(".im")).contains(".import", ".tables").doesNotContain("select");
    assertThat(complete(".format ")).containsExactly("table", "csv", "json");
    assertThat(complete(".schema ")).contains("flights");
  }
}
