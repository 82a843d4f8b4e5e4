package io.gpdb.bench.device;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpdb.bench.harness.AlignedTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What one device and several as one answered to the same statements, and how fast. */
final class SpreadAnswers {
  private SpreadAnswers() {}

  /** Whether there are two reports, and all answers are those of the first. */
  static boolean equal(List<JsonNode> reports) {
    return reports.size() == 2
        && figures(reports, 0).size() == figures(reports, 1).size()
        && equalAnswers(reports) == figures(reports, 0).size();
  }

  static String found(List<JsonNode> reports) {
    return reports.size() == 2
        ? "answers to %d of %d statements equal"
            .formatted(equalAnswers(reports), figures(reports, 0).size())
        : "";
  }

  private static JsonNode figures(List<JsonNode> reports, int report) {
    return reports.get(report).get("figures");
  }

  private static int equalAnswers(List<JsonNode> reports) {
    int equal = 0;
    for (int i = 0; i < figures(reports, 0).size(); i++) {
      JsonNode first = figures(reports, 0).get(i).get("answer");
      equal += first.equals(figures(reports, 1).path(i).get("answer")) ? 1 : 0;
    }
    return equal;
  }

  static ReportTable table(List<JsonNode> reports) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < figures(reports, 0).size(); i++) {
      JsonNode one = figures(reports, 0).get(i);
      JsonNode all = figures(reports, 1).path(i);
      double alone = one.get("millis").get("median").asDouble();
      double together = all.path("millis").path("median").asDouble(Double.NaN);
      rows.add(
          List.of(
              one.get("name").asText(),
              AlignedTable.significant(alone),
              AlignedTable.significant(together),
              String.format(Locale.ROOT, "%.2f", alone / together),
              one.get("answer").equals(all.path("answer")) ? "equal" : "differs"));
    }
    String note =
        "Statements over %,d rows in memory, ms: medians of the later half of up to 40 runs. %s; %s."
            .formatted(
                reports.getFirst().get("rows").asLong(),
                reports.get(0).get("device").asText(),
                reports.get(1).get("device").asText());
    return new ReportTable(
        "Several GPUs", note, List.of("statement", "one", "all", "faster by", "answers"), rows);
  }
}
