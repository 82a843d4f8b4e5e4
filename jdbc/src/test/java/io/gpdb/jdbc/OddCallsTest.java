package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls as tools make them, with whatever arguments: an answer or an SQLException. */
class OddCallsTest {
  private static final Set<String> ENDS = Set.of("close", "abort", "setReadOnly", "wait");

  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (k INTEGER PRIMARY KEY, bo BOOLEAN, sm SMALLINT, bi BIGINT, re REAL,"
                + " dou DOUBLE, de DECIMAL(10, 2), da DATE, ti TIME, ts TIMESTAMP, ch CHAR(4),"
                + " vc VARCHAR(10), vb VARBINARY(8))",
            "INSERT INTO t VALUES (1, TRUE, 2, 3, 1.5, 2.5, 3.25, DATE '2001-02-03',"
                + " TIME '04:05:06', TIMESTAMP '2001-02-03 04:05:06', 'ab', 'text', X'0102')",
            "INSERT INTO t (k) VALUES (2)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  @Test
  void everyMethodTakesNullsAndNumbersOrRefusesThemInItsOwnWords() throws Exception {
    Connection connection = database.connection();
    try (Statement statement = connection.createStatement();
        PreparedStatement prepared =
            connection.prepareStatement("SELECT * FROM t WHERE vc = ? AND da = ?");
        Statement reader = connection.createStatement();
        ResultSet rows = reader.executeQuery("SELECT * FROM t ORDER BY k")) {
      rows.next();
      for (int number : new int[] {-1, 0, 1, 12, Integer.MAX_VALUE}) {
        callAll(Connection.class, connection, number);
        callAll(DatabaseMetaData.class, connection.getMetaData(), number);
        callAll(ResultSetMetaData.class, rows.getMetaData(), number);
        callAll(ParameterMetaData.class, prepared.getParameterMetaData(), number);
        callAll(ResultSet.class, rows, number);
        callAll(Statement.class, statement, number);
        callAll(PreparedStatement.class, prepared, number);
      }
    }
  }

  private static void callAll(Class<?> type, Object target, int number) throws Exception {
    for (Method method : type.getMethods()) {
      if (ENDS.contains(method.getName())
          || method.getName().endsWith("Version")
          || isJavasOwn(method, target)) {
        continue;
      }
      @Nullable Object[] arguments = new Object[method.getParameterCount()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = argument(method.getParameterTypes()[i], number);
      }
      try {
        Object unused = method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        assertThat(e.getCause()).as("%s with %d", method, number).isInstanceOf(SQLException.class);
        SQLException refused = (SQLException) e.getCause();
        assertThat(refused.getSQLState())
            .as("%s with %d: %s", method, number, refused.getMessage())
            .isNotNull()
            .isNotEqualTo("XX000");
      }
    }
  }

  /** Whether the driver leaves the method to the interface, which does what it likes with nulls. */
  private static boolean isJavasOwn(Method method, Object target) throws NoSuchMethodException {
    Class<?>[] parameters = method.getParameterTypes();
    return target
        .getClass()
        .getMethod(method.getName(), parameters)
        .getDeclaringClass()
        .isInterface();
  }

  private static @Nullable Object argument(Class<?> type, int number) {
    if (type == int.class) {
      return number;
    }
    if (type == long.class) {
      return (long) number;
    }
    if (type == short.class) {
      return (short) number;
    }
    if (type == byte.class) {
      return (byte) number;
    }
    if (type == float.class) {
      return (float) number;
    }
    if (type == double.class) {
      return (double) number;
    }
    return type == boolean.class ? true : null;
  }

  @Test
  void everyColumnOfEveryTypeIsReadAsEveryTypeOrRefused() throws SQLException {
    Class<?>[] types = {
      String.class,
      Boolean.class,
      Byte.class,
      Short.class,
      Integer.class,
      Long.class,
      Float.class,
      Double.class,
      java.math.BigDecimal.class,
      java.math.BigInteger.class,
      byte[].class,
      java.sql.Date.class,
      java.sql.Time.class,
      java.sql.Timestamp.class,
      java.time.LocalDate.class,
      java.time.LocalTime.class,
      java.time.LocalDateTime.class,
      java.time.OffsetDateTime.class,
      java.time.Instant.class,
      java.util.UUID.class,
      Object.class
    };
    try (Statement statement = database.connection().createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM t ORDER BY k")) {
      for (boolean empty = false; rows.next(); empty = true) {
        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
          for (Class<?> type : types) {
            readAs(rows, column, type, empty && column > 1);
          }
        }
      }
    }
  }

