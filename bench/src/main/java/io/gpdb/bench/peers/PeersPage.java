package io.gpdb.bench.peers;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.HtmlPage;
import io.gpdb.bench.peers.PeersReport.Contestant;
import io.gpdb.bench.peers.PeersReport.Figure;
import io.gpdb.bench.peers.PeersReport.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A report as one HTML page that needs nothing else: for each figure a plot with a line for each
 * contestant, on a logarithmic axis; dots are medians of warm runs, whiskers reach from the least
 * to the greatest round, rings are first runs.
 */
final class PeersPage {
  private static final int NAME_WIDTH = 150;
  private static final int PLOT_WIDTH = 430;
  private static final int VALUE_WIDTH = 150;
  private static final int LINE_HEIGHT = 20;

  private final PeersReport report;
  private final HtmlPage page = new HtmlPage("gpDB and its peers");

  PeersPage(PeersReport report) {
    this.report = report;
  }

  String html() {
    head();
    ratios();
    String section = "";
    for (Figure figure : report.figures()) {
      if (!figure.section().equals(section)) {
        section = figure.section();
        line("<h2>" + HtmlPage.escaped(section) + "</h2>");
      }
      plot(figure);
    }
    return page.end();
  }

  private void line(String text) {
    page.line(text);
  }

  private void head() {
    line(
        "<p>%s. %,d rows queried, %,d changed by key; a process for each database in each round, %s."
                .formatted(
                    HtmlPage.escaped(report.machine()),
                    report.sizes().rows(),
                    report.sizes().keyedRows(),
                    report.rounds() == 1 ? "one round" : report.rounds() + " rounds")
            + " A dot is the median of warm runs, a line reaches from the least to the greatest round,"
            + " a ring is the first run in a process. Axes are logarithmic.</p>");
    line(
        "<p>The storage: %s synced 4 KiB writes/s, %s MB/s written and synced at the end.</p>"
            .formatted(
                AlignedTable.scaled(report.limits().syncsPerSecond().median()),
                AlignedTable.significant(report.limits().bytesPerSecond().median() / 1e6)));
    line("<table class=\"texts\"><tr><th>database</th><th>when a commit has returned</th></tr>");
    for (Contestant contestant : report.contestants()) {
      line(
          "<tr><td>%s</td><td>%s</td></tr>"
              .formatted(
                  HtmlPage.escaped(contestant.name()), HtmlPage.escaped(contestant.durability())));
    }
    line("</table>");
    for (String note : report.notes()) {
      line("<p class=\"note\">%s</p>".formatted(HtmlPage.escaped(note)));
    }
  }

  private void ratios() {
    List<Contestant> ours = report.contestants().stream().filter(Contestant::isOurs).toList();
    if (ours.isEmpty()) {
      return;
    }
    line("<h2>How many times as good as the best durable peer, warm</h2>");
    StringBuilder header = new StringBuilder("<table><tr><th>figure</th>");
    ours.forEach(own -> header.append("<th>").append(HtmlPage.escaped(own.name())).append("</th>"));
    line(header + "</tr>");
    for (Figure figure : report.figures()) {
      StringBuilder row = new StringBuilder("<tr><td>");
      row.append(HtmlPage.escaped(shown(figure))).append("</td>");
      for (Contestant own : ours) {
        double ratio = figure.ratio(own, report.contestants());
        String kind = ratio >= 1 ? "better" : "worse";
        row.append("<td class=\"").append(Double.isNaN(ratio) ? "note" : kind).append("\">");
        row.append(Double.isNaN(ratio) ? "-" : AlignedTable.significant(ratio)).append("</td>");
      }
      line(row + "</tr>");
    }
    line("</table>");
  }

  private static String shown(Figure figure) {
    return figure.section().equals(PeerChild.QUERIES)
        ? figure.name()
        : figure.section() + ": " + figure.name();
  }

  private void plot(Figure figure) {
    line(
        "<h3>%s <span>[%s, %s is better]</span></h3>"
            .formatted(
                HtmlPage.escaped(figure.name()),
                HtmlPage.escaped(figure.unit()),
                figure.higherIsBetter() ? "more" : "less"));
    List<Contestant> shown = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    for (Contestant contestant : report.contestants()) {
      Result result = figure.results().get(contestant.name());
      if (result != null && result.warm().rounds() > 0) {
        shown.add(contestant);
        values.addAll(List.of(result.warm().min(), result.warm().max(), result.first().median()));
      } else if (result != null && result.refusal() != null) {
        line(
            "<p class=\"note\">%s: %s</p>"
                .formatted(
                    HtmlPage.escaped(contestant.name()),
                    HtmlPage.escaped(firstLine(result.refusal()))));
      }
    }
    if (!shown.isEmpty()) {
      draw(figure, shown, new LogAxis(values, PLOT_WIDTH));
    }
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  private void draw(Figure figure, List<Contestant> shown, LogAxis axis) {
    int height = LINE_HEIGHT * (shown.size() + 1);
    int width = NAME_WIDTH + PLOT_WIDTH + VALUE_WIDTH;
    line(
        "<svg width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"%s\">"
            .formatted(width, height, HtmlPage.escaped(figure.name())));
    for (double tick : axis.ticks()) {
      double x = NAME_WIDTH + axis.place(tick);
      line(
          String.format(
              Locale.ROOT,
              "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\" stroke=\"#e4e4e4\"/>",
              x,
              x,
              height - LINE_HEIGHT));
      line(
          String.format(
              Locale.ROOT,
              "<text class=\"axis\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
              x,
              height - 5,
              AlignedTable.scaled(tick)));
    }
    for (int i = 0; i < shown.size(); i++) {
      drawLine(figure, shown.get(i), axis, LINE_HEIGHT * i + LINE_HEIGHT / 2);
    }
    line("</svg>");
  }

  private void drawLine(Figure figure, Contestant contestant, LogAxis axis, int y) {
    Result result = figure.results().get(contestant.name());
    if (result == null) {
      return;
    }
    String colour = contestant.isOurs() ? "#1f5fbf" : contestant.durable() ? "#444" : "#aaa";
    line(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
            NAME_WIDTH - 8,
            y + 4,
            HtmlPage.escaped(contestant.name())));
    line(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>",
            NAME_WIDTH + axis.place(result.warm().min()),
            NAME_WIDTH + axis.place(result.warm().max()),
            y,
            y,
            colour));
    line(
        String.format(
            Locale.ROOT,
            "<circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"%s\"/>",
            NAME_WIDTH + axis.place(result.warm().median()),
            y,
            colour));
    line(
        String.format(
            Locale.ROOT,
            "<circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"none\" stroke=\"%s\"/>",
            NAME_WIDTH + axis.place(result.first().median()),
            y,
            colour));
    line(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\">%s (first %s)</text>",
            NAME_WIDTH + PLOT_WIDTH + 12,
            y + 4,
            AlignedTable.scaled(result.warm().median()),
            AlignedTable.scaled(result.first().median())));
  }
}
