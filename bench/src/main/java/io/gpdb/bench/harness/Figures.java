package io.gpdb.bench.harness;

import java.io.PrintStream;
import java.util.List;

/**
 * A report of single figures, as a table, as JSON, and as one HTML page with a plot for each
 * section.
 *
 * @param notes what else a reader must know
 */
public record Figures(String title, String machine, List<String> notes, List<Figure> figures) {

  /**
   * One figure.
   *
   * @param section those of one section have one unit and are drawn together
   */
  public record Figure(
      String section, String name, String unit, boolean higherIsBetter, Spread spread) {}

  private List<String> sections() {
    return figures.stream().map(Figure::section).distinct().toList();
  }

  private List<Figure> of(String section) {
    return figures.stream().filter(figure -> figure.section().equals(section)).toList();
  }

  /** As a table. */
  public void print(PrintStream out) {
    AlignedTable table = new AlignedTable(title, "median", "min", "max", "unit");
    for (String section : sections()) {
      table.row(section, "", "", "", "");
      for (Figure figure : of(section)) {
        table.row(
            "  " + figure.name(),
            AlignedTable.scaled(figure.spread().median()),
            AlignedTable.scaled(figure.spread().min()),
            AlignedTable.scaled(figure.spread().max()),
            figure.unit());
      }
    }
    table.print(out);
    notes.forEach(out::println);
  }

  public String html() {
    HtmlPage page = new HtmlPage(title);
    page.line(
        "<p>%s. A dot is the median, a line reaches from the least to the greatest. Axes are logarithmic.</p>"
            .formatted(HtmlPage.escaped(machine)));
    notes.forEach(note -> page.line("<p>%s</p>".formatted(HtmlPage.escaped(note))));
    for (String section : sections()) {
      List<Figure> shown = of(section);
      page.line(
          "<h3>%s <span>[%s, %s is better]</span></h3>"
              .formatted(
                  HtmlPage.escaped(section),
                  HtmlPage.escaped(shown.getFirst().unit()),
                  shown.getFirst().higherIsBetter() ? "more" : "less"));
      new RangePlot(page)
          .draw(
              section,
              shown.stream()
                  .map(f -> new RangePlot.Line(f.name(), RangePlot.OURS, f.spread(), Double.NaN))
                  .toList());
    }
    return page.end();
  }
}
