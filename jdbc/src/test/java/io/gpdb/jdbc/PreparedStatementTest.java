package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.Date;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PreparedStatementTest {
  private static final String COLUMNS =
      "id INTEGER PRIMARY KEY, b BOOLEAN, s SMALLINT, l BIGINT, f REAL, d DOUBLE,"
          + " n DECIMAL(10, 2), dt DATE, tm TIME, ts TIMESTAMP, c CHAR(4), v VARCHAR(40),"
          + " x VARBINARY(40)";

  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    database = new TestDatabase("CREATE TABLE t (" + COLUMNS + ")");
    connection = database.connection();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private PreparedStatement insert() throws SQLException {
    return connection.prepareStatement("INSERT INTO t VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)");
  }

  @Test
  void typedSettersKeepEveryValue() throws SQLException {
    try (PreparedStatement insert = insert()) {
      insert.setInt(1, 7);
      insert.setBoolean(2, true);
      insert.setShort(3, (short) -3);
      insert.setLong(4, Long.MIN_VALUE);
      insert.setFloat(5, 1.5f);
      insert.setDouble(6, -0.1);
      insert.setBigDecimal(7, new BigDecimal("12345.67"));
      insert.setDate(8, Date.valueOf("2001-02-28"));
      insert.setTime(9, Time.valueOf("23:59:58"));
      insert.setTimestamp(10, Timestamp.valueOf("2001-01-01 00:01:00.123456"));
      insert.setString(11, "ab");
      insert.setString(12, "größer");
      insert.setBytes(13, new byte[] {0, -1, 127});
      assertThat(insert.executeUpdate()).isEqualTo(1);
    }
    assertThat(database.rows("SELECT * FROM t"))
        .containsExactly(
            "7|TRUE|-3|-9223372036854775808|1.5|-0.1|12345.67|2001-02-28|23:59:58"
                + "|2001-01-01 00:01:00.123456|ab  |größer|00ff7f");
  }

  @Test
  void aTimeBoundToAStringReadsAsItIsWritten() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (id, v) VALUES (?, ?)")) {
      Object[] values = {
        Timestamp.valueOf("2001-01-01 10:20:00"),
        Timestamp.valueOf("2001-01-01 00:00:00.5"),
        LocalTime.of(23, 59),
        LocalDate.of(2001, 2, 3)
      };
      for (int i = 0; i < values.length; i++) {
        insert.setInt(1, i);
        insert.setObject(2, values[i]);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    assertThat(database.rows("SELECT v FROM t ORDER BY id"))
        .containsExactly("2001-01-01 10:20:00", "2001-01-01 00:00:00.5", "23:59:00", "2001-02-03");
  }

  @Test
  void setObjectTakesTheTypesOfJava() throws SQLException {
    UUID id = UUID.randomUUID();
    try (PreparedStatement insert = insert()) {
      Object[] values = {
        7L,
        Boolean.FALSE,
        (byte) 3,
        BigInteger.TEN,
        2.5,
        3,
        new BigDecimal("1.005"),
        LocalDate.of(2024, 2, 29),
        LocalTime.of(1, 2, 3, 4_000),
        LocalDateTime.of(2024, 2, 29, 1, 2),
        'q',
        id,
        new byte[] {1}
      };
      for (int i = 0; i < values.length; i++) {
        insert.setObject(i + 1, values[i]);
      }
      insert.execute();
      assertThat(insert.getUpdateCount()).isEqualTo(1);
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM t")) {
      row.next();
      assertThat(row.getObject("n")).isEqualTo(new BigDecimal("1.01"));
      assertThat(row.getObject("dt", LocalDate.class)).isEqualTo("2024-02-29");
      assertThat(row.getObject("tm", LocalTime.class)).isEqualTo("01:02:03.000004");
      assertThat(row.getObject("ts", LocalDateTime.class)).isEqualTo("2024-02-29T01:02:00");
      assertThat(row.getObject("v", UUID.class)).isEqualTo(id);
      assertThat(row.getString("c")).isEqualTo("q   ");
      assertThat(row.getBigDecimal("l")).isEqualTo(BigDecimal.TEN);
    }
  }

  @Test
  void whateverTypeIsNamedNullIsNull() throws SQLException {
    int[] types = {
      Types.OTHER,
      Types.NULL,
      Types.BIGINT,
      Types.VARCHAR,
      Types.DATE,
      Types.BLOB,
      Types.REAL,
      Types.DECIMAL,
      Types.CHAR,
      Types.INTEGER,
      Types.TIME,
      Types.BOOLEAN
    };
    try (PreparedStatement insert = insert()) {
      insert.setInt(1, 1);
      for (int i = 0; i < types.length; i++) {
        insert.setNull(i + 2, types[i]);
      }
      insert.executeUpdate();
      insert.setInt(1, 2);
      insert.setString(12, null);
      insert.setObject(13, null);
      insert.setBigDecimal(7, null);
      insert.executeUpdate();
    }
    assertThat(database.rows("SELECT count(*), count(b), count(v), count(x), count(n) FROM t"))
        .containsExactly("2|0|0|0|0");
  }

  @Test
  void streamsAreReadToTheirEndOrLength() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (id, v, x) VALUES (?, ?, ?)")) {
      insert.setInt(1, 1);
      insert.setCharacterStream(2, new StringReader("hello"), 4);
      insert.setBinaryStream(3, new ByteArrayInputStream(new byte[] {1, 2, 3}));
      insert.executeUpdate();
      insert.setInt(1, 2);
      insert.setAsciiStream(
          2, new ByteArrayInputStream("ascii".getBytes(StandardCharsets.US_ASCII)));
      insert.executeUpdate();
      assertThatThrownBy(() -> insert.setCharacterStream(2, new StringReader("ab"), 3))
          .hasMessageContaining("ended after 2");
    }
    assertThat(database.rows("SELECT v, x FROM t ORDER BY id"))
        .containsExactly("hell|010203", "ascii|010203");
  }

  @Test
  void aBatchIsOneChange() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (id, v) VALUES (?, ?)")) {
      for (int i = 0; i < 1000; i++) {
        insert.setInt(1, i);
        if (i % 2 == 0) {
          insert.setString(2, "even");
        }
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(1000).containsOnly(1);
      assertThat(insert.executeBatch()).isEmpty();
      insert.setInt(1, 1000);
      insert.addBatch();
      assertThat(insert.executeLargeBatch()).containsExactly(1);
    }
    assertThat(database.rows("SELECT count(*), sum(id), count(v) FROM t"))
        .containsExactly("1001|500500|1001");
  }

  @Test
  void updatesInABatchActAsIfInOrder() throws SQLException {
    database.execute("INSERT INTO t (id, s) VALUES (1, 1), (2, 2)");
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE t SET s = s + ? WHERE id = ?")) {
      for (int[] step : new int[][] {{10, 1}, {20, 1}, {5, 2}, {1, 3}}) {
        update.setInt(1, step[0]);
        update.setInt(2, step[1]);
        update.addBatch();
      }
      assertThat(update.executeBatch()).containsExactly(1, 1, 1, 0);
    }
    assertThat(database.rows("SELECT id, s FROM t ORDER BY id")).containsExactly("1|31", "2|7");
  }

  @Test
  void aFailedBatchLeavesNothingAndSaysWhy() throws SQLException {
    database.execute("INSERT INTO t (id) VALUES (5)");
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t (id) VALUES (?)")) {
      for (int id : new int[] {1, 2, 5}) {
        insert.setInt(1, id);
        insert.addBatch();
      }
      assertThatThrownBy(insert::executeBatch)
          .isInstanceOfSatisfying(
              BatchUpdateException.class,
              e -> {
                assertThat(e.getSQLState()).isEqualTo("23505");
                assertThat(e.getUpdateCounts()).containsExactly(-3, -3, -3);
              });
      assertThat(database.rows("SELECT id FROM t")).containsExactly("5");
      insert.setInt(1, 6);
      insert.addBatch();
      insert.executeBatch();
    }
    assertThat(database.rows("SELECT count(*) FROM t")).containsExactly("2");
  }

  @Test
  void aBatchOfTextsIsAllOrNothing() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.addBatch("INSERT INTO t (id) VALUES (1)");
      statement.addBatch("INSERT INTO t (id) VALUES (2), (3)");
      statement.addBatch("UPDATE t SET s = 1 WHERE id > 1");
      assertThat(statement.executeBatch()).containsExactly(1, 2, 2);
      statement.addBatch("DELETE FROM t");
      statement.addBatch("INSERT INTO t (id) VALUES (NULL)");
      assertThatThrownBy(statement::executeBatch).isInstanceOf(BatchUpdateException.class);
    }
    assertThat(database.rows("SELECT count(*) FROM t")).containsExactly("3");
  }

  @Test
  void valuesThatDoNotFitAreRefused() throws SQLException {
    try (PreparedStatement insert = insert()) {
      assertThatThrownBy(() -> insert.setInt(3, 40_000))
          .isInstanceOfSatisfying(
              SQLDataException.class, e -> assertThat(e.getSQLState()).isEqualTo("22003"));
      assertThatThrownBy(() -> insert.setString(1, "seven"))
          .isInstanceOfSatisfying(
              SQLDataException.class, e -> assertThat(e.getSQLState()).isEqualTo("22018"));
      assertThatThrownBy(() -> insert.setInt(14, 0)).hasMessageContaining("14");
      assertThatThrownBy(insert::executeUpdate)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("07001"));
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (id, v) VALUES (1, ?)")) {
      insert.setString(1, "x".repeat(41));
      assertThatThrownBy(insert::executeUpdate)
          .isInstanceOfSatisfying(
              SQLDataException.class, e -> assertThat(e.getSQLState()).isEqualTo("22001"));
    }
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

  private static void refuses(String value, ThrowingCallable binding) {
    assertThatThrownBy(binding)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("which cannot represent ")
        .hasMessageContaining(value)
        .satisfies(e -> assertThat(((SQLException) e).getSQLState()).isEqualTo("22018"));
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

  @Test
  void parametersAreDescribed() throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE t SET n = ?, v = ? WHERE id = ?")) {
      ParameterMetaData parameters = update.getParameterMetaData();
      assertThat(parameters.getParameterCount()).isEqualTo(3);
      assertThat(parameters.getParameterType(1)).isEqualTo(Types.DECIMAL);
      assertThat(parameters.getScale(1)).isEqualTo(2);
      assertThat(parameters.getParameterType(2)).isEqualTo(Types.VARCHAR);
      assertThat(parameters.getParameterClassName(3)).isEqualTo("java.lang.Integer");
      assertThat(parameters.getParameterMode(3)).isEqualTo(ParameterMetaData.parameterModeIn);
      assertThat(update.getMetaData()).isNull();
      assertThatThrownBy(() -> parameters.getParameterType(4)).isInstanceOf(SQLException.class);
    }
    try (PreparedStatement select = connection.prepareStatement("SELECT id, v FROM t")) {
      assertThat(select.getMetaData().getColumnCount()).isEqualTo(2);
      assertThatThrownBy(select::executeUpdate).hasMessageContaining("rows");
    }
  }

  @Test
  void aCalendarGivesTheZoneOfATimestamp() throws SQLException {
    Calendar tokyo = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"));
    Timestamp epoch = new Timestamp(0);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (id, ts) VALUES (1, ?)")) {
      insert.setTimestamp(1, epoch, tokyo);
      insert.executeUpdate();
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT ts FROM t")) {
      row.next();
      assertThat(row.getString(1)).isEqualTo("1970-01-01 09:00:00");
      assertThat(row.getTimestamp(1, tokyo)).isEqualTo(epoch);
    }
  }

  @Test
  void aStatementOutlivesChangesOfItsTable() throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t (id) VALUES (?)")) {
      insert.setInt(1, 1);
      insert.executeUpdate();
      database.execute("DROP TABLE t");
      assertThatThrownBy(insert::executeUpdate)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42S02"));
      database.execute("CREATE TABLE t (id BIGINT)");
      assertThatThrownBy(insert::executeUpdate).hasMessageContaining("prepare");
      database.execute("DROP TABLE t");
      database.execute("CREATE TABLE t (id INTEGER, other INTEGER)");
      assertThat(insert.executeUpdate()).isEqualTo(1);
    }
  }

  @Test
  void aPreparedStatementTakesNoText() throws SQLException {
    try (PreparedStatement select = connection.prepareStatement("SELECT id FROM t")) {
      assertThatThrownBy(() -> select.executeQuery("SELECT 1")).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> select.addBatch("SELECT 1")).isInstanceOf(SQLException.class);
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
}
