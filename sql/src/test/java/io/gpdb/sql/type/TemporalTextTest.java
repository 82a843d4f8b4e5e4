package io.gpdb.sql.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.GpdbException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemporalTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1970-01-01 00:00:00",
        "2001-12-31 23:59:59.999999",
        "1969-12-31 23:59:59.5",
        "0001-01-01 00:00:00",
        "9999-12-31 23:59:59.000001"
      })
  void timestampsComeBackAsTheyWere(String text) {
    assertThat(TemporalText.formatTimestamp(TemporalText.parseTimestamp(text))).isEqualTo(text);
  }

  @Test
  void daysBeforeAndAfterTheFourDigitYearsHaveAText() {
    assertThat(TemporalText.formatDate(-719_529)).isEqualTo("-0001-12-31");
    assertThat(TemporalText.formatDate(2_932_897)).isEqualTo("10000-01-01");
  }

  @Test
  void shortFormsAreTaken() {
    assertThat(TemporalText.parseTimestamp("2001-1-2"))
        .isEqualTo(TemporalText.parseTimestamp("2001-01-02 00:00:00"));
    assertThat(TemporalText.parseTimestamp("2001-01-02T03:04"))
        .isEqualTo(TemporalText.parseTimestamp("2001-01-02 03:04:00"));
    assertThat(TemporalText.parseTime("1:02:03.1234565")).isEqualTo(3_723_123_457L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "2001-02-30", "2001-13-01", "2001-01-01 24:00:00", "2001-01-01 1:2:3."})
  void nonsenseIsRefused(String text) {
    assertThatThrownBy(() -> TemporalText.parseTimestamp(text))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.sqlState()).isEqualTo("22007"));
  }
}
