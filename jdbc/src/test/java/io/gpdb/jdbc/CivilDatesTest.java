package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.Random;
import java.util.TimeZone;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A date keeps its year, month and day on every way in and out: literals, java.time, java.sql, text
 * and COPY. {@code -Dgpdb.seed=S} replays a run.
 */
class CivilDatesTest {
  private static final int DATES = 150;
  private static final Calendar UTC = new GregorianCalendar(TimeZone.getTimeZone("UTC"));

  @TempDir private Path folder;
  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database = new TestDatabase("CREATE TABLE d (k INTEGER PRIMARY KEY, dt DATE, ts TIMESTAMP)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private static LocalDate day(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> LocalDate.of(100 * (1 + random.nextInt(99)), 3, 1).minusDays(random.nextInt(3));
      case 1 -> LocalDate.of(1582, 10, 1).plusDays(random.nextInt(20));
      default -> LocalDate.of(1, 1, 1).plusDays(random.nextInt(3_652_059));
    };
  }

  private static boolean isInJavaSql(LocalDate day) {
    return day.isBefore(LocalDate.of(1582, 10, 5)) || day.isAfter(LocalDate.of(1582, 10, 14));
  }

  @Test
  void everyWayInAndOutHasTheSameDay() throws Exception {
    long seed = Long.getLong("gpdb.seed", 1);
    Random random = new Random(seed);
    try (PreparedStatement insert =
            database.connection().prepareStatement("INSERT INTO d VALUES (?, ?, ?)");
        PreparedStatement select =
            database.connection().prepareStatement("SELECT dt, ts FROM d WHERE k = ?")) {
      for (int k = 0; k < DATES; k++) {
        LocalDate day = day(random);
        LocalDateTime moment = day.atTime(12, 34, 56, 123_456_000);
        String what = "-Dgpdb.seed=" + seed + " " + day;
        insert.setInt(1, k);
        bind(insert, k, day, moment);
        insert.executeUpdate();
        select.setInt(1, k);
        try (ResultSet rows = select.executeQuery()) {
          rows.next();
          check(rows, day, moment, what);
        }
      }
    }
    copied();
  }

  private static void bind(PreparedStatement to, int way, LocalDate day, LocalDateTime moment)
      throws SQLException {
    int chosen = isInJavaSql(day) ? way % 4 : way % 2;
    switch (chosen) {
      case 0 -> {
        to.setObject(2, day);
        to.setObject(3, moment);
      }
      case 1 -> {
        to.setString(2, day.toString());
        to.setString(3, moment.toString());
      }
      case 2 -> {
        to.setDate(2, Date.valueOf(day));
        to.setTimestamp(3, Timestamp.valueOf(moment));
      }
      default -> {
        Calendar fields = new GregorianCalendar(TimeZone.getTimeZone("UTC"));
        fields.clear();
        fields.set(day.getYear(), day.getMonthValue() - 1, day.getDayOfMonth(), 12, 34, 56);
        to.setDate(2, new Date(fields.getTimeInMillis()), UTC);
        Timestamp timestamp = new Timestamp(fields.getTimeInMillis());
        timestamp.setNanos(moment.getNano());
        to.setTimestamp(3, timestamp, UTC);
      }
    }
  }

  private static void check(ResultSet rows, LocalDate day, LocalDateTime moment, String what)
      throws SQLException {
    assertThat(rows.getString(1)).as(what).isEqualTo(day.toString());
    assertThat(rows.getString(2)).as(what).isEqualTo(day + " 12:34:56.123456");
    assertThat(rows.getObject(1, LocalDate.class)).as(what).isEqualTo(day);
    assertThat(rows.getObject(2, LocalDateTime.class)).as(what).isEqualTo(moment);
    if (isInJavaSql(day)) {
      assertThat(rows.getDate(1)).as(what).hasToString(day.toString());
      assertThat(rows.getObject(1)).as(what).hasToString(day.toString());
      assertThat(rows.getTimestamp(2)).as(what).hasToString(day + " 12:34:56.123456");
      Calendar fields = new GregorianCalendar(TimeZone.getTimeZone("UTC"));
      fields.setTime(rows.getTimestamp(2, UTC));
      assertThat(fields.get(Calendar.DAY_OF_MONTH)).as(what).isEqualTo(day.getDayOfMonth());
      assertThat(fields.get(Calendar.HOUR_OF_DAY)).as(what).isEqualTo(12);
    } else {
      refused(() -> rows.getDate(1), "22008");
      refused(() -> rows.getObject(1), "22008");
      refused(() -> rows.getTimestamp(2), "22008");
      refused(() -> rows.getDate(1, UTC), "22008");
    }
  }

  private void copied() throws SQLException {
    Path file = folder.resolve("d.csv");
    database.execute("COPY d TO '" + file + "' (FORMAT CSV)");
    database.execute("CREATE TABLE copied (k INTEGER PRIMARY KEY, dt DATE, ts TIMESTAMP)");
    database.execute("COPY copied FROM '" + file + "' (FORMAT CSV)");
    assertThat(database.rows("SELECT * FROM copied ORDER BY k"))
        .hasSize(DATES)
        .isEqualTo(database.rows("SELECT * FROM d ORDER BY k"));
  }

  private static void refused(ThrowingCallable call, String... states) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isIn((Object[]) states));
  }

  @Test
  void daysThatThereAreNotAreRefused() throws Exception {
    Calendar julian = new GregorianCalendar(1500, Calendar.FEBRUARY, 29);
    Date leapDay = new Date(julian.getTimeInMillis());
    Timestamp leapMoment = new Timestamp(julian.getTimeInMillis());
    try (PreparedStatement insert =
        database.connection().prepareStatement("INSERT INTO d VALUES (1, ?, ?)")) {
      refused(() -> insert.setDate(1, leapDay), "22008");
      refused(() -> insert.setDate(1, leapDay, Calendar.getInstance()), "22008");
      refused(() -> insert.setTimestamp(2, leapMoment), "22008");
      refused(() -> insert.setTimestamp(2, leapMoment, Calendar.getInstance()), "22008");
      refused(() -> insert.setString(1, "1500-02-29"), "22007");
      refused(() -> insert.setString(1, "10000-01-01"), "22008");
      refused(() -> insert.setObject(1, LocalDate.MAX), "22008");
      refused(() -> insert.setObject(1, LocalDate.of(0, 12, 31)), "22008");
      refused(() -> insert.setObject(2, LocalDateTime.MAX), "22008");
      refused(
          () -> insert.setObject(2, LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_999)),
          "22008");
      refused(() -> insert.setDate(1, new Date(Long.MAX_VALUE)), "22008");
      refused(() -> insert.setDate(1, new Date(Long.MIN_VALUE)), "22008");
      refused(() -> insert.setTimestamp(2, new Timestamp(Long.MAX_VALUE)), "22008");
    }
  }

  @Test
  void copyRefusesThemToo() throws Exception {
    for (String line : new String[] {"1,1500-02-29,", "1,,1500-02-29 00:00:00"}) {
      refused(() -> copy(line), "22007");
    }
    for (String line :
        new String[] {
          "1,10000-01-01,",
          "1,0000-01-01,",
          "1,,10000-01-01 00:00:00",
          "1,,0000-01-01 00:00:00",
          "1,,9999-12-31 23:59:59.9999999"
        }) {
      refused(() -> copy(line), "22008");
    }
    copy("1,1582-10-10,9999-12-31 23:59:59.999999");
    assertThat(database.rows("SELECT dt, ts FROM d"))
        .containsExactly("1582-10-10|9999-12-31 23:59:59.999999");
  }

  private void copy(String line) throws Exception {
    Path file = Files.writeString(folder.resolve("one.csv"), line + "\n");
    database.execute("COPY d FROM '" + file + "' (FORMAT CSV)");
  }
}
