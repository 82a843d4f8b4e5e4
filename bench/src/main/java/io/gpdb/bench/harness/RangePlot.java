package io.gpdb.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Figures of several contestants as a picture (SVG): a line for each, on one logarithmic axis; a
 * dot is the median, a line reaches from the least to the greatest value, a ring is the first run.
 */
public final class RangePlot {
  public static final String OURS = "#1f5fbf";
  public static final String OTHER = "#444";
  public static final String ASIDE = "#aaa";

  private static final int NAME_WIDTH = 200;
  private static final int PLOT_WIDTH = 430;
  private static final int VALUE_WIDTH = 150;
  private static final int LINE_HEIGHT = 20;

  private final HtmlPage page;

  /** Draws on the page. */
  public RangePlot(HtmlPage page) {
    this.page = page;
  }

  /**
   * One contestant.
   *
   * @param first NaN where there is no first run apart
   */
  public record Line(String name, String colour, Spread spread, double first) {
    private List<Double> values() {
      return Double.isNaN(first)
          ? List.of(spread.min(), spread.max())
          : List.of(spread.min(), spread.max(), first);
    }
  }

  /** Nothing where there are no lines. */
  public void draw(String label, List<Line> lines) {
    if (lines.isEmpty()) {
      return;
    }
    List<Double> values = new ArrayList<>();
    lines.forEach(line -> values.addAll(line.values()));
    LogAxis axis = new LogAxis(values, PLOT_WIDTH);
    int height = LINE_HEIGHT * (lines.size() + 1);
    line(
        "<svg width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"%s\">"
            .formatted(NAME_WIDTH + PLOT_WIDTH + VALUE_WIDTH, height, HtmlPage.escaped(label)));
    for (double tick : axis.ticks()) {
      String x = place(axis, tick);
      line(
          "<line x1=\"%s\" x2=\"%s\" y1=\"0\" y2=\"%d\" stroke=\"#e4e4e4\"/>"
              .formatted(x, x, height - LINE_HEIGHT));
      line(
          "<text class=\"axis\" x=\"%s\" y=\"%d\" text-anchor=\"middle\">%s</text>"
              .formatted(x, height - 5, AlignedTable.scaled(tick)));
    }
    for (int i = 0; i < lines.size(); i++) {
      draw(lines.get(i), axis, LINE_HEIGHT * i + LINE_HEIGHT / 2);
    }
    line("</svg>");
  }

  private void draw(Line shown, LogAxis axis, int y) {
    Spread spread = shown.spread();
    line(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
            .formatted(NAME_WIDTH - 8, y + 4, HtmlPage.escaped(shown.name())));
    line(
        "<line x1=\"%s\" x2=\"%s\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>"
            .formatted(place(axis, spread.min()), place(axis, spread.max()), y, y, shown.colour()));
    line(
        "<circle cx=\"%s\" cy=\"%d\" r=\"4\" fill=\"%s\"/>"
            .formatted(place(axis, spread.median()), y, shown.colour()));
    String first = "";
    if (!Double.isNaN(shown.first())) {
      line(
          "<circle cx=\"%s\" cy=\"%d\" r=\"4\" fill=\"none\" stroke=\"%s\"/>"
              .formatted(place(axis, shown.first()), y, shown.colour()));
      first = " (first " + AlignedTable.scaled(shown.first()) + ")";
    }
    line(
        "<text x=\"%d\" y=\"%d\">%s%s</text>"
            .formatted(
                NAME_WIDTH + PLOT_WIDTH + 12, y + 4, AlignedTable.scaled(spread.median()), first));
  }

  private static String place(LogAxis axis, double value) {
    return String.format(Locale.ROOT, "%.1f", NAME_WIDTH + axis.place(value));
  }

  private void line(String text) {
    page.line(text);
  }
}
