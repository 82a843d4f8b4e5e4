package io.gpdb.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Figures of several contestants as a picture (SVG): a line for each, on one logarithmic axis; a
 * dot is the median, a line reaches from the least to the greatest value, a ring is the first run.
 */
public final class RangePlot {
  public static final String OURS = "#1f5fbf";
  public static final String OTHER = "#444";
  public static final String ASIDE = "#aaa";

  private static final int NAME_WIDTH = 200;
  private static final int LETTER_WIDTH = 7;
  private static final int PLOT_WIDTH = 430;
  private static final int VALUE_WIDTH = 150;
  private static final int LINE_HEIGHT = 20;

  /** A picture of its own has none of a page's styles, and may be shown on a dark page. */
  private static final String ALONE =
      """
      <style>text { font: 12px system-ui, sans-serif; fill: #333; } .axis { fill: #777; }</style>
      <rect width="100%" height="100%" fill="#fff"/>\
      """;

  private final Consumer<String> page;
  private final int nameWidth;

  /** Draws on the page. */
  public RangePlot(HtmlPage page) {
    this(page::line, NAME_WIDTH);
  }

  private RangePlot(Consumer<String> page, int nameWidth) {
    this.page = page;
    this.nameWidth = nameWidth;
  }

  /** A file of its own, with room for the names; empty where there are no lines. */
  public static String alone(String label, List<Line> lines) {
    int longest = lines.stream().mapToInt(line -> line.name().length()).max().orElse(0);
    StringBuilder picture = new StringBuilder();
    RangePlot plot =
        new RangePlot(
            line -> picture.append(line).append('\n'),
            Math.max(NAME_WIDTH, LETTER_WIDTH * longest));
    plot.draw(label, lines, " xmlns=\"http://www.w3.org/2000/svg\"", ALONE);
    return picture.toString();
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
    draw(label, lines, "", "");
  }

  private void draw(String label, List<Line> lines, String attributes, String first) {
    if (lines.isEmpty()) {
      return;
    }
    List<Double> values = new ArrayList<>();
    lines.forEach(line -> values.addAll(line.values()));
    LogAxis axis = new LogAxis(values, PLOT_WIDTH);
    int height = LINE_HEIGHT * (lines.size() + 1);
    line(
        "<svg width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"%s\"%s>%s"
            .formatted(
                nameWidth + PLOT_WIDTH + VALUE_WIDTH,
                height,
                HtmlPage.escaped(label),
                attributes,
                first));
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
            .formatted(nameWidth - 8, y + 4, HtmlPage.escaped(shown.name())));
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
                nameWidth + PLOT_WIDTH + 12, y + 4, AlignedTable.scaled(spread.median()), first));
  }

  private String place(LogAxis axis, double value) {
    return String.format(Locale.ROOT, "%.1f", nameWidth + axis.place(value));
  }

  private void line(String text) {
    page.accept(text);
  }
}
