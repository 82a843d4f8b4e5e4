package io.gpdb.session.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.host.HostCasts;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HeldBlocks;
import io.gpdb.storage.memory.MemoryAccount;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A text is the same value, or raises the same SQLSTATE, by CAST, as a bound value and in a file of
 * COPY. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class TextsAgreeTest {
  private static final int TEXTS = 3000;

  private static final List<SqlTypeSpec> TYPES =
      List.of(
          SqlTypeSpec.BOOLEAN,
          SqlTypeSpec.SMALLINT,
          SqlTypeSpec.INTEGER,
          SqlTypeSpec.BIGINT,
          SqlTypeSpec.decimal(18, 0),
          SqlTypeSpec.decimal(18, 18),
          SqlTypeSpec.decimal(7, 3),
          SqlTypeSpec.decimal(19, 0),
          SqlTypeSpec.decimal(38, 12),
          SqlTypeSpec.UUID,
          SqlTypeSpec.TIMESTAMP_TZ,
          new SqlTypeSpec(Kind.TIMESTAMP_TZ, 2, 0),
          IntervalType.of(IntervalType.Fields.SECOND).spec(),
          IntervalType.of(IntervalType.Fields.DAY_TO_HOUR).spec(),
          new IntervalType(IntervalType.Fields.YEAR_TO_MONTH, 2, 0).spec(),
          SqlTypeSpec.REAL,
          SqlTypeSpec.DOUBLE,
          SqlTypeSpec.DATE,
          SqlTypeSpec.TIME,
          new SqlTypeSpec(Kind.TIME, 0, 0),
          SqlTypeSpec.TIMESTAMP,
          new SqlTypeSpec(Kind.TIMESTAMP, 3, 0),
          new SqlTypeSpec(Kind.TIMESTAMP, 0, 0));

  private static final List<String> ODD =
      List.of(
          "",
          " ",
          "-",
          "+",
          ".",
          "-.",
          "e5",
          "1e",
          "1e+",
          "1e400",
          "-1e400",
          "1e-400",
          "1e39",
          "1e99999999999",
          "0e99999999999",
          "1e-99999999999",
          "0x10",
          "1d",
          "1.0f",
          "1_000",
          "--1",
          "1.2.3",
          "1,5",
          "NaN",
          "nan",
          "Infinity",
          "+Infinity",
          "-Infinity",
          "infinity",
          "١٢",
          "½",
          "-0",
          "+0.0",
          "32768",
          "-32768",
          "2147483648",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "999999999999999999.5",
          "0.0005",
          "9999.9995",
          "true",
          "T",
          "oN",
          "0",
          "1",
          "nO",
          "maybe",
          "2001-1-5",
          "2001-01-05T1:2",
          "2001-01-05 24:00:00",
          "10000-01-01",
          "0000-01-01",
          "-0001-01-01",
          "2001-02-29",
          "2000-02-29",
          "9999-12-31 23:59:59.9999999",
          "23:59:59.9999999",
          "23:59:59.9",
          "24:00",
          "1:2:3.",
          "1:2:3.4567894999999",
          "1:2.5",
          "2001-01-05 00:00",
          "2001-01-05 00:00:01",
          "2001-01-05  10:00",
          "2001-01-05\t10:00",
          "2001-01-05 10:00:00Z",
          "1969-12-31 23:59:59.5",
          "2001-01-05 10:00:00+02",
          "2001-01-05T10:00:00.125-0330",
          "2001-01-05 10:00 +18:00",
          "2001-01-05 10:00:00+18:01",
          "2001-01-05 10:00:00+1:60",
          "2001-01-05 10:00:00 UTC",
          "2001-01-05+02",
          "0001-01-01 00:00:00+01:00",
          "9999-12-31 23:59:59.999999-01:00",
          "550e8400-e29b-41d4-a716-446655440000",
          "550E8400E29B41D4A716446655440000",
          " 550e8400-e29b-41d4-a716-446655440000\t",
          "550e8400e29b-41d4-a716-446655440000",
          "{550e8400-e29b-41d4-a716-446655440000}",
          "550e8400-e29b-41d4-a716-44665544000g");

  @Test
  void aTextIsOneValueByCastAsParameterAndInCopy() {
    Long given = Long.getLong("gpdb.seed");
    long first = given == null ? 1 : given;
    int rounds = given == null ? Integer.getInteger("gpdb.fuzz", 1) : 1;
    List<String> problems = new ArrayList<>();
    for (long seed = first; seed < first + rounds; seed++) {
      Random random = new Random(seed);
      List<String> texts = new ArrayList<>(ODD);
      while (texts.size() < TEXTS) {
        texts.add(text(random));
      }
      for (SqlTypeSpec type : TYPES) {
        compare(type, texts, "-Dgpdb.seed=" + seed, problems);
      }
    }
    assertThat(problems).isEmpty();
  }

  private static void compare(
      SqlTypeSpec type, List<String> texts, String replay, List<String> problems) {
    try (HeldBlocks memory = new HeldBlocks(MemoryAccount.current())) {
      ColumnBuffer column = new ColumnBuffer(memory, type.element(), 1);
      OneString string = new OneString();
      FieldLoader loader = FieldLoader.of(type, column, new StringCodes(string));
      for (String text : texts) {
        String cast = cast(type, text);
        String bound = bound(type, text);
        String copied = copied(type, loader, column, string, text);
        if (!cast.equals(bound) || !cast.equals(copied)) {
          problems.add(
              "%s '%s' as %s: CAST %s, bound %s, COPY %s"
                  .formatted(replay, text, type, cast, bound, copied));
        }
      }
    }
  }

  private static String cast(SqlTypeSpec type, String text) {
    try {
      return shown(HostCasts.cast(text, SqlTypeSpec.VARCHAR, type));
    } catch (GpdbException e) {
      return e.code().sqlState();
    }
  }

  private static String bound(SqlTypeSpec type, String text) {
    ParameterColumns columns = new ParameterColumns(List.of(new ParameterDef(type)));
    try {
      columns.setString(0, text);
      return type.kind().isString()
          ? shown(HostValue.ofBytes(type, columns.current().bytes(0)))
          : value(type, columns.current().raw(0));
    } catch (GpdbException e) {
      return e.code().sqlState();
    }
  }

  private static String copied(
      SqlTypeSpec type, FieldLoader loader, ColumnBuffer column, OneString string, String text) {
    byte[] bytes = ("9" + text + "9").getBytes(StandardCharsets.UTF_8);
    try {
      loader.load(bytes, 1, bytes.length - 1, 0);
    } catch (FieldError e) {
      return e.code().sqlState();
    }
    return type.kind().isString()
        ? shown(HostValue.ofBytes(type, string.bytes))
        : value(type, type.element().rawAt(column.values(), 0));
  }

  private static String shown(Object value) {
    return value instanceof byte[] bytes ? Arrays.toString(bytes) : value.toString();
  }

  /** A dictionary that knows the string interned last. */
  private static final class OneString implements CodedStrings {
    private byte[] bytes = {};

    @Override
    public int intern(byte[] b, int off, int len) {
      bytes = Arrays.copyOfRange(b, off, off + len);
      return 0;
    }

    @Override
    public int find(byte[] b, int off, int len) {
      return -1;
    }

    @Override
    public int size() {
      return 1;
    }

    @Override
    public long version() {
      return 0;
    }

    @Override
    public byte[] bytes(int code) {
      return bytes;
    }

    @Override
    public String string(int code) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private static String value(SqlTypeSpec type, long raw) {
    return HostValue.ofRaw(type, raw).toString();
  }

  private static String text(Random random) {
    String text =
        switch (random.nextInt(4)) {
          case 0, 1 -> number(random);
          case 2 -> time(random);
          default -> date(random) + (random.nextBoolean() ? " " : "T") + time(random);
        };
    if (random.nextInt(3) == 0) {
      text = random.nextBoolean() ? date(random) : number(random);
    }
    return switch (random.nextInt(8)) {
      case 0 -> " " + text + "  ";
      case 1 -> "\t" + text;
      case 2 -> damaged(random, text);
      default -> text;
    };
  }

  private static String damaged(Random random, String text) {
    int at = random.nextInt(text.length() + 1);
    String odd = List.of("", "-", "x", " ", ".", "0", ":", "é", "e").get(random.nextInt(9));
    return text.substring(0, at) + odd + text.substring(Math.min(text.length(), at + 1));
  }

  private static String number(Random random) {
    StringBuilder text = new StringBuilder(List.of("", "", "-", "+").get(random.nextInt(4)));
    digits(random, text, random.nextInt(random.nextInt(4) == 0 ? 24 : 7));
    if (random.nextInt(3) > 0) {
      digits(random, text.append('.'), random.nextInt(22));
    }
    if (random.nextInt(5) == 0) {
      text.append(random.nextBoolean() ? 'e' : 'E').append(random.nextInt(100) - 50);
    }
    return text.toString();
  }

  private static String date(Random random) {
    String year = "%04d".formatted(random.nextInt(20) == 0 ? 10_050 : 1 + random.nextInt(9999));
    return year + "-" + part(random, 13) + "-" + part(random, 32);
  }

  private static String time(Random random) {
    StringBuilder text = new StringBuilder(part(random, 25)).append(':').append(part(random, 61));
    if (random.nextInt(4) > 0) {
      text.append(':').append(part(random, 61));
      if (random.nextBoolean()) {
        digits(random, text.append('.'), random.nextInt(12));
      }
    }
    return text.toString();
  }

  private static String part(Random random, int bound) {
    return (random.nextInt(4) == 0 ? "%d" : "%02d").formatted(random.nextInt(bound));
  }

  private static void digits(Random random, StringBuilder text, int count) {
    for (int i = 0; i < count; i++) {
      text.append((char) ('0' + (random.nextInt(3) == 0 ? 9 : random.nextInt(10))));
    }
  }
}
