package io.gpdb.bench.peers;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.HtmlPage;
import io.gpdb.bench.harness.RangePlot;
import io.gpdb.bench.peers.PeersReport.Contestant;
import io.gpdb.bench.peers.PeersReport.Figure;
import io.gpdb.bench.peers.PeersReport.Result;
import java.util.ArrayList;
import java.util.List;

/**
 * A report as one HTML page that needs nothing else: for each figure a plot with a line for each
 * contestant, of medians of warm runs, from the least to the greatest round, and of first runs.
 */
final class PeersPage {
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
    List<RangePlot.Line> lines = new ArrayList<>();
    for (Contestant contestant : report.contestants()) {
      Result result = figure.results().get(contestant.name());
      if (result != null && result.warm().rounds() > 0) {
        lines.add(
            new RangePlot.Line(
                contestant.name(), colour(contestant), result.warm(), result.first().median()));
      } else if (result != null && result.refusal() != null) {
        line(
            "<p class=\"note\">%s: %s</p>"
                .formatted(
                    HtmlPage.escaped(contestant.name()),
                    HtmlPage.escaped(firstLine(result.refusal()))));
      }
    }
    new RangePlot(page).draw(figure.name(), lines);
  }

  private static String colour(Contestant contestant) {
    return contestant.isOurs()
        ? RangePlot.OURS
        : contestant.durable() ? RangePlot.OTHER : RangePlot.ASIDE;
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }
}
