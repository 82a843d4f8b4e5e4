package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Intervals against java.time and HSQLDB: generated values, stored, ordered, computed with, bound
 * and read. {@code -Dgpdb.seed=S} replays a run.
 */
class IntervalsTest {
  private static final int ROWS = 200;
  private static final String TABLE =
      "CREATE TABLE i (id INTEGER PRIMARY KEY, d INTERVAL DAY(5) TO SECOND(3),"
          + " m INTERVAL YEAR(4) TO MONTH)";

  private final Random random = new Random(Long.getLong("gpdb.seed", 13));

  private Duration duration() {
    long days = random.nextBoolean() ? random.nextInt(3) : random.nextInt(90_000);
    Duration size = Duration.ofDays(days).plusMillis(random.nextInt(86_400_000));
    return random.nextBoolean() ? size : size.negated();
  }

  private Period period() {
    return Period.ofMonths((random.nextInt(20_000) - 10_000) / (1 + random.nextInt(900)))
        .normalized();
  }

  private static String text(Duration value) {
    Duration size = value.abs();
    return String.format(
        "%s%d %02d:%02d:%02d.%03d",
        value.isNegative() ? "-" : "",
        size.toDaysPart(),
        size.toHoursPart(),
        size.toMinutesPart(),
        size.toSecondsPart(),
        size.toMillisPart());
  }

  private static String text(Period value) {
    long months = Math.abs(value.toTotalMonths());
    return String.format(
        "%s%d-%02d", value.toTotalMonths() < 0 ? "-" : "", months / 12, months % 12);
  }

