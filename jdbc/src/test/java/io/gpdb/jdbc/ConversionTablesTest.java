package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Calendar;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The conversions of JDBC's tables B-5 (setObject) and B-6 (getters), each cell: what has a cross
 * is converted, what has none is refused with a state of its own. Bytes of texts are converted,
 * too.
 */
class ConversionTablesTest {
  /** The groups of types between which the tables distinguish. */
  private enum Group {
    NUMBER,
    TEXT,
    BYTES,
    DATE,
    TIME,
    TIMESTAMP
  }

  private static final Map<String, Group> COLUMNS = new LinkedHashMap<>();

  static {
    for (String type :
        new String[] {
          "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "REAL", "DOUBLE", "DECIMAL(9, 2)"
        }) {
      COLUMNS.put(type, Group.NUMBER);
    }
    for (String type : new String[] {"CHAR(30)", "VARCHAR(40)", "CLOB"}) {
      COLUMNS.put(type, Group.TEXT);
    }
    COLUMNS.put("VARBINARY(40)", Group.BYTES);
    COLUMNS.put("BLOB", Group.BYTES);
    COLUMNS.put("DATE", Group.DATE);
    COLUMNS.put("TIME", Group.TIME);
    COLUMNS.put("TIMESTAMP", Group.TIMESTAMP);
  }

  private static final LocalDateTime MOMENT = LocalDateTime.of(2001, 2, 3, 4, 5, 6);

  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    StringBuilder table = new StringBuilder("CREATE TABLE t (k INTEGER PRIMARY KEY");
    int number = 0;
    for (String type : COLUMNS.keySet()) {
      table.append(", c").append(number++).append(' ').append(type);
    }
    database = new TestDatabase(table + ")", "INSERT INTO t (k) VALUES (1)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private static Set<Group> targetsOf(Object value) {
    return switch (value) {
      case String _ -> EnumSet.of(Group.NUMBER, Group.TEXT);
      case byte[] _ -> EnumSet.of(Group.BYTES, Group.TEXT);
      case Date _, LocalDate _ -> EnumSet.of(Group.TEXT, Group.DATE, Group.TIMESTAMP);
      case Time _, LocalTime _ -> EnumSet.of(Group.TEXT, Group.TIME);
      case LocalDateTime _, java.util.Date _, Calendar _ ->
          EnumSet.of(Group.TEXT, Group.DATE, Group.TIME, Group.TIMESTAMP);
      default -> EnumSet.of(Group.NUMBER, Group.TEXT);
    };
  }

  @Test
  void valuesAreStoredAsTheTableOfSetObjectHasIt() throws SQLException {
    Object[] values = {
      true,
      (byte) 1,
      (short) 1,
      1,
      1L,
      1f,
      1.0,
      BigDecimal.ONE,
      BigInteger.ONE,
      "1",
      new byte[] {1},
      Date.valueOf(MOMENT.toLocalDate()),
      Time.valueOf(MOMENT.toLocalTime()),
      Timestamp.valueOf(MOMENT),
      MOMENT.toLocalDate(),
      MOMENT.toLocalTime(),
      MOMENT,
      new java.util.Date(Timestamp.valueOf(MOMENT).getTime()),
      new GregorianCalendar(2001, Calendar.FEBRUARY, 3, 4, 5, 6)
    };
    for (Object value : values) {
      int number = 0;
      for (Map.Entry<String, Group> column : COLUMNS.entrySet()) {
        String what = value.getClass().getSimpleName() + " to " + column.getKey();
        String failure = stored(value, number++);
        if (targetsOf(value).contains(column.getValue())) {
          assertThat(failure).as(what).isEmpty();
        } else {
          assertThat(failure).as(what).isIn("42804", "22018", "22007");
        }
      }
    }
  }

  /** The state of the error, or nothing; what was stored is the value, as far as the type goes. */
  private String stored(Object value, int number) throws SQLException {
    String column = "c" + number;
    try (PreparedStatement update =
        database.connection().prepareStatement("UPDATE t SET " + column + " = ?")) {
      update.setObject(1, value);
      assertThat(update.executeUpdate()).isOne();
    } catch (SQLException e) {
      return e.getSQLState();
    }
    String text = database.rows("SELECT " + column + " FROM t").getFirst().strip();
    assertThat(text)
        .isIn(
            "TRUE",
            "true",
            "1",
            "1.0",
            "1.00",
            "01",
            "\u0001",
            "",
            "2001-02-03",
            "04:05:06",
            "2001-02-03 04:05:06",
            "2001-02-03 00:00:00",
            "04:05:06.000000",
            "2001-02-03 04:05:06.000000",
            "2001-02-03 00:00:00.000000");
    return "";
  }

