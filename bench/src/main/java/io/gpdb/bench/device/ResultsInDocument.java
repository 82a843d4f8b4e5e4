package io.gpdb.bench.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A document with tables and pictures of results between marks that name their files. */
final class ResultsInDocument {
  private static final Pattern RESULTS =
      Pattern.compile("(<!-- results (\\S+) -->\n).*?(<!-- end of results -->)", Pattern.DOTALL);

  private static final Pattern JSON = Pattern.compile("\\.json$");

  /**
   * A document with the tables as its files have them.
   *
   * @param pictures those that it shows, by their files
   */
  record Renewed(String text, Map<Path, String> pictures) {}

  private ResultsInDocument() {}

  /** Paths in the document are from its folder on; pictures are beside the results. */
  static Renewed renewed(Path document) throws IOException {
    Path folder = Objects.requireNonNull(document.toAbsolutePath().getParent());
    Matcher results = RESULTS.matcher(Files.readString(document));
    StringBuilder renewed = new StringBuilder();
    Map<Path, String> pictures = new LinkedHashMap<>();
    while (results.find()) {
      String tables = tables(folder, results.group(2), pictures);
      results.appendReplacement(
          renewed, Matcher.quoteReplacement(results.group(1) + tables + results.group(3)));
    }
    return new Renewed(results.appendTail(renewed).toString(), pictures);
  }

  private static String tables(Path folder, String file, Map<Path, String> pictures)
      throws IOException {
    JsonNode report = new ObjectMapper().readTree(folder.resolve(file).toFile());
    Map<String, ReportPlots.Plot> plots = ReportPlots.of(report);
    StringBuilder text = new StringBuilder();
    for (ReportTable table : ReportTables.of(report)) {
      text.append(table.markdown()).append('\n');
      ReportPlots.Plot plot = plots.get(table.title());
      if (plot != null) {
        String picture = JSON.matcher(file).replaceFirst("-" + plot.word() + ".svg");
        text.append("![%s](%s)\n\n".formatted(plot.label(), picture));
        pictures.put(folder.resolve(picture), plot.svg());
      }
    }
    return text.toString();
  }
}
