package io.gpdb.shell;

import java.io.PrintWriter;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** RFC 4180 with a header; NULL is an empty field and the empty string is "". */
final class CsvPrinter implements ResultPrinter {
  @Override
  public long print(ResultSet rows, PrintWriter out) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    int count = columns.getColumnCount();
    for (int i = 1; i <= count; i++) {
      write(out, i, columns.getColumnLabel(i));
    }
    out.print('\n');
    long printed = 0;
    while (rows.next()) {
      for (int i = 1; i <= count; i++) {
        write(out, i, rows.getString(i));
      }
      out.print('\n');
      printed++;
    }
    return printed;
  }

  private static void write(PrintWriter out, int column, @Nullable String value) {
    if (column > 1) {
      out.print(',');
    }
    if (value == null) {
      return;
    }
    boolean quoted = value.isEmpty() || value.chars().anyMatch(c -> ",\"\r\n".indexOf(c) >= 0);
    out.print(quoted ? '"' + value.replace("\"", "\"\"") + '"' : value);
  }

  @Override
  public boolean isForPeople() {
    return false;
  }
}
