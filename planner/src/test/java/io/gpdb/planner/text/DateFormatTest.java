package io.gpdb.planner.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.GpdbException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random times by random formats are as java.time writes them, and are read back. */
class DateFormatTest {
  private static final int ROUNDS = 2000;

  /** A field, as java.time has it, and whether texts are read by it. */
  private record Field(String name, String pattern, boolean isRead) {}

  private static final List<Field> FIELDS =
      List.of(
          new Field("YYYY", "yyyy", true),
          new Field("YY", "yy", false),
          new Field("IYYY", "YYYY", false),
          new Field("Q", "Q", false),
          new Field("MM", "MM", true),
          new Field("Mon", "MMM", true),
          new Field("IW", "ww", false),
          new Field("DDD", "DDD", true),
          new Field("dd", "dd", true),
          new Field("Dy", "EEE", false),
          new Field("HH24", "HH", true),
          new Field("HH", "hh", true),
          new Field("MI", "mm", true),
          new Field("SS", "ss", true),
          new Field("FF3", "SSS", true),
          new Field("US", "SSSSSS", true),
          new Field("AM", "a", true),
          new Field("\"it's\"", "'it''s'", true));

  /** Weeks of the ISO calendar, English names. */
  private static final Locale LOCALE =
      new Locale.Builder()
          .setLanguage("en")
          .setRegion("GB")
          .setUnicodeLocaleKeyword("fw", "mon")
          .build();

  private final long seed = Long.getLong("gpdb.seed", 20261126L);
  private final Random random = new Random(seed);

  @Test
  void textsAreThoseOfJavaTime() {
    for (int i = 0; i < ROUNDS; i++) {
      StringBuilder format = new StringBuilder();
      StringBuilder pattern = new StringBuilder();
      for (int fields = random.nextInt(6); fields >= 0; fields--) {
        Field field = FIELDS.get(random.nextInt(FIELDS.size()));
        String between = List.of("-", " ", ":", "/", ", ").get(random.nextInt(5));
        format.append(field.name).append(between);
        pattern.append(field.pattern).append(between);
      }
      LocalDateTime time = time();
      String expected = DateTimeFormatter.ofPattern(pattern.toString(), LOCALE).format(time);
      assertThat(new DateFormat(format.toString()).text(time))
          .as("seed %s: %s of %s", seed, format, time)
          .isEqualToIgnoringCase(expected.replace("Sept", "Sep"));
    }
  }

  @Test
  void whatIsWrittenIsReadBack() {
    List<String> formats =
        List.of(
            "YYYY-MM-DD HH24:MI:SS.US",
            "HH:MI:SS.FF6 AM, DD Mon YYYY",
            "FF6 SS MI HH12 pm DDD YYYY",
            "YYYYMMDDHH24MISSUS");
    for (int i = 0; i < ROUNDS; i++) {
      LocalDateTime time = time();
      DateFormat format = new DateFormat(formats.get(random.nextInt(formats.size())));
      String text = format.text(time);
      assertThat(format.time(text)).as("seed %s: %s", seed, text).isEqualTo(time);
    }
    assertThat(new DateFormat("DD month YYYY").date("29 FEBRUARY 2020"))
        .isEqualTo(LocalDate.of(2020, 2, 29));
  }

  @Test
  void whatIsNoneRaises() {
    for (String[] each :
        new String[][] {
          {"YYYY-MM-DD", "2021-02-29", "22007"},
          {"YYYY-MM-DD", "2021-02-2x", "22007"},
          {"YYYY-MM-DD", "2021-02", "22007"},
          {"YYYY-MM-DD", "2021-02-03 ", "22007"},
          {"MM-DD", "02-03", "22007"},
          {"HH YYYY", "13 2021", "22007"},
          {"YYYY DAY", "2021 MONDAY", "0A000"},
          {"YYYY HH24", "2021 10", "0A000"},
          {"YYYY X", "2021 10", "22007"},
          {"YYYY \"x", "2021 x", "22007"}
        }) {
      assertThatThrownBy(() -> new DateFormat(each[0]).date(each[1]))
          .as(String.join(" of ", each))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.sqlState()).isEqualTo(each[2]));
    }
  }

  private LocalDateTime time() {
    return LocalDateTime.of(1000, 1, 1, 0, 0)
        .plusDays(random.nextInt(3_000_000))
        .plusNanos(random.nextLong(86_400_000_000L) * 1000);
  }
}
