package io.gpdb.shell;

import java.io.PrintWriter;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** An array with an object for each row, one row a line. */
final class JsonPrinter implements ResultPrinter {
  @Override
  public long print(ResultSet rows, PrintWriter out) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    int count = columns.getColumnCount();
    String[] names = new String[count];
    boolean[] bare = new boolean[count];
    for (int i = 0; i < count; i++) {
      names[i] = quoted(columns.getColumnLabel(i + 1));
      bare[i] =
          ResultPrinter.isNumber(columns, i + 1) || columns.getColumnType(i + 1) == Types.BOOLEAN;
    }
    long printed = 0;
    out.print('[');
    while (rows.next()) {
      out.print(printed == 0 ? "\n{" : ",\n{");
      for (int i = 0; i < count; i++) {
        out.print(i == 0 ? "" : ",");
        out.print(names[i]);
        out.print(':');
        out.print(value(rows.getString(i + 1), bare[i]));
      }
      out.print('}');
      printed++;
    }
    out.print(printed == 0 ? "]\n" : "\n]\n");
    return printed;
  }

  /** NaN and the infinities are no numbers of JSON; they are written as text. */
  private static String value(@Nullable String text, boolean bare) {
    if (text == null) {
      return "null";
    }
    boolean special = text.endsWith("y") || text.endsWith("N");
    if (!bare || special) {
      return quoted(text);
    }
    return switch (text) {
      case "TRUE" -> "true";
      case "FALSE" -> "false";
      default -> text;
    };
  }

  static String quoted(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        default -> {
          if (c < ' ') {
            json.append(String.format("\\u%04x", (int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    return json.append('"').toString();
  }

  @Override
  public boolean isForPeople() {
    return false;
  }
}
