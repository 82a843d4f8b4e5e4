package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values compared with columns whose types do not hold them. */
class ComparedParametersTest {
  private static final List<String> OPERATORS = List.of("<", "<=", "=", "<>", ">=", ">");

  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database = new TestDatabase();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  /** Each value is compared with each other's neighbourhood, from both sides and negated. */
  @ParameterizedTest
  @CsvSource({
    "SMALLINT, 0.5, 32767, 32768",
    "INTEGER, 0.25, 2147483647, 2147483648",
    "BIGINT, 0.5, 9223372036854775807, 9223372036854775808",
    "'DECIMAL(18, 0)', 0.5, 999999999999999999, 1000000000000000000",
    "'DECIMAL(5, 2)', 0.125, 999.99, 1000",
  })
  void comparisonsAreThoseOfMathematics(String type, String part, String greatest, String beyond)
      throws SQLException {
    BigDecimal edge = new BigDecimal(greatest);
    List<BigDecimal> held = List.of(edge.negate(), BigDecimal.ONE.negate(), BigDecimal.ZERO, edge);
    database.execute("CREATE TABLE compared (k INTEGER PRIMARY KEY, x " + type + ")");
    for (int i = 0; i < held.size(); i++) {
      database.execute("INSERT INTO compared VALUES (" + i + ", " + held.get(i) + ")");
    }
    database.execute("INSERT INTO compared VALUES (9, NULL)");
    List<BigDecimal> values = new ArrayList<>(held);
    BigDecimal fraction = new BigDecimal(part);
    held.forEach(value -> values.add(value.add(fraction)));
    values.add(new BigDecimal(beyond));
    values.add(new BigDecimal(beyond).negate().subtract(BigDecimal.ONE));
    values.add(new BigDecimal("1e999999999"));
    values.add(new BigDecimal("-1e999999999"));
    values.add(new BigDecimal("1e-999999999"));
    for (String operator : OPERATORS) {
      compare("SELECT k FROM compared WHERE x " + operator + " ?", operator, 1, held, values);
      compare("SELECT k FROM compared WHERE ? " + operator + " x", operator, -1, held, values);
      compare("SELECT k FROM compared WHERE NOT x " + operator + " ?", operator, 0, held, values);
    }
  }

