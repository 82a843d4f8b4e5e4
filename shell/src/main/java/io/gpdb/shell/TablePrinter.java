package io.gpdb.shell;

import java.io.PrintWriter;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jline.utils.WCWidth;

/**
 * Aligned columns, numbers to the right. Widths come from the first {@value #MEASURED_ROWS} rows,
 * so that a result of any length prints as it is read. A table wider than the terminal prints one
 * row below the other, a line for each column.
 */
final class TablePrinter implements ResultPrinter {
  static final int MEASURED_ROWS = 1000;
  private static final String NULL = "NULL";

  private final int widthMax;

  TablePrinter(int widthMax) {
    this.widthMax = widthMax;
  }

  @Override
  public long print(ResultSet rows, PrintWriter out) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    int count = columns.getColumnCount();
    String[] names = new String[count];
    boolean[] right = new boolean[count];
    int[] widths = new int[count];
    for (int i = 0; i < count; i++) {
      names[i] = oneLine(columns.getColumnLabel(i + 1));
      right[i] = ResultPrinter.isNumber(columns, i + 1);
      widths[i] = width(names[i]);
    }
    List<String[]> measured = new ArrayList<>();
    while (measured.size() < MEASURED_ROWS && rows.next()) {
      String[] row = row(rows, count);
      for (int i = 0; i < count; i++) {
        widths[i] = Math.max(widths[i], width(row[i]));
      }
      measured.add(row);
    }
    if (count > 1 && widthMax > 0 && total(widths) > widthMax) {
      return printRecords(rows, names, measured, out);
    }
    printHead(names, widths, right, out);
    for (String[] row : measured) {
      printRow(row, widths, right, out);
    }
    long printed = measured.size();
    while (rows.next()) {
      printRow(row(rows, count), widths, right, out);
      printed++;
    }
    return printed;
  }

  private static String[] row(ResultSet rows, int count) throws SQLException {
    String[] row = new String[count];
    for (int i = 0; i < count; i++) {
      String value = rows.getString(i + 1);
      // The text of a plan in the only column keeps its lines.
      row[i] = value == null ? NULL : count == 1 ? value : oneLine(value);
    }
    return row;
  }

  /** Control characters would break the columns; they show as escapes. */
  private static String oneLine(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ') {
        return text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t");
      }
    }
    return text;
  }

  private static int total(int[] widths) {
    int total = 0;
    for (int width : widths) {
      total += width + 3;
    }
    return total - 1;
  }

  private static void printHead(String[] names, int[] widths, boolean[] right, PrintWriter out) {
    printRow(names, widths, right, out);
    for (int i = 0; i < names.length; i++) {
      out.print(i == 0 ? "-" : "-+-");
      out.print("-".repeat(widths[i]));
    }
    out.print("-\n");
  }

  private static void printRow(String[] row, int[] widths, boolean[] right, PrintWriter out) {
    if (row.length == 1) {
      row[0].lines().forEach(line -> out.print(" " + pad(line, widths[0], right[0], true) + "\n"));
      if (row[0].isEmpty()) {
        out.print("\n");
      }
      return;
    }
    for (int i = 0; i < row.length; i++) {
      out.print(i == 0 ? " " : " | ");
      out.print(pad(row[i], widths[i], right[i], i == row.length - 1));
    }
    out.print('\n');
  }

  private static String pad(String text, int width, boolean right, boolean last) {
    int missing = width - width(text);
    if (missing <= 0 || (last && !right)) {
      return text;
    }
    return right ? " ".repeat(missing) + text : text + " ".repeat(missing);
  }

  private static long printRecords(
      ResultSet rows, String[] names, List<String[]> measured, PrintWriter out)
      throws SQLException {
    int width = 0;
    for (String name : names) {
      width = Math.max(width, width(name));
    }
    long printed = 0;
    for (String[] row : measured) {
      printRecord(++printed, row, names, width, out);
    }
    while (rows.next()) {
      printRecord(++printed, row(rows, names.length), names, width, out);
    }
    return printed;
  }

  private static void printRecord(
      long number, String[] row, String[] names, int width, PrintWriter out) {
    out.print("-- row " + number + " " + "-".repeat(Math.max(width, 8)) + "\n");
    for (int i = 0; i < row.length; i++) {
      out.print(pad(names[i], width, true, false) + " | " + row[i] + "\n");
    }
  }

  /** Columns of a terminal that the widest line of the text takes. */
  static int width(String text) {
    int widest = 0;
    int width = 0;
    int at = 0;
    while (at < text.length()) {
      int c = text.codePointAt(at);
      if (c == '\n') {
        widest = Math.max(widest, width);
        width = 0;
      } else {
        width += Math.max(WCWidth.wcwidth(c), 0);
      }
      at += Character.charCount(c);
    }
    return Math.max(widest, width);
  }

  @Override
  public boolean isForPeople() {
    return true;
  }
}