  private static void readAs(ResultSet rows, int column, Class<?> type, boolean empty)
      throws SQLException {
    String what = "column " + column + " as " + type;
    try {
      Object value = rows.getObject(column, type);
      if (empty) {
        assertThat(value).as(what).isNull();
      } else {
        assertThat(value).as(what).isInstanceOf(type);
      }
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as(what).isIn("22018", "22007", "22003", "0A000");
    }
  }

  /** Whose digits, written out, are more than memory holds. */
  @Test
  void numbersWithTheGreatestExponentsAreCutOrOutOfRange() throws SQLException {
    try (Statement statement = database.connection().createStatement();
        PreparedStatement prepared =
            database.connection().prepareStatement("SELECT k FROM t WHERE k = ?")) {
      for (String tiny : List.of("1E-2147483647", "-9E-2147483647", "0E2147483647", "0.99")) {
        prepared.setObject(1, new BigDecimal(tiny), Types.INTEGER);
        prepared.setObject(1, tiny, Types.BIGINT, Integer.MIN_VALUE);
        try (ResultSet row = statement.executeQuery("VALUES ('" + tiny + "')")) {
          row.next();
          assertThat(row.getLong(1)).as(tiny).isZero();
        }
      }
      for (String huge : List.of("1E2147483646", "-1E70", "9223372036854775808")) {
        assertThatThrownBy(() -> prepared.setObject(1, new BigDecimal(huge), Types.BIGINT))
            .isInstanceOf(SQLException.class);
        try (ResultSet row = statement.executeQuery("VALUES ('" + huge + "')")) {
          row.next();
          assertThatThrownBy(() -> row.getLong(1)).as(huge).isInstanceOf(SQLException.class);
        }
      }
    }
  }

  @Test
  void aNullOfAnyTypeFitsAnyParameter() throws SQLException {
    for (String column :
        List.of("bo", "sm", "bi", "re", "dou", "de", "da", "ti", "ts", "ch", "vc", "vb")) {
      try (PreparedStatement update =
          database.connection().prepareStatement("UPDATE t SET " + column + " = ? WHERE k = 2")) {
        for (int type : new int[] {Types.NULL, Types.VARCHAR, Types.INTEGER, Types.OTHER, -999}) {
          update.setNull(1, type);
          assertThat(update.executeUpdate()).isOne();
          update.setObject(1, null, type);
          assertThat(update.executeUpdate()).isOne();
        }
      }
    }
  }

  @Test
  void whatIsLeftOutIsSaid() throws SQLException {
    Connection connection = database.connection();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT k FROM t")) {
      rows.next();
      assertThatThrownBy(() -> rows.getString(null)).hasMessage("the column's label is null");
      assertThatThrownBy(() -> rows.updateObject("K", 1, java.sql.JDBCType.INTEGER))
          .isInstanceOf(SQLFeatureNotSupportedException.class);
      assertThatThrownBy(() -> connection.prepareStatement(null))
          .hasMessage("the statement is null");
      statement.setLargeMaxRows(1L << 40);
      assertThat(statement.getMaxRows()).isEqualTo(Integer.MAX_VALUE);
      assertThat(connection.isWrapperFor(null)).isFalse();
    }
  }
}
