package io.gpdb.bench.tpch;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.HtmlPage;
import io.gpdb.bench.harness.RangePlot;
import io.gpdb.bench.tpch.TpchReport.Query;
import io.gpdb.bench.tpch.TpchReport.Result;
import io.gpdb.bench.tpch.TpchReport.Total;
import java.util.ArrayList;
import java.util.List;

/** A report as one HTML page: means and ratios, what went wrong, and a plot for each query. */
final class TpchPage {
  private static final double MEBIBYTE = 1 << 20;

  private final TpchReport report;
  private final HtmlPage page;

  TpchPage(TpchReport report) {
    this.report = report;
    this.page = new HtmlPage("TPC-H, scale factor " + report.factor());
  }

  String html() {
    page.line(
        "<p>%s. Each database in a process of its own (-Xmx%s%s), asked by turns. A dot is the median"
                .formatted(
                    HtmlPage.escaped(report.machine()),
                    HtmlPage.escaped(report.effort().heap()),
                    report.memoryLimitBytes() == 0
                        ? ""
                        : ", memory_limit %.0f MiB".formatted(report.memoryLimitBytes() / MEBIBYTE))
            + " of the runs after the first, a line reaches from the least to the greatest, a ring"
            + " is the first run of the query in its process. Axes are logarithmic.</p>");
    totals();
    ratios();
    problems();
    page.line("<h2>Queries</h2>");
    report.queries().forEach(this::plot);
    return page.end();
  }

  private void totals() {
    page.line("<h2>All queries: geometric means, and the most memory</h2>");
    page.line(
        "<table><tr><th></th><th>right</th><th>first, ms</th><th>later, ms</th><th>first,"
            + " ratio</th><th>later, ratio</th><th>greatest</th><th>peak RSS, MiB</th><th>of its"
            + " own</th><th>of mapped files</th></tr>");
    for (Total total : report.totals()) {
      page.line(
          "<tr><td>%s</td><td>%d of %d</td><td>%s</td><td>%s</td>%s%s%s<td>%s</td><td>%s</td><td>%s</td></tr>"
              .formatted(
                  HtmlPage.escaped(total.name()),
                  total.answered(),
                  report.queries().size(),
                  AlignedTable.significant(total.firstMillis()),
                  AlignedTable.significant(total.warmMillis()),
                  ratio(total.firstRatio()),
                  ratio(total.warmRatio()),
                  ratio(total.warmRatioMax()),
                  AlignedTable.significant(total.peak().bytes() / MEBIBYTE),
                  AlignedTable.significant(total.peak().ownBytes() / MEBIBYTE),
                  AlignedTable.significant(total.peak().fileBytes() / MEBIBYTE)));
    }
    page.line("</table>");
  }

  private void ratios() {
    List<Total> ours = report.totals().stream().filter(Total::isOurs).toList();
    page.line("<h2>Time as a multiple of the other's with as many workers</h2>");
    StringBuilder header = new StringBuilder("<table><tr><th>query</th>");
    for (Total own : ours) {
      header
          .append("<th>")
          .append(HtmlPage.escaped(own.name()))
          .append(", first</th><th>later</th>");
    }
    page.line(header + "</tr>");
    for (Query query : report.queries()) {
      StringBuilder row = new StringBuilder("<tr><td>Q" + query.number() + "</td>");
      for (Total own : ours) {
        Result result = query.results().get(own.name());
        row.append(ratio(result == null ? Double.NaN : result.firstRatio()));
        row.append(ratio(result == null ? Double.NaN : result.warmRatio()));
      }
      page.line(row + "</tr>");
    }
    page.line("</table>");
  }

  /** Less than 1 is good. */
  private static String ratio(double value) {
    String kind = Double.isNaN(value) ? "note" : value <= 1 ? "better" : "worse";
    return "<td class=\"%s\">%s</td>".formatted(kind, AlignedTable.significant(value));
  }

  private void problems() {
    for (String problem : report.problems()) {
      page.line("<p class=\"worse\">%s</p>".formatted(HtmlPage.escaped(problem)));
    }
  }

  private void plot(Query query) {
    page.line("<h3>Q%d <span>[ms, less is better]</span></h3>".formatted(query.number()));
    List<RangePlot.Line> lines = new ArrayList<>();
    for (Total total : report.totals()) {
      Result result = query.results().get(total.name());
      if (result != null && result.warm().rounds() > 0) {
        String colour = total.isOurs() ? RangePlot.OURS : RangePlot.OTHER;
        lines.add(new RangePlot.Line(total.name(), colour, result.warm(), result.firstMillis()));
      }
    }
    new RangePlot(page).draw("Q" + query.number(), lines);
  }
}
