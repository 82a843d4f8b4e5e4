package io.gpdb.bench.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A document with tables of results between marks that name their files. */
final class ResultsInDocument {
  private static final Pattern RESULTS =
      Pattern.compile("(<!-- results (\\S+) -->\n).*?(<!-- end of results -->)", Pattern.DOTALL);

  private ResultsInDocument() {}

  /** The document with the tables as its files have them; paths are from its folder on. */
  static String renewed(Path document) throws IOException {
    Path folder = Objects.requireNonNull(document.toAbsolutePath().getParent());
    Matcher results = RESULTS.matcher(Files.readString(document));
    StringBuilder renewed = new StringBuilder();
    while (results.find()) {
      String tables = tables(folder.resolve(results.group(2)));
      results.appendReplacement(
          renewed, Matcher.quoteReplacement(results.group(1) + tables + results.group(3)));
    }
    return results.appendTail(renewed).toString();
  }

  private static String tables(Path file) throws IOException {
    JsonNode report = new ObjectMapper().readTree(file.toFile());
    StringBuilder text = new StringBuilder();
    for (ReportTable table : ReportTables.of(report)) {
      text.append(table.markdown()).append('\n');
    }
    return text.toString();
  }
}
