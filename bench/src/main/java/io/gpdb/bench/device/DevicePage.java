package io.gpdb.bench.device;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpdb.bench.harness.HtmlPage;
import java.util.List;

/** A report as one HTML page that needs nothing else. */
final class DevicePage {
  private final DeviceReport report;
  private final HtmlPage page = new HtmlPage("gpDB on a GPU");

  DevicePage(DeviceReport report) {
    this.report = report;
  }

  String html() {
    for (ReportTable table : ReportTables.of(new ObjectMapper().valueToTree(report))) {
      page.line("<h2>" + HtmlPage.escaped(table.title()) + "</h2>");
      page.line("<p>" + HtmlPage.escaped(table.note()) + "</p>");
      page.line("<table class=\"texts\">");
      row("th", table.header());
      table.rows().forEach(row -> row("td", row));
      page.line("</table>");
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
