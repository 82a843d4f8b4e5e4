package io.gpdb.shell;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The comments on a table or view, and on its columns. */
final class SchemaComments {
  private SchemaComments() {}

  static List<String> of(Connection connection, String schema, String name, boolean view)
      throws SQLException {
    List<String> statements = new ArrayList<>();
    try (PreparedStatement comments =
        connection.prepareStatement(
            "SELECT 0, '', remarks FROM INFORMATION_SCHEMA.TABLES"
                + " WHERE table_schema = ? AND table_name = ? AND remarks IS NOT NULL"
                + " UNION ALL SELECT ordinal_position, column_name, remarks"
                + " FROM INFORMATION_SCHEMA.COLUMNS"
                + " WHERE table_schema = ? AND table_name = ? AND remarks IS NOT NULL"
                + " ORDER BY 1")) {
      for (int i = 0; i < 2; i++) {
        comments.setString(2 * i + 1, schema);
        comments.setString(2 * i + 2, name);
      }
      try (ResultSet rows = comments.executeQuery()) {
        while (rows.next()) {
          String target =
              rows.getInt(1) == 0
                  ? (view ? "VIEW " : "TABLE ") + Words.readable(name)
                  : "COLUMN " + Words.readable(name) + "." + Words.readable(rows.getString(2));
          String text = rows.getString(3).replace("'", "''");
          statements.add("COMMENT ON " + target + " IS '" + text + "';");
        }
      }
    }
    return statements;
  }
}
