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
import java.util.Calendar;
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

  private static void refuses(String value, ThrowingCallable binding) {
    assertThatThrownBy(binding)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("which cannot represent ")
        .hasMessageContaining(value)
        .satisfies(e -> assertThat(((SQLException) e).getSQLState()).isEqualTo("22018"));
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
}
