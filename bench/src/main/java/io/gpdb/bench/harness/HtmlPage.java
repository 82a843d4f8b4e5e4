package io.gpdb.bench.harness;

/** A report as one HTML page that needs nothing else, written line by line. */
public final class HtmlPage {
  private static final String STYLE =
      """
      body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; color: #1c1c1c; background: #fff; }
      h1 { font-size: 1.5em; } h2 { font-size: 1.2em; margin-top: 2em; border-bottom: 1px solid #ccc; }
      h3 { font-size: 1em; margin: 1.4em 0 .2em; } h3 span { font-weight: normal; color: #666; }
      table { border-collapse: collapse; margin: .8em 0; } td, th { padding: .15em .8em .15em 0; text-align: right; border-bottom: 1px solid #e4e4e4; }
      td:first-child, th:first-child, .texts td, .texts th { text-align: left; } .worse { color: #a4332a; } .better { color: #1d6b3a; } .note { color: #666; font-size: .9em; }
      svg text { font: 12px system-ui, sans-serif; fill: #333; } svg .axis { fill: #777; }
      """;

  private final StringBuilder page = new StringBuilder();

  public HtmlPage(String title) {
    line("<!DOCTYPE html>");
    line(
        "<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>"
            .formatted(escaped(title)));
    line("<style>" + STYLE + "</style></head><body>");
    line("<h1>" + escaped(title) + "</h1>");
  }

  public void line(String html) {
    page.append(html).append('\n');
  }

  /** The whole page. */
  public String end() {
    line("</body></html>");
    return page.toString();
  }

  /** A text as it is written between tags and in attributes. */
  public static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
