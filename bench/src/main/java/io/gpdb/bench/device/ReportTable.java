package io.gpdb.bench.device;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of a report: on a page or in a document.
 *
 * @param note a sentence above it
 */
record ReportTable(String title, String note, List<String> header, List<List<String>> rows) {
  String markdown() {
    StringBuilder text = new StringBuilder(note).append("\n\n");
    line(text, header);
    List<String> rule = new ArrayList<>();
    header.forEach(_ -> rule.add("---"));
    line(text, rule);
    rows.forEach(row -> line(text, row));
    return text.toString();
  }

  private static void line(StringBuilder text, List<String> cells) {
    for (String cell : cells) {
      text.append("| ").append(cell.replace("|", "\\|")).append(' ');
    }
    text.append("|\n");
  }
}
