package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Arguments that cannot be meant are refused with an SQLException that has a state. */
final class ArgumentsTest {
  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE, s TIMESTAMP, v VARCHAR(20),"
                + " b VARBINARY(20), n DECIMAL(10, 2))",
            "INSERT INTO t VALUES (1, DATE '2001-02-03', NULL, 'x', NULL, 1.25)");
    connection = database.connection();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private static void refused(String state, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).as("%s", e).isEqualTo(state));
  }

  @Test
  void timesBeyondTheCalendarAreRefused() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("UPDATE t SET d = ?, s = ? WHERE id = 1")) {
      refused("22008", () -> insert.setDate(1, new Date(Long.MAX_VALUE)));
      refused("22008", () -> insert.setObject(1, LocalDate.MAX));
      refused("22008", () -> insert.setObject(1, LocalDate.MIN));
      refused("22008", () -> insert.setObject(2, LocalDateTime.MAX));
      refused("22008", () -> insert.setTimestamp(2, new Timestamp(Long.MAX_VALUE)));
      Calendar outOfOrder = new GregorianCalendar(Locale.ROOT);
      outOfOrder.setLenient(false);
      outOfOrder.set(Calendar.MONTH, 77);
      insert.setDate(1, Date.valueOf("2001-02-03"), outOfOrder);
    }
  }

  @Test
  void lengthsOfStreamsAreHeldToTheirBounds() throws SQLException {
    try (PreparedStatement update = connection.prepareStatement("UPDATE t SET b = ?, v = ?")) {
      InputStream bytes = new ByteArrayInputStream(new byte[3]);
      refused("22023", () -> update.setBinaryStream(1, bytes, -1));
      refused("22023", () -> update.setBinaryStream(1, bytes, -1L));
      refused("54000", () -> update.setBinaryStream(1, bytes, Long.MAX_VALUE));
      refused("22023", () -> update.setBinaryStream(1, bytes, Integer.MAX_VALUE - 8));
      Reader text = new StringReader("abc");
      refused("22023", () -> update.setCharacterStream(2, text, -7));
      refused("54000", () -> update.setCharacterStream(2, text, Long.MAX_VALUE));
      refused("22023", () -> update.setNCharacterStream(2, text, 9));
      update.setBinaryStream(1, new ByteArrayInputStream(new byte[3]), 2);
      update.setCharacterStream(2, new StringReader("abc"), 2);
      assertThat(update.executeUpdate()).isEqualTo(1);
      assertThat(database.rows("SELECT v, OCTET_LENGTH(b) FROM t")).containsExactly("ab|2");
    }
  }

  @Test
  void streamsThatThrowAreErrorsOfTheParameter() throws SQLException {
    InputStream fails =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("unplugged");
          }
        };
    InputStream breaks =
        new InputStream() {
          @Override
          public int read() {
            throw new IllegalStateException("broken");
          }
        };
    try (PreparedStatement update = connection.prepareStatement("UPDATE t SET b = ?")) {
      refused("58030", () -> update.setBinaryStream(1, fails));
      refused("22023", () -> update.setBinaryStream(1, breaks));
      refused("22023", () -> update.setObject(1, breaks));
    }
  }

  @SuppressWarnings("deprecation")
  @Test
  void limitsBelowZeroAreRefused() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      refused("22023", () -> statement.setMaxRows(-1));
      refused("22023", () -> statement.setLargeMaxRows(Long.MIN_VALUE));
      refused("22023", () -> statement.setFetchSize(-1));
      refused("22023", () -> statement.setQueryTimeout(-1));
      refused("22023", () -> statement.getMoreResults(99));
      statement.setMaxRows(Integer.MAX_VALUE);
      statement.setQueryTimeout(Integer.MAX_VALUE);
      try (ResultSet rows = statement.executeQuery("SELECT id, n FROM t")) {
        assertThat(rows.next()).isTrue();
        refused("22023", () -> rows.setFetchSize(-1));
        refused("22023", () -> rows.getObject(1, (Class<?>) null));
        refused("22023", () -> rows.getBigDecimal(2, -1));
        refused("22023", () -> rows.getBigDecimal(2, Integer.MAX_VALUE));
      }
    }
    try (PreparedStatement update = connection.prepareStatement("UPDATE t SET n = ?")) {
      refused("22023", () -> update.setObject(1, BigDecimal.ONE, Types.DECIMAL, Integer.MAX_VALUE));
      refused("22003", () -> update.setBigDecimal(1, new BigDecimal("1e1000000000")));
      update.setBigDecimal(1, new BigDecimal("1e-2147483647"));
      assertThat(update.executeUpdate()).isEqualTo(1);
      assertThat(database.rows("SELECT n FROM t")).containsExactly("0.00");
    }
  }

  @Test
  void methodsThatTheInterfaceAnswersHaveAState() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeLargeUpdate("UPDATE t SET v = 'y'", new int[0])).isEqualTo(1);
      String none = "DELETE FROM t WHERE 1 = 0";
      assertThat(statement.executeLargeUpdate(none, new int[] {1})).isZero();
      assertThat(statement.executeLargeUpdate(none, new String[] {"ID"})).isZero();
      refused("22023", () -> statement.enquoteLiteral(null));
      refused("22023", () -> statement.enquoteIdentifier("", true));
      refused("22023", () -> statement.isSimpleIdentifier(null));
      assertThat(statement.enquoteIdentifier("a\"b", false)).isEqualTo("\"a\"\"b\"");
    }
    refused("0A000", () -> connection.setShardingKey(null));
    refused("0A000", () -> new GpdbDataSource().createConnectionBuilder());
    refused("22023", () -> connection.setSavepoint(null));
    refused("22023", () -> connection.unwrap(null));
    refused("22023", () -> connection.unwrap(String.class));
    refused("22023", () -> connection.abort(null));
    refused(
        "22023",
        () ->
            connection.abort(
                task -> {
                  throw new RejectedExecutionException();
                }));
  }
}