  @Test
  void valuesAreThoseOfJavaTime() throws SQLException {
    List<Duration> durations = new ArrayList<>();
    List<Period> periods = new ArrayList<>();
    try (TestDatabase db = new TestDatabase(TABLE)) {
      try (PreparedStatement insert =
          db.connection().prepareStatement("INSERT INTO i VALUES (?, ?, ?)")) {
        for (int id = 0; id < ROWS; id++) {
          durations.add(duration());
          periods.add(period());
          insert.setInt(1, id);
          boolean objects = random.nextBoolean();
          insert.setObject(2, objects ? durations.get(id) : text(durations.get(id)));
          insert.setObject(3, objects ? periods.get(id) : text(periods.get(id)));
          insert.addBatch();
        }
        insert.executeBatch();
      }
      LocalDateTime start = LocalDateTime.of(2001, 1, 31, 12, 0);
      try (Statement statement = db.connection().createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT id, d, m, TIMESTAMP '2001-01-31 12:00:00' + d, DATE '2001-01-31' - m,"
                      + " d * 3, EXTRACT(SECOND FROM d), EXTRACT(MONTH FROM m), d + d,"
                      + " CAST(d AS INTERVAL HOUR(8)) FROM i ORDER BY id")) {
        for (int id = 0; id < ROWS; id++) {
          row.next();
          Duration d = durations.get(id);
          Period m = periods.get(id);
          assertThat(row.getString(2)).isEqualTo(text(d)).isEqualTo(row.getObject(2));
          assertThat(row.getObject(2, Duration.class)).isEqualTo(d);
          assertThat(row.getString(3)).isEqualTo(text(m));
          assertThat(row.getObject(3, Period.class)).isEqualTo(m);
          assertThat(row.getObject(4, LocalDateTime.class)).isEqualTo(start.plus(d));
          assertThat(row.getObject(5, LocalDate.class)).isEqualTo(start.toLocalDate().minus(m));
          assertThat(row.getObject(6, Duration.class)).isEqualTo(d.multipliedBy(3));
          assertThat(row.getBigDecimal(7).movePointRight(3).longValueExact())
              .isEqualTo(d.toMillis() % 60_000);
          assertThat(row.getLong(8)).isEqualTo(m.toTotalMonths() % 12);
          assertThat(row.getObject(9, Duration.class)).isEqualTo(d.multipliedBy(2));
          assertThat(row.getString(10)).isEqualTo(Long.toString(d.toMillis() / 3_600_000));
        }
      }
      List<Duration> sorted = new ArrayList<>(durations);
      Collections.sort(sorted);
      List<String> texts = sorted.stream().map(IntervalsTest::text).toList();
      assertThat(db.rows("SELECT d FROM i ORDER BY d")).isEqualTo(texts);
      assertThat(db.rows("SELECT MIN(d), MAX(d) FROM i"))
          .containsExactly(texts.getFirst() + "|" + texts.getLast());
      db.execute("CREATE INDEX by_m ON i (m)");
      try (PreparedStatement find =
          db.connection().prepareStatement("SELECT COUNT(*) FROM i WHERE m <= ? AND d > ?")) {
        for (int i = 0; i < 20; i++) {
          Period m = period();
          Duration d = duration();
          find.setObject(1, m);
          find.setObject(2, d);
          long expected = 0;
          for (int id = 0; id < ROWS; id++) {
            boolean found =
                periods.get(id).toTotalMonths() <= m.toTotalMonths()
                    && durations.get(id).compareTo(d) > 0;
            expected += found ? 1 : 0;
          }
          try (ResultSet row = find.executeQuery()) {
            row.next();
            assertThat(row.getLong(1)).isEqualTo(expected);
          }
        }
      }
    }
  }

  @Test
  void valuesAreThoseOfHsqldb() throws SQLException {
    try (TestDatabase db = new TestDatabase(TABLE);
        Connection other = DriverManager.getConnection("jdbc:hsqldb:mem:intervals")) {
      TestDatabase.execute(other, TABLE);
      for (int id = 0; id < ROWS; id++) {
        String insert =
            "INSERT INTO i VALUES (%d, INTERVAL '%s' DAY(5) TO SECOND(3), INTERVAL '%s' YEAR(4) TO MONTH)"
                .formatted(id, text(duration()), text(period()));
        db.execute(insert);
        TestDatabase.execute(other, insert);
      }
      for (String query :
          List.of(
              "SELECT d, m, CAST(d AS VARCHAR(40)), CAST(m AS VARCHAR(40)) FROM i ORDER BY d, m",
              "SELECT CAST(m AS INTERVAL MONTH(6)), CAST(d AS INTERVAL SECOND(10, 3)) FROM i"
                  + " ORDER BY id",
              "SELECT CAST(m * -2 AS VARCHAR(40)) FROM i ORDER BY id",
              "SELECT CAST(CAST(m AS INTERVAL MONTH(6)) AS INTEGER) FROM i ORDER BY id",
              "SELECT a.id, b.id FROM i a JOIN i b ON a.d < b.d AND a.m = b.m ORDER BY 1, 2",
              "SELECT EXTRACT(DAY FROM d), EXTRACT(HOUR FROM d), EXTRACT(YEAR FROM m) FROM i"
                  + " ORDER BY id",
              "SELECT DATE '2001-01-31' + m FROM i ORDER BY id",
              "SELECT m, COUNT(*), MIN(d), MAX(d) FROM i GROUP BY m ORDER BY m")) {
        List<String> theirs = TestDatabase.rows(other, query);
        List<String> ours = db.rows(query);
        assertThat(ours).as(query).hasSameSizeAs(theirs);
        for (int i = 0; i < ours.size(); i++) {
          assertThat(ours.get(i)).as(query).isEqualTo(theirs.get(i));
        }
      }
      TestDatabase.execute(other, "SHUTDOWN");
    }
  }

  @Test
  void typesAreDescribed() throws SQLException {
    try (TestDatabase db = new TestDatabase(TABLE);
        PreparedStatement find = db.connection().prepareStatement("SELECT d, m FROM i")) {
      ResultSetMetaData described = find.getMetaData();
      assertThat(described.getColumnType(1)).isEqualTo(Types.OTHER);
      assertThat(described.getColumnTypeName(1)).isEqualTo("INTERVAL DAY TO SECOND");
      assertThat(described.getColumnTypeName(2)).isEqualTo("INTERVAL YEAR TO MONTH");
      assertThat(described.getColumnClassName(1)).isEqualTo(String.class.getName());
      assertThat(described.getColumnDisplaySize(1)).isEqualTo("-12345 00:00:00.000".length());
      assertThat(described.getScale(1)).isEqualTo(3);
      try (ResultSet column = db.connection().getMetaData().getColumns(null, null, "I", "D")) {
        column.next();
        assertThat(column.getInt("DATA_TYPE")).isEqualTo(Types.OTHER);
        assertThat(column.getString("TYPE_NAME")).isEqualTo("INTERVAL DAY TO SECOND");
        assertThat(column.getInt("DECIMAL_DIGITS")).isEqualTo(3);
      }
      try (ResultSet types = db.connection().getMetaData().getTypeInfo()) {
        List<String> names = new ArrayList<>();
        while (types.next()) {
          if (types.getString(1).startsWith("INTERVAL")) {
            names.add(types.getString(4) + "1" + types.getString(5));
          }
        }
        assertThat(names).hasSize(13).contains("INTERVAL '1' HOUR TO MINUTE");
      }
    }
  }

  @Test
  void whatIsNoIntervalOfTheColumnIsRefused() throws SQLException {
    try (TestDatabase db = new TestDatabase(TABLE);
        PreparedStatement insert =
            db.connection().prepareStatement("INSERT INTO i VALUES (1, ?, ?)")) {
      refused("42804", () -> insert.setObject(1, Period.ofMonths(1)));
      refused("42804", () -> insert.setObject(2, Duration.ofDays(1)));
      refused("42804", () -> insert.setLong(1, 5));
      refused("22015", () -> insert.setObject(1, Duration.ofDays(100_000)));
      refused("22015", () -> insert.setString(2, "10000-00"));
      refused("22006", () -> insert.setString(1, "1 24:00:00"));
      refused("22023", () -> insert.setObject(2, Period.ofDays(1)));
      insert.setObject(1, Duration.ofSeconds(1).plus(500_400, ChronoUnit.MICROS));
      insert.setObject(2, null);
      insert.executeUpdate();
      try (Statement statement = db.connection().createStatement();
          ResultSet row = statement.executeQuery("SELECT d, m FROM i")) {
        row.next();
        assertThat(row.getObject(1, Duration.class)).isEqualTo(Duration.ofMillis(1500));
        refused("0A000", () -> row.getObject(1, Period.class));
        refused("22018", () -> row.getLong(1));
        assertThat(row.getObject(2)).isNull();
      }
    }
  }

  private interface Act {
    void run() throws SQLException;
  }

  private static void refused(String state, Act act) {
    assertThatThrownBy(act::run)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  @Test
  void theySurviveCopyCheckpointAndReopening(@TempDir Path path) throws SQLException {
    String url = "jdbc:gpdb:" + path.resolve("db");
    Path file = path.resolve("i.csv");
    List<String> rows;
    try (Connection connection = DriverManager.getConnection(url)) {
      TestDatabase.execute(connection, TABLE);
      TestDatabase.execute(connection, "INSERT INTO i VALUES (1, '-3 04:05:06.007', '-9-11')");
      TestDatabase.execute(connection, "CHECKPOINT");
      TestDatabase.execute(
          connection,
          "INSERT INTO i SELECT id + 1, d * 2, NULL FROM i WHERE m < INTERVAL '1' YEAR");
      TestDatabase.execute(connection, "COPY i TO '" + file + "'");
      TestDatabase.execute(connection, TABLE.replace("TABLE i", "TABLE c"));
      TestDatabase.execute(connection, "COPY c FROM '" + file + "'");
      rows = TestDatabase.rows(connection, "SELECT * FROM i ORDER BY id");
      assertThat(rows).containsExactly("1|-3 04:05:06.007|-9-11", "2|-6 08:10:12.014|null");
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(TestDatabase.rows(connection, "SELECT * FROM i ORDER BY id")).isEqualTo(rows);
      assertThat(TestDatabase.rows(connection, "SELECT * FROM c ORDER BY id")).isEqualTo(rows);
    }
  }

  @Test
  void sumsAndAveragesAreThoseOfJavaTime() throws SQLException {
    int groups = 7;
    long[] millis = new long[groups];
    long[] months = new long[groups];
    int[] counts = new int[groups];
    List<String> running = new ArrayList<>();
    try (TestDatabase db = new TestDatabase(TABLE);
        PreparedStatement insert =
            db.connection().prepareStatement("INSERT INTO i VALUES (?, ?, ?)")) {
      for (int id = 0; id < ROWS; id++) {
        boolean known = random.nextInt(5) > 0;
        Duration d = duration();
        Period m = period();
        insert.setInt(1, id);
        insert.setObject(2, known ? d : null);
        insert.setObject(3, known ? m : null);
        insert.addBatch();
        int group = id % groups;
        millis[group] += known ? d.toMillis() : 0;
        months[group] += known ? m.toTotalMonths() : 0;
        counts[group] += known ? 1 : 0;
        running.add(summary(millis[group], months[group], counts[group]));
      }
      insert.executeBatch();
      List<String> ofGroups = running.subList(ROWS - groups, ROWS);
      String summary = "SUM(d)%1$s, AVG(d)%1$s, SUM(m)%1$s, AVG(m)%1$s";
      assertThat(db.rows("SELECT " + summary.formatted("") + " FROM i GROUP BY MOD(id, 7)"))
          .containsExactlyInAnyOrderElementsOf(ofGroups);
      assertThat(db.rows("SELECT " + summary.formatted("") + ", MEDIAN(id) FROM i GROUP BY id * 0"))
          .singleElement()
          .asString()
          .startsWith(
              summary(
                  Arrays.stream(millis).sum(),
                  Arrays.stream(months).sum(),
                  Arrays.stream(counts).sum()));
      String over = " OVER (PARTITION BY MOD(id, 7) ORDER BY id)";
      assertThat(db.rows("SELECT " + summary.formatted(over) + " FROM i ORDER BY id"))
          .isEqualTo(running);
      assertThat(
              db.rows(
                  "SELECT SUM(DISTINCT e), AVG(DISTINCT e) FROM (SELECT d AS e FROM i UNION ALL"
                      + " SELECT d FROM i)"))
          .isEqualTo(db.rows("SELECT SUM(d), AVG(d) FROM i"));
    }
  }

  /** Sums and averages, which are cut to the last field. */
  private static String summary(long millis, long months, int count) {
    return count == 0
        ? "null|null|null|null"
        : text(Duration.ofMillis(millis))
            + "|"
            + text(Duration.ofMillis(millis / count))
            + "|"
            + text(Period.ofMonths((int) months))
            + "|"
            + text(Period.ofMonths((int) (months / count)));
  }

  /** A date and a whole number, as columns and as literals. */
  @Test
  void daysAreAddedToDates() throws SQLException {
    try (Connection c = DriverManager.getConnection("jdbc:gpdb:mem:days");
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE, n INTEGER, k SMALLINT)");
      List<LocalDate> dates = new ArrayList<>();
      List<Integer> days = new ArrayList<>();
      try (PreparedStatement insert = c.prepareStatement("INSERT INTO t VALUES (?, ?, ?, ?)")) {
        for (int id = 0; id < ROWS; id++) {
          dates.add(id % 10 == 3 ? null : LocalDate.ofEpochDay(random.nextInt(60_000) - 30_000));
          days.add(id % 10 == 7 ? null : random.nextInt(20_000) - 10_000);
          insert.setInt(1, id);
          insert.setObject(2, dates.get(id));
          insert.setObject(3, days.get(id));
          insert.setObject(4, days.get(id));
          insert.addBatch();
        }
        insert.executeBatch();
      }
      try (ResultSet rows =
          s.executeQuery("SELECT d + n, n + d, d - k, d + 40, d + (n - 1) FROM t ORDER BY id")) {
        for (int id = 0; id < ROWS; id++) {
          rows.next();
          LocalDate d = dates.get(id);
          Integer n = days.get(id);
          LocalDate sum = d == null || n == null ? null : d.plusDays(n);
          assertThat(rows.getObject(1, LocalDate.class)).isEqualTo(sum);
          assertThat(rows.getObject(2, LocalDate.class)).isEqualTo(sum);
          assertThat(rows.getObject(3, LocalDate.class))
              .isEqualTo(sum == null ? null : d.minusDays(n));
          assertThat(rows.getObject(4, LocalDate.class))
              .isEqualTo(d == null ? null : d.plusDays(40));
          assertThat(rows.getObject(5, LocalDate.class))
              .isEqualTo(sum == null ? null : sum.minusDays(1));
        }
      }
      assertThatThrownBy(() -> s.execute("SELECT MAX(d + 9000000) FROM t"))
          .hasFieldOrPropertyWithValue("SQLState", "22008");
      assertThatThrownBy(() -> s.execute("SELECT 5 - d FROM t"))
          .hasFieldOrPropertyWithValue("SQLState", "42804");
    }
  }
}
