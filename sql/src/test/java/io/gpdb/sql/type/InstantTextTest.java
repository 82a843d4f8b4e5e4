package io.gpdb.sql.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.GpdbException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InstantTextTest {
  private final TimeZone before = TimeZone.getDefault();

  @AfterEach
  void restore() {
    TimeZone.setDefault(before);
  }

  @Test
  void instantsAreThoseOfJavaTimeInAnyZone() {
    Random random = new Random(1);
    for (String zone : List.of("UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe")) {
      TimeZone.setDefault(TimeZone.getTimeZone(zone));
      for (int i = 0; i < 300; i++) {
        Instant instant =
            Instant.ofEpochSecond(random.nextLong(-1_500_000_000L, 30_000_000_000L))
                .plus(random.nextInt(1_000_000), ChronoUnit.MICROS);
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, instant);
        assertThat(InstantText.parse(InstantText.format(micros))).as(zone).isEqualTo(micros);
        LocalDateTime local = instant.atZone(ZoneId.of(zone)).toLocalDateTime();
        String shown = local.toString().replace('T', ' ');
        assertThat(TemporalText.parseTimestamp(shown)).isEqualTo(InstantText.toLocal(micros));
        Instant back = local.atZone(ZoneId.of(zone)).toInstant();
        assertThat(InstantText.ofLocal(InstantText.toLocal(micros)))
            .isEqualTo(ChronoUnit.MICROS.between(Instant.EPOCH, back));
        assertThat(InstantText.ofLiteral(InstantText.literal(micros))).isEqualTo(micros);
      }
    }
  }

  @Test
  void clocksThatArePutForwardOrBack() {
    TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
    assertThat(InstantText.format(InstantText.parse("2020-03-08 02:30:00")))
        .isEqualTo("2020-03-08 03:30:00-04:00");
    assertThat(InstantText.format(InstantText.parse("2020-11-01 01:30:00")))
        .isEqualTo("2020-11-01 01:30:00-04:00");
    assertThat(InstantText.format(InstantText.parse("2020-11-01 01:30:00-05")))
        .isEqualTo("2020-11-01 01:30:00-05:00");
  }

  @Test
  void whatIsNoInstantIsRefused() {
    for (String text : List.of("", "Z", "2020-01-01+02", "2020-01-01 00:00:00+19", "10:00Z")) {
      assertThatThrownBy(() -> InstantText.parse(text))
          .as(text)
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code().sqlState()).isEqualTo("22007"));
    }
    assertThatThrownBy(() -> InstantText.parse("0001-01-01 00:00:00+12"))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code().sqlState()).isEqualTo("22008"));
  }
}
