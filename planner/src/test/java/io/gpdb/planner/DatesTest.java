package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Dates and times of the years 1 to 9999 are those of java.time by kernels, on the host and through
 * the bridge. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class DatesTest {
  private static final int ROUNDS = 1;
  private static final int ROWS = 60;
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

  @Test
  void datesAreThoseOfJavaTime() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  private static void round(long seed, List<String> problems) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE d (k INTEGER PRIMARY KEY, dt DATE, ts TIMESTAMP, s VARCHAR)");
      List<LocalDateTime> moments = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        LocalDateTime moment = moment(random);
        moments.add(moment);
        String text = text(moment);
        String day = moment.toLocalDate().toString();
        db.run(
            random.nextBoolean()
                ? "INSERT INTO d VALUES (%d, DATE '%s', TIMESTAMP '%s', '%s')"
                    .formatted(i, day, text, day)
                : "INSERT INTO d VALUES (%d, '%s', '%s', '%s')".formatted(i, day, text, day));
      }
      List<ExpressionCheck<LocalDateTime>> checks = checks(random);
      String select =
          "SELECT k, " + String.join(", ", checks.stream().map(ExpressionCheck::sql).toList());
      new ExpressionCheck.Path("bridge", db, db.bridge, seed)
          .compare(select + " FROM d", moments, checks, problems);
      for (ExpressionCheck<LocalDateTime> check : checks) {
        String alone = "SELECT k, " + check.sql() + " FROM d";
        new ExpressionCheck.Path("kernels", db, db.engine, seed)
            .compare(alone, moments, List.of(check), problems);
      }
      String byKey = select + " FROM d WHERE k = " + random.nextInt(ROWS);
      new ExpressionCheck.Path("host", db, db.engine, seed)
          .compare(byKey, moments, checks, problems);
    }
  }

  private static List<ExpressionCheck<LocalDateTime>> checks(Random random) {
    List<ExpressionCheck<LocalDateTime>> checks = new ArrayList<>();
    for (String x : List.of("dt", "ts")) {
      checks.add(new ExpressionCheck<>("EXTRACT(YEAR FROM " + x + ")", m -> m.getYear()));
      checks.add(new ExpressionCheck<>("EXTRACT(MONTH FROM " + x + ")", m -> m.getMonthValue()));
      checks.add(new ExpressionCheck<>("EXTRACT(DAY FROM " + x + ")", m -> m.getDayOfMonth()));
      checks.add(new ExpressionCheck<>("EXTRACT(DOY FROM " + x + ")", m -> m.getDayOfYear()));
      checks.add(
          new ExpressionCheck<>(
              "EXTRACT(DOW FROM " + x + ")", m -> m.getDayOfWeek().getValue() % 7 + 1));
      checks.add(
          new ExpressionCheck<>(
              "EXTRACT(ISODOW FROM " + x + ")", m -> m.getDayOfWeek().getValue()));
      checks.add(
          new ExpressionCheck<>(
              "EXTRACT(QUARTER FROM " + x + ")", m -> m.get(IsoFields.QUARTER_OF_YEAR)));
      checks.add(
          new ExpressionCheck<>(
              "EXTRACT(WEEK FROM " + x + ")", m -> m.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)));
      checks.add(
          new ExpressionCheck<>(
              "EXTRACT(ISOYEAR FROM " + x + ")", m -> m.get(IsoFields.WEEK_BASED_YEAR)));
      checks.add(
          new ExpressionCheck<>(
              "EXTRACT(CENTURY FROM " + x + ")", m -> (m.getYear() - 1) / 100 + 1));
      checks.add(new ExpressionCheck<>("EXTRACT(DECADE FROM " + x + ")", m -> m.getYear() / 10));
      checks.add(
          new ExpressionCheck<>(
              "EXTRACT(MILLENNIUM FROM " + x + ")", m -> (m.getYear() - 1) / 1000 + 1));
    }
    checks.add(new ExpressionCheck<>("EXTRACT(HOUR FROM ts)", m -> m.getHour()));
    checks.add(new ExpressionCheck<>("EXTRACT(MINUTE FROM ts)", m -> m.getMinute()));
    checks.add(
        new ExpressionCheck<>(
            "EXTRACT(SECOND FROM ts)",
            m -> BigDecimal.valueOf(m.getSecond() * 1_000_000L + m.getNano() / 1000, 6)));
    checks.add(new ExpressionCheck<>("SECOND(ts)", m -> m.getSecond()));
    checks.add(
        new ExpressionCheck<>("EXTRACT(EPOCH FROM ts)", m -> m.toEpochSecond(ZoneOffset.UTC)));
    checks.add(new ExpressionCheck<>("CAST(dt AS VARCHAR)", m -> m.toLocalDate()));
    checks.add(new ExpressionCheck<>("CAST(ts AS VARCHAR)", DatesTest::text));
    checks.add(new ExpressionCheck<>("CAST(s AS DATE)", m -> m.toLocalDate()));
    checks.add(
        new ExpressionCheck<>("CAST(s AS TIMESTAMP)", m -> text(m.toLocalDate().atStartOfDay())));
    checks.add(new ExpressionCheck<>("CAST(ts AS DATE)", m -> m.toLocalDate()));
    checks.add(
        new ExpressionCheck<>("CAST(dt AS TIMESTAMP)", m -> text(m.toLocalDate().atStartOfDay())));
    checks.add(
        new ExpressionCheck<>(
            "LAST_DAY(dt)", m -> m.with(TemporalAdjusters.lastDayOfMonth()).toLocalDate()));
    checks.add(new ExpressionCheck<>("FLOOR(dt TO MONTH)", m -> m.toLocalDate().withDayOfMonth(1)));
    checks.add(new ExpressionCheck<>("FLOOR(dt TO YEAR)", m -> m.toLocalDate().withDayOfYear(1)));
    checks.add(new ExpressionCheck<>("CEIL(dt TO MONTH)", m -> ceil(m.toLocalDate())));
    checks.add(
        new ExpressionCheck<>(
            "FLOOR(dt TO WEEK)",
            m -> m.toLocalDate().with(TemporalAdjusters.previousOrSame(DayOfWeek.SUNDAY))));
    checks.add(
        new ExpressionCheck<>("FLOOR(ts TO HOUR)", m -> text(m.truncatedTo(ChronoUnit.HOURS))));
    checks.add(
        new ExpressionCheck<>("FLOOR(ts TO DAY)", m -> text(m.truncatedTo(ChronoUnit.DAYS))));
    moved(random, checks);
    return checks;
  }

  private static void moved(Random random, List<ExpressionCheck<LocalDateTime>> checks) {
    int n = 1 + random.nextInt(99);
    LocalDate other = moment(random).toLocalDate();
    checks.add(
        new ExpressionCheck<>(
            "dt + INTERVAL '%d' DAY".formatted(n), m -> m.toLocalDate().plusDays(n)));
    checks.add(
        new ExpressionCheck<>(
            "dt - INTERVAL '%d' MONTH".formatted(n), m -> m.toLocalDate().minusMonths(n)));
    checks.add(
        new ExpressionCheck<>(
            "dt + INTERVAL '%d' YEAR".formatted(n), m -> m.toLocalDate().plusYears(n)));
    checks.add(
        new ExpressionCheck<>("ts + INTERVAL '%d' MONTH".formatted(n), m -> text(m.plusMonths(n))));
    checks.add(
        new ExpressionCheck<>("ts - INTERVAL '%d' HOUR".formatted(n), m -> text(m.minusHours(n))));
    checks.add(
        new ExpressionCheck<>(
            "dt + INTERVAL '%d' HOUR".formatted(n),
            m -> text(m.toLocalDate().atStartOfDay().plusHours(n))));
    checks.add(
        new ExpressionCheck<>(
            "INTERVAL '%d 05:06' DAY TO MINUTE + dt".formatted(n),
            m -> text(m.toLocalDate().atTime(5, 6).plusDays(n))));
    checks.add(
        new ExpressionCheck<>(
            "dt - INTERVAL '%d' SECOND".formatted(n),
            m -> text(m.toLocalDate().atStartOfDay().minusSeconds(n))));
    checks.add(
        new ExpressionCheck<>(
            "TIMESTAMPADD(MONTH, %d, ts)".formatted(n), m -> text(m.plusMonths(n))));
    checks.add(
        new ExpressionCheck<>(
            "TIMESTAMPADD(DAY, -%d, dt)".formatted(n), m -> m.toLocalDate().minusDays(n)));
    checks.add(
        new ExpressionCheck<>(
            "TIMESTAMPDIFF(DAY, dt, DATE '%s')".formatted(other),
            m -> ChronoUnit.DAYS.between(m.toLocalDate(), other)));
    checks.add(
        new ExpressionCheck<>(
            "TIMESTAMPDIFF(MONTH, dt, DATE '%s')".formatted(other),
            m -> ChronoUnit.MONTHS.between(m.toLocalDate(), other)));
    checks.add(
        new ExpressionCheck<>(
            "(dt < DATE '%s')".formatted(other),
            m -> m.toLocalDate().isBefore(other) ? "TRUE" : "FALSE"));
  }

  private static LocalDate ceil(LocalDate day) {
    return day.getDayOfMonth() == 1 ? day : day.withDayOfMonth(1).plusMonths(1);
  }

  private static LocalDateTime moment(Random random) {
    int year =
        switch (random.nextInt(4)) {
          case 0 -> 1582;
          case 1 -> 100 * (2 + random.nextInt(97));
          default -> 110 + random.nextInt(9700);
        };
    LocalDate day = LocalDate.of(year, 1, 1).plusDays(random.nextInt(366));
    if (random.nextInt(4) == 0) {
      day = LocalDate.of(year, 3, 1).minusDays(random.nextInt(3));
    } else if (year == 1582 && random.nextBoolean()) {
      day = LocalDate.of(1582, 10, 4 + random.nextInt(12));
    }
    LocalTime time = LocalTime.ofSecondOfDay(random.nextInt(86_400));
    return day.atTime(time.withNano(random.nextInt(3) == 0 ? 0 : random.nextInt(1_000_000) * 1000));
  }

  private static String text(LocalDateTime moment) {
    String text = moment.format(SECONDS);
    if (moment.getNano() == 0) {
      return text;
    }
    String fraction = "%06d".formatted(moment.getNano() / 1000);
    while (fraction.endsWith("0")) {
      fraction = fraction.substring(0, fraction.length() - 1);
    }
    return text + "." + fraction;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "DATE '1582-10-10' | 1582-10-10",
        "DATE '1582-10-10' + INTERVAL '5' DAY | 1582-10-15",
        "DATE '0001-01-01' | 0001-01-01",
        "DATE '9999-12-31' | 9999-12-31",
        "DATE '1600-02-29' | 1600-02-29",
        "TIMESTAMP '1582-10-10 01:02:03.5' | 1582-10-10 01:02:03.5",
        "CAST('1500-02-28' AS DATE) + INTERVAL '1' DAY | 1500-03-01",
        "EXTRACT(SECOND FROM TIMESTAMP '2001-01-01 00:00:07.25') | 7.250000",
        "EXTRACT(SECOND FROM TIME '00:00:59.999999') | 59.999999",
        "SECOND(TIMESTAMP '2001-01-01 00:00:07.25') | 7",
        "EXTRACT(SECOND FROM TIMESTAMP '1500-03-01 10:20:30.000001') + 1 | 31.000001",
      })
  void casesAlone(String expression, String expected) {
    try (EndToEnd db = new EndToEnd()) {
      assertThat(db.rows("SELECT " + expression)).containsExactly(expected);
      assertThat(db.bridgeRows("SELECT " + expression)).containsExactly(expected);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "SELECT DATE '1500-02-29' | 22007",
        "SELECT CAST('1500-02-29' AS DATE) | 22007",
        "SELECT TIMESTAMP '1500-02-29 00:00:00' | 22007",
        "SELECT k FROM d WHERE dt = '1500-02-29' | 22007",
        "INSERT INTO d (k, dt) VALUES (1, '1500-02-29') | 22007",
        "INSERT INTO d (k, dt) VALUES (1, DATE '1900-02-29') | 22007",
        "SELECT DATE '10000-01-01' | 22008",
        "SELECT DATE '0000-12-31' | 22008",
        "SELECT DATE '-0001-01-01' | 22008",
        "SELECT CAST('12345-01-01' AS DATE) | 22008",
        "SELECT CAST('10000-01-01 00:00:00' AS TIMESTAMP) | 22008",
        "SELECT TIMESTAMP '9999-12-31 23:59:59.9999999' | 22008",
        "SELECT CAST(ts AS TIMESTAMP(0)) FROM d | 22008",
        "SELECT CAST(TIMESTAMP '9999-12-31 23:59:59.9' AS TIMESTAMP(0)) | 22008",
        "INSERT INTO e SELECT ts FROM d | 22008",
        "INSERT INTO e VALUES ('9999-12-31 23:59:59.9') | 22008",
        "SELECT dt + INTERVAL '1' DAY FROM d | 22008",
        "SELECT dt + INTERVAL '9999' YEAR(4) FROM d | 22008",
        "SELECT ts + INTERVAL '1' SECOND FROM d | 22008",
        "SELECT DATE '0001-01-01' - INTERVAL '1' DAY | 22008",
        "SELECT DATE '0001-01-01' - INTERVAL '1' MONTH | 22008",
        "SELECT CEIL(dt TO YEAR) FROM d | 22008",
        "SELECT CEIL(ts TO HOUR) FROM d | 22008",
        "SELECT TIMESTAMPADD(YEAR, 1, dt) FROM d | 22008",
      })
  void daysThatThereAreNotAreRefused(String sql, String state) {
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE d (k INTEGER PRIMARY KEY, dt DATE, ts TIMESTAMP)",
          "CREATE TABLE e (ts TIMESTAMP(0))",
          "INSERT INTO d VALUES (0, DATE '9999-12-31', TIMESTAMP '9999-12-31 23:59:59.9')");
      assertThat(db.state(sql)).isEqualTo(state);
    }
  }
}
