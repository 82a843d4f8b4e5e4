package io.gpdb.bench.device;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpdb.bench.harness.RangePlot;
import io.gpdb.bench.harness.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The pictures of a report, from what the parts' processes wrote. */
final class ReportPlots {
  private ReportPlots() {}

  /**
   * A picture of figures.
   *
   * @param word what its file's name ends with
   * @param label what it shows, in a sentence
   */
  record Plot(String word, String label, List<RangePlot.Line> lines) {
    String svg() {
      return RangePlot.alone(label, lines);
    }
  }

  /** Those that have lines, by the title of the table that they belong to. */
  static Map<String, Plot> of(JsonNode report) {
    Map<String, Plot> plots = new LinkedHashMap<>();
    for (JsonNode part : report.get("parts")) {
      String name = part.get("part").asText();
      JsonNode reports = part.get("reports");
      if (name.equals(Part.KILL.word())) {
        add(plots, ReportTables.PARTS, kills(reports));
      } else if (name.equals(Part.TPCH.word()) && !reports.isEmpty()) {
        add(plots, ReportTables.TPCH, tpch(reports.get(0)));
      } else if (name.equals(Part.STATEMENTS.word())) {
        add(plots, ReportTables.STATEMENTS, statements(reports));
      }
    }
    return plots;
  }

  private static void add(Map<String, Plot> plots, String title, Plot plot) {
    if (!plot.lines().isEmpty()) {
      plots.put(title, plot);
    }
  }

  private static Plot tpch(JsonNode report) {
    List<RangePlot.Line> lines = new ArrayList<>();
    for (JsonNode query : report.get("queries")) {
      String name = "Q" + query.get("query").asInt();
      lines.add(
          new RangePlot.Line(
              name,
              RangePlot.OURS,
              spread(query.get("millis")),
              query.get("firstMillis").asDouble()));
      lines.add(
          new RangePlot.Line(
              name + ", emulated",
              RangePlot.OTHER,
              spread(query.get("emulatedMillis")),
              query.path("emulatedFirstMillis").asDouble(Double.NaN)));
    }
    lines.removeIf(line -> line.spread().rounds() == 0);
    return new Plot("tpch", "TPC-H's queries, ms, on the GPU and on the host's threads", lines);
  }

  /** Of all runs of all processes; what they begin with is the median of their first runs. */
  private static Plot statements(JsonNode reports) {
    Map<String, List<Double>> warm = new LinkedHashMap<>();
    Map<String, List<Double>> first = new LinkedHashMap<>();
    for (JsonNode report : reports) {
      for (JsonNode figure : report.get("figures")) {
        String name = figure.get("name").asText();
        if (figure.get("millis").get("rounds").asInt() > 0) {
          values(warm, name).add(figure.get("millis").get("median").asDouble());
          values(first, name).add(figure.get("firstMillis").asDouble());
        }
      }
    }
    List<RangePlot.Line> lines = new ArrayList<>();
    warm.forEach(
        (name, medians) ->
            lines.add(
                new RangePlot.Line(
                    name,
                    RangePlot.OURS,
                    Spread.of(medians),
                    Spread.of(values(first, name)).median())));
    return new Plot("statements", "Statements, ms: medians of each process", lines);
  }

  /** How long a killed process was there, and how long the next one recovered. */
  private static Plot kills(JsonNode reports) {
    Map<String, List<Double>> gone = new TreeMap<>();
    Map<String, List<Double>> recovered = new TreeMap<>();
    for (JsonNode report : reports) {
      for (JsonNode setting : report.get("settings")) {
        String protocol = setting.path("protocol").asText();
        addMillis(gone, protocol + ", gone", setting.path("endingSeconds"));
        addMillis(recovered, protocol + ", recovered", setting.path("recoverySeconds"));
      }
    }
    List<RangePlot.Line> lines = new ArrayList<>();
    gone.forEach((name, millis) -> lines.add(line(name, RangePlot.ASIDE, millis)));
    recovered.forEach((name, millis) -> lines.add(line(name, RangePlot.OURS, millis)));
    return new Plot("kills", "Killed processes gone, and recovered by the next, ms", lines);
  }

  private static RangePlot.Line line(String name, String colour, List<Double> millis) {
    return new RangePlot.Line(name, colour, Spread.of(millis), Double.NaN);
  }

  private static void addMillis(Map<String, List<Double>> all, String name, JsonNode seconds) {
    Spread spread = spread(seconds);
    if (spread.rounds() > 0) {
      List<Double> millis = values(all, name);
      millis.add(spread.min() * 1000);
      millis.add(spread.median() * 1000);
      millis.add(spread.max() * 1000);
    }
  }

  private static List<Double> values(Map<String, List<Double>> all, String name) {
    return all.computeIfAbsent(name, _ -> new ArrayList<>());
  }

  private static Spread spread(JsonNode spread) {
    return new Spread(
        spread.path("min").asDouble(),
        spread.path("median").asDouble(),
        spread.path("max").asDouble(),
        spread.path("rounds").asInt());
  }
}
