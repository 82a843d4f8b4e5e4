package io.gpdb.bench.harness;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rows of text printed with aligned columns: the first column to the left, the rest right. */
public final class AlignedTable {
  private final List<List<String>> rows = new ArrayList<>();

  public AlignedTable(String... header) {
    rows.add(List.of(header));
  }

  public AlignedTable row(String... cells) {
    if (cells.length != rows.getFirst().size()) {
      throw new IllegalArgumentException(
          "row has " + cells.length + " cells, the header " + rows.getFirst().size());
    }
    rows.add(List.of(cells));
    return this;
  }

  public void print(PrintStream out) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int c = 0; c < columns; c++) {
        widths[c] = Math.max(widths[c], row.get(c).length());
      }
    }
    for (int r = 0; r < rows.size(); r++) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        String cell = rows.get(r).get(c);
        String pad = " ".repeat(widths[c] - cell.length());
        line.append(c == 0 ? cell + pad : "  " + pad + cell);
      }
      out.println(line.toString().stripTrailing());
      if (r == 0) {
        out.println("-".repeat(line.length()));
      }
    }
  }

  /** A number with three significant digits and a unit prefix: 1.53 M, 95.2 k, 12. */
  public static String scaled(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    double magnitude = Math.abs(value);
    if (magnitude >= 1e9) {
      return significant(value / 1e9) + " G";
    }
    if (magnitude >= 1e6) {
      return significant(value / 1e6) + " M";
    }
    return magnitude >= 1e4 ? significant(value / 1e3) + " k" : significant(value);
  }

  public static String significant(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    double magnitude = Math.abs(value);
    int decimals = magnitude >= 100 || magnitude == 0 ? 0 : magnitude >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