  private void compare(
      String sql, String operator, int side, List<BigDecimal> held, List<BigDecimal> values)
      throws SQLException {
    try (PreparedStatement query = database.connection().prepareStatement(sql)) {
      for (BigDecimal value : values) {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
          int order = held.get(i).compareTo(value);
          if (holds(operator, side == -1 ? -order : order) == (side != 0)) {
            expected.add(String.valueOf(i));
          }
        }
        query.setBigDecimal(1, value);
        assertThat(TestDatabase.rows(query.executeQuery()))
            .as("%s with %s", sql, value)
            .containsExactlyElementsOf(expected);
      }
    }
  }

  private static boolean holds(String operator, int order) {
    return switch (operator) {
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case "=" -> order == 0;
      case "<>" -> order != 0;
      case ">=" -> order >= 0;
      default -> order > 0;
    };
  }

  @Test
  void everySetterMayGiveAValueThatTheColumnDoesNotHold() throws SQLException {
    database.execute("CREATE TABLE t (i INTEGER PRIMARY KEY, d DATE)");
    database.execute("INSERT INTO t VALUES (0, DATE '2001-01-02'), (1, NULL)");
    try (PreparedStatement query =
        database.connection().prepareStatement("SELECT count(*) FROM t WHERE i > ?")) {
      query.setDouble(1, 0.5);
      assertThat(TestDatabase.rows(query.executeQuery())).containsExactly("1");
      query.setLong(1, -1L << 40);
      assertThat(TestDatabase.rows(query.executeQuery())).containsExactly("2");
      query.setFloat(1, Float.POSITIVE_INFINITY);
      assertThat(TestDatabase.rows(query.executeQuery())).containsExactly("0");
      query.setString(1, "-0.5");
      assertThat(TestDatabase.rows(query.executeQuery())).containsExactly("2");
      query.setInt(1, 0);
      assertThat(TestDatabase.rows(query.executeQuery())).containsExactly("1");
      query.setObject(1, null);
      assertThat(TestDatabase.rows(query.executeQuery())).containsExactly("0");
    }
    try (PreparedStatement query =
        database
            .connection()
            .prepareStatement("SELECT i FROM t WHERE d < ? AND i IN (?, ?) AND ? IS NOT NULL")) {
      query.setTimestamp(1, Timestamp.valueOf("2001-01-02 00:00:01"));
      query.setDouble(2, 0.0);
      query.setDouble(3, 0.5);
      query.setString(4, "open");
      assertThat(TestDatabase.rows(query.executeQuery())).containsExactly("0");
    }
  }

  @Test
  void changesByAKeyThatTheColumnDoesNotHoldTouchNoRow() throws SQLException {
    database.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER)");
    database.execute("INSERT INTO t VALUES (0, 0), (1, 1), (2, 2), (2147483647, 3), (-1, 4)");
    for (String sql :
        List.of("UPDATE t SET v = v + 100 WHERE k = ?", "DELETE FROM t WHERE k = ?")) {
      try (PreparedStatement change = database.connection().prepareStatement(sql)) {
        for (Number key : List.of(1, 0.5, 1L << 32, Long.MAX_VALUE, -0.5, 2)) {
          change.setObject(1, key);
          change.addBatch();
        }
        assertThat(change.executeBatch()).containsExactly(1, 0, 0, 0, 0, 1);
        change.setInt(1, 2147483647);
        change.addBatch();
        assertThat(change.executeBatch()).containsExactly(1);
        change.setLong(1, -1L);
        assertThat(change.executeUpdate()).isOne();
        change.setDouble(1, 0.4);
        assertThat(change.executeUpdate()).isZero();
      }
    }
    assertThat(database.rows("SELECT k, v FROM t")).containsExactly("0|0");
  }

  @Test
  void aValueThatIsMoreThanComparedIsTakenAsItIs() throws SQLException {
    database.execute("CREATE TABLE t (k INTEGER PRIMARY KEY)");
    database.execute("INSERT INTO t VALUES (0), (1)");
    try (PreparedStatement query =
        database
            .connection()
            .prepareStatement("SELECT k FROM t WHERE k IS DISTINCT FROM ? ORDER BY k")) {
      query.setDouble(1, 0.5);
      assertThat(TestDatabase.rows(query.executeQuery())).containsExactly("0", "1");
      query.setDouble(1, 1.0);
      assertThat(TestDatabase.rows(query.executeQuery())).containsExactly("0");
    }
  }

  @Test
  void aTextParameterBesideAValueOfAnotherKindIsConverted() throws SQLException {
    for (String compared :
        List.of("? = ?", "? < ?", "? IS DISTINCT FROM ?", "CASE ? WHEN ? THEN TRUE END")) {
      String sql = "SELECT 1 FROM (VALUES (0)) t (x) WHERE " + compared;
      assertThat(outcome(sql, 1, "x")).as(compared).isEqualTo("22018");
      assertThat(outcome(sql, "x", true)).as(compared).isEqualTo("22018");
      assertThat(outcome(sql, LocalDate.of(2001, 1, 1), "x")).as(compared).isEqualTo("22007");
    }
    assertThat(outcome("SELECT 1 FROM (VALUES (0)) t (x) WHERE ? = ?", 1.5, "1.50")).isEqualTo("1");
    assertThat(outcome("SELECT 1 FROM (VALUES (0)) t (x) WHERE ? IS DISTINCT FROM ?", 1, null))
        .isEqualTo("1");
    assertThat(outcome("SELECT CONCAT('12', ?, NULL) FROM (VALUES (0)) t (x) WHERE ? = 1", 5, 1))
        .isNull();
  }

  /** The first value, or the SQLSTATE. */
  private @Nullable String outcome(String sql, Object first, @Nullable Object second) {
    try (PreparedStatement statement = database.connection().prepareStatement(sql)) {
      statement.setObject(1, first);
      statement.setObject(2, second);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getString(1) : "no row";
      }
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }
}
