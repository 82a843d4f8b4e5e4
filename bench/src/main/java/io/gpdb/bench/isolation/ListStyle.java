package io.gpdb.bench.isolation;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** How lists are kept in tables: every append and every read is one statement. */
enum ListStyle {
  /** A row for each element, its position the number of rows before it. */
  ROWS(
      "CREATE TABLE IF NOT EXISTS list_rows"
          + " (k INTEGER, position BIGINT, element INTEGER, PRIMARY KEY (k, position))",
      "DELETE FROM list_rows",
      "",
      "INSERT INTO list_rows SELECT CAST(? AS INTEGER), COUNT(*), CAST(? AS INTEGER) FROM list_rows"
          + " WHERE k = ?",
      "SELECT element FROM list_rows WHERE k = ? ORDER BY position") {
    @Override
    void append(Connection connection, int key, int element) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(appendSql())) {
        statement.setInt(1, key);
        statement.setInt(2, element);
        statement.setInt(3, key);
        requireOne(statement.executeUpdate());
      }
    }

    @Override
    List<Integer> read(Connection connection, int key) throws SQLException {
      List<Integer> elements = new ArrayList<>();
      try (PreparedStatement statement = connection.prepareStatement(readSql())) {
        statement.setInt(1, key);
        try (ResultSet rows = statement.executeQuery()) {
          while (rows.next()) {
            elements.add(rows.getInt(1));
          }
        }
      }
      return elements;
    }
  },

  /** A text for each list, found by key: a look-up without kernels. */
  TEXT(
      "CREATE TABLE IF NOT EXISTS list_texts (k INTEGER PRIMARY KEY, v VARCHAR)",
      "DELETE FROM list_texts",
      "INSERT INTO list_texts VALUES (?, '')",
      "UPDATE list_texts SET v = v || ? WHERE k = ?",
      "SELECT v FROM list_texts WHERE k = ?"),

  /** A text for each list, found by scanning all. */
  SCANNED_TEXT(
      "CREATE TABLE IF NOT EXISTS list_texts (k INTEGER PRIMARY KEY, v VARCHAR)",
      "DELETE FROM list_texts",
      "INSERT INTO list_texts VALUES (?, '')",
      "UPDATE list_texts SET v = v || ? WHERE k + 0 = ?",
      "SELECT v FROM list_texts WHERE k + 0 = ?");

  private final String createSql;
  private final String clearSql;
  private final String emptySql;
  private final String appendSql;
  private final String readSql;

  ListStyle(String createSql, String clearSql, String emptySql, String appendSql, String readSql) {
    this.createSql = createSql;
    this.clearSql = clearSql;
    this.emptySql = emptySql;
    this.appendSql = appendSql;
    this.readSql = readSql;
  }

  /** One after the other, from round to round. */
  static ListStyle inTurn(long round) {
    List<ListStyle> all = List.of(values());
    return all.get(Math.floorMod(round, all.size()));
  }

  String appendSql() {
    return appendSql;
  }

  String readSql() {
    return readSql;
  }

  /** Makes the empty lists anew. */
  void create(Connection connection, int keys) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(createSql);
      statement.execute(clearSql);
    }
    for (int key = 0; !emptySql.isEmpty() && key < keys; key++) {
      try (PreparedStatement statement = connection.prepareStatement(emptySql)) {
        statement.setInt(1, key);
        requireOne(statement.executeUpdate());
      }
    }
  }

  private static void requireOne(int count) {
    if (count != 1) {
      throw new IllegalStateException("a list was changed " + count + " times by one append");
    }
  }

  void append(Connection connection, int key, int element) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(appendSql)) {
      statement.setString(1, element + " ");
      statement.setInt(2, key);
      requireOne(statement.executeUpdate());
    }
  }

  List<Integer> read(Connection connection, int key) throws SQLException {
    List<Integer> elements = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(readSql)) {
      statement.setInt(1, key);
      try (ResultSet rows = statement.executeQuery()) {
        requireOne(rows.next() ? 1 : 0);
        for (String element : rows.getString(1).split(" ", -1)) {
          if (!element.isEmpty()) {
            elements.add(Integer.valueOf(element));
          }
        }
      }
    }
    return elements;
  }
}
