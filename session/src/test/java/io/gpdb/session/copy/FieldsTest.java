package io.gpdb.session.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.ErrorCondition;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldsTest {
  private static final byte[] PAD = {'9', '9', '9'};

  /** A parser of one field; the text is between other digits, which must not count. */
  private interface Parser<T> {
    T parse(byte[] b, int start, int end);
  }

  private static <T> T parse(String text, Parser<T> parser) {
    byte[] field = text.getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[PAD.length * 2 + field.length];
    System.arraycopy(PAD, 0, all, 0, PAD.length);
    System.arraycopy(field, 0, all, PAD.length, field.length);
    System.arraycopy(PAD, 0, all, PAD.length + field.length, PAD.length);
    return parser.parse(all, PAD.length, PAD.length + field.length);
  }

  private static long integer(String text) {
    return parse(text, (b, s, e) -> NumberFields.integer(SqlTypeSpec.BIGINT, b, s, e));
  }

  private static long decimal(String text, int precision, int scale) {
    return parse(
        text, (b, s, e) -> NumberFields.decimal(SqlTypeSpec.decimal(precision, scale), b, s, e));
  }

  private static double real(byte[] b, int start, int end) {
    return Double.longBitsToDouble(NumberFields.real(b, start, end));
  }

  private static float singleReal(byte[] b, int start, int end) {
    return Float.intBitsToFloat((int) NumberFields.parsed(SqlTypeSpec.REAL, b, start, end));
  }

  private static long bool(byte[] b, int start, int end) {
    return NumberFields.parsed(SqlTypeSpec.BOOLEAN, b, start, end);
  }

  private static void assertRefused(ErrorCondition code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(FieldError.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void integersOfAllSizesAreRead() {
    assertThat(integer("0")).isZero();
    assertThat(integer(" -17 ")).isEqualTo(-17);
    assertThat(integer("+5")).isEqualTo(5);
    assertThat(integer("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
    assertThat(integer("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void anExactIntegerHasNoFraction() {
    for (String whole : new String[] {"1", "1.0", "1e2", "12.50e1", " -3. "}) {
      NumberFields.requireWhole(SqlTypeSpec.BIGINT, bytes(whole), 0, bytes(whole).length);
    }
    for (String broken : new String[] {"1.5", "1e-1", "-0.0001"}) {
      assertRefused(
          SqlCondition.INVALID_CAST,
          () ->
              NumberFields.requireWhole(
                  SqlTypeSpec.BIGINT, bytes(broken), 0, bytes(broken).length));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775808", "-9223372036854775809", "99999999999999999999999"})
  void integersBeyondTheRangeAreRefused(String text) {
    assertRefused(ErrorCode.NUMERIC_OUT_OF_RANGE, () -> integer(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "-", "1 2", "0x1", "١"})
  void textsThatAreNoIntegersAreRefused(String text) {
    assertRefused(SqlCondition.INVALID_CAST, () -> integer(text));
  }

  @Test
  void decimalsAgreeWithBigDecimal() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      int scale = random.nextInt(7);
      int places = random.nextInt(10);
      BigDecimal value = BigDecimal.valueOf(random.nextLong() >> 8 + random.nextInt(50), places);
      BigDecimal rounded = value.setScale(scale, RoundingMode.HALF_UP);
      if (rounded.precision() <= 18 && value.precision() - value.scale() <= 18 - scale) {
        assertThat(decimal(value.toPlainString(), 18, scale))
            .as("%s to scale %s", value, scale)
            .isEqualTo(rounded.unscaledValue().longValueExact());
      }
    }
  }

  @Test
  void decimalsRoundHalfUpAndKeepTheirRange() {
    assertThat(decimal("1.005", 5, 2)).isEqualTo(101);
    assertThat(decimal("-1.005", 5, 2)).isEqualTo(-101);
    assertThat(decimal("1.5e2", 5, 1)).isEqualTo(1500);
    assertThat(decimal(".5", 5, 1)).isEqualTo(5);
    assertThat(decimal("0.0000000000000000000000001", 5, 2)).isZero();
    assertThat(decimal("999.99", 5, 2)).isEqualTo(99999);
    assertRefused(ErrorCode.NUMERIC_OUT_OF_RANGE, () -> decimal("1000", 5, 2));
    assertRefused(ErrorCode.NUMERIC_OUT_OF_RANGE, () -> decimal("999.995", 5, 2));
    assertRefused(ErrorCode.NUMERIC_OUT_OF_RANGE, () -> decimal("1e999999999", 5, 2));
    assertRefused(SqlCondition.INVALID_CAST, () -> decimal("1.2.3", 5, 2));
    assertRefused(SqlCondition.INVALID_CAST, () -> decimal(".", 5, 2));
  }

  @Test
  void doublesAgreeWithJava() {
    Random random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      String text =
          i % 2 == 0
              ? Double.toString(Double.longBitsToDouble(random.nextLong()))
              : BigDecimal.valueOf(random.nextLong() >> random.nextInt(60), random.nextInt(20))
                  .toPlainString();
      assertThat(parse(text, FieldsTest::real)).isEqualTo(Double.valueOf(text));
    }
    assertThat(parse("-0.0", FieldsTest::real)).isEqualTo(-0.0);
    assertThat(parse("NaN", FieldsTest::real)).isNaN();
    assertThat(parse("-Infinity", FieldsTest::real)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(parse("0.1", FieldsTest::singleReal)).isEqualTo(0.1f);
    assertRefused(ErrorCode.NUMERIC_OUT_OF_RANGE, () -> parse("1e999", FieldsTest::real));
    assertRefused(ErrorCode.NUMERIC_OUT_OF_RANGE, () -> parse("1e39", FieldsTest::singleReal));
    for (String text : new String[] {"", "1.0f", "1d", "0x1p3", "--1", "1,5"}) {
      assertRefused(SqlCondition.INVALID_CAST, () -> parse(text, FieldsTest::real));
    }
  }

  @Test
  void everyDayOfFourThousandYearsHasItsNumber() {
    for (LocalDate day = LocalDate.of(1, 1, 1);
        day.getYear() < 4000;
        day = day.plusDays(day.getYear() < 1890 ? 13 : 1)) {
      String text = day.toString();
      assertThat((long) parse(text, TimeFields::date)).as(text).isEqualTo(day.toEpochDay());
    }
  }

  @Test
  void timestampsAreMicrosecondsWithoutAZone() {
    Random random = new Random(5);
    for (int i = 0; i < 5_000; i++) {
      long micros = random.nextLong(-60_000_000_000_000_000L, 250_000_000_000_000_000L);
      LocalDateTime value =
          LocalDateTime.ofEpochSecond(
              Math.floorDiv(micros, 1_000_000L),
              (int) Math.floorMod(micros, 1_000_000L) * 1000,
              ZoneOffset.UTC);
      String text = value.toString().replace('T', i % 2 == 0 ? ' ' : 'T');
      assertThat(timestamp(text, 6)).as(text).isEqualTo(micros);
    }
    assertThat(timestamp("1970-01-02", 6)).isEqualTo(86_400_000_000L);
    assertThat(timestamp("1970-01-01 00:00:00.0000005", 6)).isEqualTo(1);
    assertThat(timestamp("1970-01-01 00:00:01.5", 0)).isEqualTo(2_000_000);
    assertThat(timestamp("1969-12-31 23:59:59.4", 0)).isEqualTo(-1_000_000);
  }

  private static long timestamp(String text, int digits) {
    return parse(
        text,
        (b, s, e) -> TimeFields.timestamp(new SqlTypeSpec(Kind.TIMESTAMP, digits, 0), b, s, e));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2001-02-29",
        "2001-13-01",
        "2001-00-10",
        "2001-01-32",
        "0000-01-01",
        "2001-01-01 24:00:00",
        "2001-01-01 00:60:00",
        "2001-01-01 00:00:60",
        "2001-01-01x00:00",
        "2001-01-01 00:00:00Z",
        "2001-01-01 00:00:00+01",
        "2001-01-01 00:00:00.",
        "200١-01-01",
        ""
      })
  void timesThatDoNotExistAreRefused(String text) {
    ErrorCondition code =
        text.startsWith("0000-") ? SqlCondition.DATETIME_OVERFLOW : SqlCondition.INVALID_DATETIME;
    assertRefused(code, () -> timestamp(text, 6));
  }

  @Test
  void aTimeOfDayStaysWithinTheDay() {
    assertThat(time("23:59:59.999999", 6)).isEqualTo(86_399_999_999L);
    assertThat(time("07:05", 6)).isEqualTo(25_500_000_000L);
    assertThat(time("23:59:59.9", 0)).isZero();
    assertRefused(SqlCondition.INVALID_DATETIME, () -> time("24:00", 0));
  }

  private static long time(String text, int digits) {
    return parse(
        text, (b, s, e) -> NumberFields.parsed(new SqlTypeSpec(Kind.TIME, digits, 0), b, s, e));
  }

  @Test
  void booleansAreWordsInAnyCase() {
    assertThat(parse("TRUE", FieldsTest::bool)).isOne();
    assertThat(parse("f", FieldsTest::bool)).isZero();
    assertRefused(SqlCondition.INVALID_CAST, () -> parse("maybe", FieldsTest::bool));
  }
}
