package io.gpdb.bench.harness;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** The counters of an open database, as INFORMATION_SCHEMA.GPDB_STATISTICS returns them. */
public record Statistics(Map<String, Long> values) {
  public static Statistics read(Connection connection) throws SQLException {
    Map<String, Long> values = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT statistic_name, statistic_value"
                    + " FROM information_schema.gpdb_statistics")) {
      while (rows.next()) {
        values.put(rows.getString(1), rows.getLong(2));
      }
    }
    return new Statistics(values);
  }

  public long value(String name) {
    Long value = values.get(name);
    if (value == null) {
      throw new IllegalStateException("no statistic named " + name + " in " + values.keySet());
    }
    return value;
  }

  public long since(Statistics earlier, String name) {
    return value(name) - earlier.value(name);
  }

  public static String setting(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW " + name)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
