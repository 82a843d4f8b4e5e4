package io.gpdb.bench.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpdb.bench.harness.HtmlPage;
import io.gpdb.bench.harness.RangePlot;
import java.util.List;
import java.util.Map;

/** A report as one HTML page that needs nothing else. */
final class DevicePage {
  private final DeviceReport report;
  private final HtmlPage page = new HtmlPage("gpDB on a GPU");

  DevicePage(DeviceReport report) {
    this.report = report;
  }

  String html() {
    JsonNode found = new ObjectMapper().valueToTree(report);
    Map<String, ReportPlots.Plot> plots = ReportPlots.of(found);
    for (ReportTable table : ReportTables.of(found)) {
      page.line("<h2>" + HtmlPage.escaped(table.title()) + "</h2>");
      page.line("<p>" + HtmlPage.escaped(table.note()) + "</p>");
      page.line("<table class=\"texts\">");
      row("th", table.header());
      table.rows().forEach(row -> row("td", row));
      page.line("</table>");
      ReportPlots.Plot plot = plots.get(table.title());
      if (plot != null) {
        page.line("<p>" + HtmlPage.escaped(plot.label()) + ".</p>");
        new RangePlot(page).draw(plot.label(), plot.lines());
      }
    }
    for (PartResult part : report.parts()) {
      if (!part.output().isEmpty()) {
        page.line("<h3>" + HtmlPage.escaped(part.part()) + " printed</h3>");
        page.line("<pre>" + HtmlPage.escaped(part.output()) + "</pre>");
      }
    }
    return page.end();
  }

  private void row(String tag, List<String> cells) {
    StringBuilder row = new StringBuilder("<tr>");
    for (String cell : cells) {
      row.append("<%s>%s</%s>".formatted(tag, HtmlPage.escaped(cell), tag));
    }
    page.line(row + "</tr>");
  }
}
