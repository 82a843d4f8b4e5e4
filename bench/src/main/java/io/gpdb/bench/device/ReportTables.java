package io.gpdb.bench.device;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tables of a report, from what the parts' processes wrote. */
final class ReportTables {
  static final String PARTS = "Parts";
  static final String STATEMENTS = "Statements";
  static final String TPCH = "TPC-H";

  private ReportTables() {}

  /** A table of the parts, then one for each part that has figures. */
  static List<ReportTable> of(JsonNode report) {
    List<ReportTable> tables = new ArrayList<>();
    tables.add(parts(report));
    for (JsonNode part : report.get("parts")) {
      List<JsonNode> reports = list(part.get("reports"));
      if (reports.isEmpty()) {
        continue;
      }
      if (part.get("part").asText().equals(Part.STATEMENTS.word())) {
        tables.add(statements(reports));
      } else if (part.get("part").asText().equals(Part.TPCH.word())) {
        tables.add(tpch(reports.getFirst()));
      } else if (part.get("part").asText().equals(Part.FIGURES.word())) {
        tables.add(figures(reports.getFirst()));
      } else if (part.get("part").asText().equals(Part.SPREAD.word()) && reports.size() == 2) {
        tables.add(SpreadAnswers.table(reports));
      }
    }
    return tables;
  }

  private static List<JsonNode> list(JsonNode array) {
    List<JsonNode> list = new ArrayList<>();
    array.forEach(list::add);
    return list;
  }

  private static ReportTable parts(JsonNode report) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode part : report.get("parts")) {
      rows.add(
          List.of(
              part.get("part").asText(),
              part.get("passed").asBoolean() ? "passed" : "failed",
              found(part),
              AlignedTable.significant(part.get("seconds").asDouble())));
    }
    String note =
        "%s; %s; commit %s, %s."
            .formatted(
                report.get("gpu").asText(),
                report.get("host").asText(),
                report.get("commit").asText(),
                report.get("day").asText());
    return new ReportTable(PARTS, note, List.of("part", "", "found", "seconds"), rows);
  }

  /** What the processes of a part say of it. */
  private static String found(JsonNode part) {
    JsonNode reports = part.get("reports");
    String name = part.get("part").asText();
    if (name.equals(Part.CONTRACTS.word()) || name.equals(Part.SLT.word())) {
      return sum(reports, "passed") + " passed, " + sum(reports, "failed") + " failed";
    }
    if (name.equals(Part.TPCH.word())) {
      long equal = 0;
      long all = 0;
      for (JsonNode report : reports) {
        for (JsonNode query : report.get("queries")) {
          equal += query.get("equal").asBoolean() ? 1 : 0;
          all++;
        }
      }
      return equal + " of " + all + " answers equal to the emulated device's";
    }
    if (name.equals(Part.SPREAD.word())) {
      return SpreadAnswers.found(list(reports));
    }
    return name.equals(Part.KILL.word()) ? kills(reports) : "";
  }

  private static String kills(JsonNode reports) {
    long kills = 0;
    long working = 0;
    long acknowledged = 0;
    long violations = 0;
    double ending = 0;
    for (JsonNode report : reports) {
      kills += sum(report.get("settings"), "kills");
      working += sum(report.get("settings"), "killedInWork");
      acknowledged += sum(report.get("settings"), "acknowledged");
      violations += report.get("violation").asText().isEmpty() ? 0 : 1;
      ending = Math.max(ending, longestEnding(report.get("settings")));
    }
    String found =
        "%d kills, %d of them while working, %d transactions acknowledged, %d violations"
            .formatted(kills, working, acknowledged, violations);
    return ending == 0
        ? found
        : found
            + "; the processes were gone after up to "
            + AlignedTable.significant(ending)
            + " s";
  }

  /** In seconds; 0 where nothing was killed, or the report is older than this figure. */
  private static double longestEnding(JsonNode settings) {
    double longest = 0;
    for (JsonNode setting : settings) {
      JsonNode seconds = setting.path("endingSeconds");
      if (seconds.path("rounds").asInt() > 0) {
        longest = Math.max(longest, seconds.get("max").asDouble());
      }
    }
    return longest;
  }

  private static long sum(JsonNode entries, String name) {
    long sum = 0;
    for (JsonNode entry : entries) {
      sum += entry.get(name).asLong();
    }
    return sum;
  }

  /** Over the processes: the first run of each, and the medians of the warm ones. */
  private static ReportTable statements(List<JsonNode> reports) {
    Map<String, List<Double>> firsts = new LinkedHashMap<>();
    Map<String, List<Double>> medians = new LinkedHashMap<>();
    for (JsonNode report : reports) {
      for (JsonNode figure : report.get("figures")) {
        String name = figure.get("name").asText();
        List<Double> first = firsts.computeIfAbsent(name, _ -> new ArrayList<>());
        List<Double> median = medians.computeIfAbsent(name, _ -> new ArrayList<>());
        if (figure.get("refusal").asText().isEmpty()) {
          first.add(figure.get("firstMillis").asDouble());
        }
        if (figure.get("millis").get("rounds").asInt() > 0) {
          median.add(figure.get("millis").get("median").asDouble());
        }
      }
    }
    List<List<String>> rows = new ArrayList<>();
    medians.forEach(
        (name, values) ->
            rows.add(List.of(name, shown(values), shown(firsts.getOrDefault(name, List.of())))));
    JsonNode head = reports.getFirst();
    String note =
        "Statements over %,d rows, ms: median of %d processes (least to greatest), %d runs in each."
            .formatted(
                head.get("rows").asLong(),
                reports.size(),
                head.get("figures").get(0).get("millis").get("rounds").asInt());
    return new ReportTable(
        STATEMENTS, note, List.of("statement", "warm", "first run in a process"), rows);
  }

  private static String shown(List<Double> values) {
    Spread spread = Spread.of(values);
    return spread.rounds() < 2
        ? AlignedTable.significant(spread.median())
        : "%s (%s to %s)"
            .formatted(
                AlignedTable.significant(spread.median()),
                AlignedTable.significant(spread.min()),
                AlignedTable.significant(spread.max()));
  }

  private static ReportTable figures(JsonNode report) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode figure : report.get("figures")) {
      JsonNode spread = figure.get("spread");
      rows.add(
          List.of(
              figure.get("name").asText(),
              AlignedTable.scaled(spread.get("median").asDouble()),
              AlignedTable.scaled(spread.get("min").asDouble()),
              AlignedTable.scaled(spread.get("max").asDouble()),
              figure.get("unit").asText()));
    }
    String note =
        "Single figures, one process; the table that is changed has %,d rows of 28 bytes."
            .formatted(report.get("rows").asLong());
    return new ReportTable(
        "Figures", note, List.of("figure", "median", "least", "greatest", "unit"), rows);
  }

  private static ReportTable tpch(JsonNode report) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode query : report.get("queries")) {
      rows.add(
          List.of(
              "Q" + query.get("query").asInt(),
              AlignedTable.significant(query.get("millis").get("median").asDouble()),
              AlignedTable.significant(query.get("firstMillis").asDouble()),
              AlignedTable.significant(query.get("emulatedMillis").get("median").asDouble()),
              query.get("equal").asBoolean() ? "equal" : "differs"));
    }
    String note =
        "TPC-H's queries at scale factor %s, ms: medians of the later runs in one process."
            .formatted(report.get("scale").asText());
    return new ReportTable(
        TPCH,
        note,
        List.of("query", "on the device", "first run", "emulated, same host", "answers"),
        rows);
  }
}