  private interface Getter {
    Object of(ResultSet rows, int column) throws SQLException;
  }

  @Test
  void valuesAreReadAsTheTableOfGettersHasIt() throws SQLException {
    database.execute(
        "UPDATE t SET c0 = TRUE, c1 = 1, c2 = 1, c3 = 1, c4 = 1, c5 = 1, c6 = 1, c7 = 1, c11 = X'01',"
            + " c12 = X'01', c13 = DATE '2001-02-03', c14 = TIME '04:05:06',"
            + " c15 = TIMESTAMP '2001-02-03 04:05:06'");
    Map<Getter, Group> numbers = new LinkedHashMap<>();
    for (Getter getter :
        new Getter[] {
          ResultSet::getByte,
          ResultSet::getShort,
          ResultSet::getInt,
          ResultSet::getLong,
          ResultSet::getFloat,
          ResultSet::getDouble,
          ResultSet::getBigDecimal,
          ResultSet::getBoolean
        }) {
      numbers.put(getter, Group.NUMBER);
    }
    for (Getter getter : numbers.keySet()) {
      readAs(getter, EnumSet.of(Group.NUMBER), "1");
    }
    readAs(ResultSet::getBytes, EnumSet.of(Group.BYTES), "1");
    readAs(ResultSet::getDate, EnumSet.of(Group.DATE, Group.TIMESTAMP), "2001-02-03");
    readAs(ResultSet::getTime, EnumSet.of(Group.TIME, Group.TIMESTAMP), "04:05:06");
    readAs(
        ResultSet::getTimestamp,
        EnumSet.of(Group.DATE, Group.TIME, Group.TIMESTAMP),
        "2001-02-03 04:05:06");
    readAs(ResultSet::getString, EnumSet.allOf(Group.class), "1");
    readAs(ResultSet::getNString, EnumSet.allOf(Group.class), "1");
    readAs(ResultSet::getObject, EnumSet.allOf(Group.class), "1");
  }

  /** Texts hold what the getter is for, and are read by each. */
  private void readAs(Getter getter, Set<Group> sources, String text) throws SQLException {
    database.execute("UPDATE t SET c8 = '" + text + "', c9 = '" + text + "', c10 = '" + text + "'");
    try (Statement statement = database.connection().createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM t")) {
      assertThat(rows.next()).isTrue();
      int number = 1;
      for (Map.Entry<String, Group> column : COLUMNS.entrySet()) {
        number++;
        String failure = "";
        try {
          assertThat(getter.of(rows, number)).as(column.getKey()).isNotNull();
          assertThat(rows.wasNull()).isFalse();
        } catch (SQLException e) {
          failure = e.getSQLState();
        }
        boolean has = column.getValue() == Group.TEXT || sources.contains(column.getValue());
        assertThat(failure)
            .as(text + " from " + column.getKey())
            .satisfies(state -> assertThat(state.isEmpty() ? has : "22018".equals(state)).isTrue());
      }
    }
  }

  @Test
  void aParameterWithoutATypeTakesTheOneThatIsNamed() throws SQLException {
    try (PreparedStatement select = database.connection().prepareStatement("SELECT ?")) {
      Object[][] cases = {
        {"12", Types.INTEGER, 12},
        {"12", Types.BIGINT, 12L},
        {"1.5", Types.DOUBLE, 1.5},
        {"1.50", Types.DECIMAL, new BigDecimal("1.50")},
        {7, Types.VARCHAR, "7"},
        {true, Types.VARCHAR, "true"},
        {true, Types.INTEGER, 1},
        {1, Types.BOOLEAN, true},
        {"2001-02-03", Types.DATE, Date.valueOf("2001-02-03")},
        {MOMENT.toLocalDate(), Types.VARCHAR, "2001-02-03"},
        {"text", Types.OTHER, "text"}
      };
      for (Object[] one : cases) {
        select.setObject(1, one[0], (int) one[1]);
        try (ResultSet row = select.executeQuery()) {
          assertThat(row.next()).isTrue();
          assertThat(row.getObject(1)).as("%s as %s", one[0], one[1]).isEqualTo(one[2]);
        }
      }
    }
  }
}
