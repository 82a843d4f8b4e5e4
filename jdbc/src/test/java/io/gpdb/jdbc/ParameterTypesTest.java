package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which type a parameter has, where its place in the text says so and where it does not. */
class ParameterTypesTest {
  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    database = new TestDatabase();
    connection = database.connection();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  @Test
  void theTypeOfAValueDecidesWhereTheTextDoesNot() throws SQLException {
    try (PreparedStatement select = connection.prepareStatement("SELECT ?, ?")) {
      select.setString(1, "text");
      select.setInt(2, 5);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("text");
        assertThat(row.getInt(2)).isEqualTo(5);
      }
      select.setDouble(1, 1.5);
      select.setNull(2, Types.OTHER);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        assertThat(row.getDouble(1)).isEqualTo(1.5);
        assertThat(row.getObject(2)).isNull();
      }
    }
  }

  @Test
  void aParameterInArithmeticTakesTheTypeOfItsValue() throws SQLException {
    try (PreparedStatement divided =
        connection.prepareStatement(
            "SELECT n FROM (VALUES (4), (8)) AS x (n) WHERE ? / n > 1 AND (? + n) / ? < 5")) {
      divided.setInt(1, 10);
      divided.setInt(2, 1);
      divided.setDouble(3, 1.5);
      assertThat(numbers(divided)).containsExactly(4);
      divided.setDouble(1, 10.5);
      divided.setDouble(3, 2);
      assertThat(numbers(divided)).containsExactly(4, 8);
    }
  }

  @Test
  void aValueIsRoundedWhereItIsStoredAndExactWhereItIsCompared() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE rounded (i INTEGER PRIMARY KEY, p DECIMAL(5, 2), d DATE)");
    }
    try (PreparedStatement insert =
            connection.prepareStatement("INSERT INTO rounded VALUES (?, ?, ?)");
        PreparedStatement update =
            connection.prepareStatement("UPDATE rounded SET p = ? WHERE i = ?");
        PreparedStatement above = connection.prepareStatement("SELECT i FROM rounded WHERE i > ?");
        PreparedStatement times =
            connection.prepareStatement("SELECT i FROM rounded WHERE p * ? > 1");
        PreparedStatement cast =
            connection.prepareStatement(
                "SELECT i FROM rounded WHERE i > CAST(? AS DECIMAL(3, 1))");
        PreparedStatement since =
            connection.prepareStatement("SELECT i FROM rounded WHERE d >= ?")) {
      insert.setDouble(1, 0.7);
      insert.setBigDecimal(2, new BigDecimal("1.235"));
      insert.setTimestamp(3, Timestamp.valueOf("2001-01-02 10:00:00"));
      insert.executeUpdate();
      update.setBigDecimal(1, new BigDecimal("1.235"));
      update.setDouble(2, 0.5);
      assertThat(update.executeUpdate()).isZero();
      update.setDouble(2, 1.0);
      assertThat(update.executeUpdate()).isOne();
      above.setDouble(1, 0.5);
      assertThat(numbers(above)).containsExactly(1);
      above.setString(1, "1.5");
      assertThat(numbers(above)).isEmpty();
      times.setBigDecimal(1, new BigDecimal("0.805")); // takes its value's type
      assertThat(numbers(times)).isEmpty();
      since.setTimestamp(1, Timestamp.valueOf("2001-01-01 10:00:00"));
      assertThat(numbers(since)).containsExactly(1);
      since.setTimestamp(1, Timestamp.valueOf("2001-01-02 10:00:00"));
      assertThat(numbers(since)).isEmpty();
      cast.setDouble(1, 0.5);
      assertThat(numbers(cast)).containsExactly(1);
    }
  }

  /** Every argument is a parameter, whose type follows from the function alone. */
  @Test
  void functionsOfParametersAloneRunAsWithLiterals() throws SQLException {
    List<List<Object>> calls =
        List.of(
            List.of("LEFT(?, ?)", "ab", "abc", 2),
            List.of("{fn RIGHT(?, ?)}", "bc", "abc", 2),
            List.of("SUBSTRING(? FROM ?)", "bc", "abc", 2),
            List.of("SUBSTRING(? FROM ? FOR ?)", "b", "abc", 2, 1),
            List.of("SUBSTR(?, ?, ?)", "b", "abc", 2, 1),
            List.of("REPEAT(?, ?)", "abab", "ab", 2),
            List.of("LPAD(?, ?, ?)", "xxb", "b", 3, "x"),
            List.of("RPAD(?, ?)", "a  ", "a", 3),
            List.of("OVERLAY(? PLACING ? FROM ? FOR ?)", "axyc", "abc", "xy", 2, 1),
            List.of("LOCATE(?, ?, ?)", "4", "b", "abcb", 3),
            List.of("STARTS_WITH('abc', ?)", "TRUE", "ab"),
            List.of("ENDS_WITH('abc', ?)", "TRUE", "bc"),
            List.of("ENDS_WITH(?, ?)", "FALSE", "abc", "b"),
            List.of("SUBSTRING('abc', ?, ?) || REPLACE('abc', ?, ?)", "bxbc", 2, 1, "a", "x"),
            List.of("POSITION(? IN LEFT('abc', ?)) + POSITION(? IN 'abc')", "3", "b", 2, "a"),
            List.of("{fn ROUND(?, ?)}", "2.5", 2.46, 1));
    for (List<Object> call : calls) {
      try (PreparedStatement query = connection.prepareStatement("SELECT " + call.get(0))) {
        for (int i = 2; i < call.size(); i++) {
          query.setObject(i - 1, call.get(i));
        }
        try (ResultSet row = query.executeQuery()) {
          row.next();
          assertThat(row.getString(1)).as("%s", call).isEqualTo(call.get(1));
        }
      }
    }
  }

  @Test
  void aParameterAloneOrdersNothing() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE o (a INTEGER, b INTEGER)");
      statement.execute("INSERT INTO o VALUES (1, 2), (2, 1)");
    }
    for (String sql :
        List.of(
            "SELECT a FROM o ORDER BY ?, a DESC",
            "SELECT a FROM o ORDER BY ? DESC NULLS LAST, b",
            "SELECT DISTINCT a FROM o ORDER BY ?, 1 DESC",
            "SELECT a FROM o UNION SELECT b FROM o ORDER BY ?, 1 DESC",
            "SELECT a FROM o GROUP BY a ORDER BY ?, COUNT(*), -a",
            "SELECT a FROM (SELECT a FROM o ORDER BY ?) q ORDER BY a DESC")) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        for (Object value : new Object[] {1, "x", null}) {
          statement.setObject(1, value);
          List<Integer> found = new ArrayList<>();
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              found.add(rows.getInt(1));
            }
          }
          assertThat(found).as(sql + " of " + value).containsExactly(2, 1);
        }
      }
    }
  }

  private static List<Integer> numbers(PreparedStatement query) throws SQLException {
    List<Integer> numbers = new ArrayList<>();
    try (ResultSet rows = query.executeQuery()) {
      while (rows.next()) {
        numbers.add(rows.getInt(1));
      }
    }
    return numbers;
  }
}
