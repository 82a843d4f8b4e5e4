package io.gpdb.sql.type;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * A type of intervals. Values are months, or microseconds where the fields are days and less.
 *
 * @param leading most digits of the first field
 * @param fraction digits of the fraction of a second
 */
public record IntervalType(Fields fields, int leading, int fraction) {
  /** Digits of the first field of a column's type where none are written. */
  public static final int LEADING_DEFAULT = 2;

  /** More digits than the first field of any value has. */
  public static final int LEADING_MAX = 18;

  private static final long MICROS_PER_SECOND = 1_000_000L;

  private static final long MICROS_PER_DAY = 86_400L * MICROS_PER_SECOND;

  private static final int FRACTION_MAX = SqlTypeSpec.FRACTION_DIGITS_MAX;

  /** What separates the number in {@link SqlTypeSpec#scale()} into fields and fraction. */
  private static final int FRACTIONS = 10;

  /** The units of fields, by the order of {@link #UNIT_NAMES}. */
  private static final long[] UNITS = {
    12, 1, MICROS_PER_DAY, 3_600_000_000L, 60_000_000L, MICROS_PER_SECOND
  };

  private static final TimeUnit[] UNIT_NAMES = {
    TimeUnit.YEAR, TimeUnit.MONTH, TimeUnit.DAY, TimeUnit.HOUR, TimeUnit.MINUTE, TimeUnit.SECOND
  };

  /** Values that a field has where it is not the first. */
  private static final int[] VALUES = {0, 12, 0, 24, 60, 60};

  private static final String[] BEFORE = {"", "-", "", " ", ":", ":"};

  private static final int SECOND = 5;

  private static final Map<Fields, Pattern> TEXTS = texts();

  /** The fields of an interval, from the first to the last. */
  public enum Fields {
    YEAR(0, 0),
    YEAR_TO_MONTH(0, 1),
    MONTH(1, 1),
    DAY(2, 2),
    DAY_TO_HOUR(2, 3),
    DAY_TO_MINUTE(2, 4),
    DAY_TO_SECOND(2, 5),
    HOUR(3, 3),
    HOUR_TO_MINUTE(3, 4),
    HOUR_TO_SECOND(3, 5),
    MINUTE(4, 4),
    MINUTE_TO_SECOND(4, 5),
    SECOND(5, 5);

    private static final int CODES = 10;

    private final int first;
    private final int last;

    Fields(int first, int last) {
      this.first = first;
      this.last = last;
    }

    /** Whether values are months. */
    public boolean isMonths() {
      return last <= 1;
    }

    /** Whether the last field is the second, which has a fraction. */
    public boolean hasSeconds() {
      return last == IntervalType.SECOND;
    }

    /** Months or microseconds of one of the last field. */
    public long unit() {
      return UNITS[last];
    }

    /** The number by which a stored type names the fields. */
    private int code() {
      return first * CODES + last;
    }

    private static Fields of(int code) {
      for (Fields fields : values()) {
        if (fields.code() == code) {
          return fields;
        }
      }
      throw new IllegalArgumentException("fields of an interval: " + code);
    }

    private static Fields of(TimeUnit first, TimeUnit last) {
      for (Fields fields : values()) {
        if (UNIT_NAMES[fields.first] == first && UNIT_NAMES[fields.last] == last) {
          return fields;
        }
      }
      return first == TimeUnit.QUARTER
          ? MONTH
          : first == TimeUnit.WEEK ? DAY : first.yearMonth ? YEAR_TO_MONTH : SECOND;
    }
  }

  private static Map<Fields, Pattern> texts() {
    Map<Fields, Pattern> texts = new EnumMap<>(Fields.class);
    for (Fields fields : Fields.values()) {
      StringBuilder text = new StringBuilder("\\s*([+-]?)\\s*([0-9]{1,18})");
      for (int i = fields.first + 1; i <= fields.last; i++) {
        text.append(BEFORE[i].isBlank() ? "\\s+" : "\\s*" + BEFORE[i] + "\\s*");
        text.append("([0-9]{1,2})");
      }
      texts.put(
          fields, Pattern.compile(text + (fields.hasSeconds() ? "(\\.[0-9]*)?" : "") + "\\s*"));
    }
    return texts;
  }

  /** The type that holds all intervals of the fields. */
  public static IntervalType of(Fields fields) {
    return new IntervalType(fields, LEADING_MAX, fields.hasSeconds() ? FRACTION_MAX : 0);
  }

  /** The type of an interval of Calcite's. */
  public static IntervalType of(RelDataType type) {
    return of(Objects.requireNonNull(type.getIntervalQualifier(), "qualifier"));
  }

  /** The type that a qualifier writes; digits that it leaves out are the most. */
  public static IntervalType of(SqlIntervalQualifier qualifier) {
    TimeUnit first = qualifier.getStartUnit();
    TimeUnit end = qualifier.getEndUnit();
    Fields fields = Fields.of(first, end == null ? first : end);
    int leading = qualifier.getStartPrecisionPreservingDefault();
    int fraction = qualifier.getFractionalSecondPrecisionPreservingDefault();
    return new IntervalType(
        fields,
        leading < 0 ? LEADING_MAX : leading,
        !fields.hasSeconds() ? 0 : fraction < 0 ? FRACTION_MAX : Math.min(fraction, FRACTION_MAX));
  }

  /** The type whose {@link #spec()} that is. */
  public static IntervalType of(SqlTypeSpec spec) {
    return of(spec.precision(), spec.scale());
  }

  /** The type of {@link SqlTypeSpec#precision()} and {@link SqlTypeSpec#scale()}. */
  public static IntervalType of(int precision, int scale) {
    return new IntervalType(Fields.of(scale / FRACTIONS), precision, scale % FRACTIONS);
  }

  /** The type with as many digits of the first field as any value has. */
  public IntervalType unlimited() {
    return new IntervalType(fields, LEADING_MAX, fraction);
  }

  /** The type as the engine has it. */
  public SqlTypeSpec spec() {
    SqlTypeSpec.Kind kind =
        fields.isMonths() ? SqlTypeSpec.Kind.INTERVAL_MONTHS : SqlTypeSpec.Kind.INTERVAL_MICROS;
    return new SqlTypeSpec(kind, leading, fields.code() * FRACTIONS + fraction);
  }

  /** The qualifier of Calcite's type. */
  public SqlIntervalQualifier qualifier() {
    boolean single = fields.first == fields.last;
    return new SqlIntervalQualifier(
        UNIT_NAMES[fields.first],
        leading == LEADING_MAX ? RelDataType.PRECISION_NOT_SPECIFIED : leading,
        single ? null : UNIT_NAMES[fields.last],
        fields.hasSeconds() && fraction < FRACTION_MAX
            ? fraction
            : RelDataType.PRECISION_NOT_SPECIFIED,
        SqlParserPos.ZERO);
  }

  /** The qualifier as SQL writes it. */
  public String qualifierText() {
    String digits = leading == LEADING_MAX ? "" : "(" + leading + ")";
    String ofSecond = fraction == FRACTION_MAX ? "" : "(" + fraction + ")";
    if (fields == Fields.SECOND) {
      String lone =
          leading == LEADING_MAX
              ? ""
              : "(" + leading + (ofSecond.isEmpty() ? "" : ", " + fraction) + ")";
      return "SECOND" + lone;
    }
    String first = UNIT_NAMES[fields.first] + digits;
    return fields.first == fields.last
        ? first
        : first + " TO " + UNIT_NAMES[fields.last] + (fields.hasSeconds() ? ofSecond : "");
  }

  @Override
  public String toString() {
    return "INTERVAL " + qualifierText();
  }

  /** Of how many months or microseconds values are multiples. */
  public long unit() {
    long unit = fields.unit();
    for (int i = 0; i < fraction; i++) {
      unit /= 10;
    }
    return unit;
  }

  /** A field's months or microseconds and how many values it has, 0 for any; none without it. */
  public long[] place(TimeUnit field) {
    for (int i = fields.first; i <= fields.last; i++) {
      if (UNIT_NAMES[i] == field) {
        return new long[] {UNITS[i], i == fields.first ? 0 : VALUES[i]};
      }
    }
    return new long[0];
  }

  /** The names of the fields alone, {@code DAY TO SECOND}. */
  public String fieldNames() {
    return fields.name().replace('_', ' ');
  }

  /** A value as text: the first field as it is, others with two digits. */
  public String format(long value) {
    StringBuilder text = new StringBuilder(value < 0 ? "-" : "");
    long rest = Math.abs(value);
    for (int i = fields.first; i <= fields.last; i++) {
      long field = Long.divideUnsigned(rest, UNITS[i]);
      rest = Long.remainderUnsigned(rest, UNITS[i]);
      boolean padded = i > fields.first && field < 10;
      text.append(i > fields.first ? BEFORE[i] : "").append(padded ? "0" : "").append(field);
    }
    if (fraction > 0) {
      String digits = Long.toString(MICROS_PER_SECOND + rest).substring(1);
      text.append('.').append(digits, 0, fraction);
    }
    return text.toString();
  }

  /** Characters of the longest text. */
  public int lengthMax() {
    int others = (fields.last - fields.first) * "-00".length();
    return 1 + leading + others + (fraction == 0 ? 0 : 1 + fraction);
  }

  /** The value that a text spells; 22006 where it spells none, 22015 for too many digits. */
  public long parse(String text) {
    Matcher matcher = Objects.requireNonNull(TEXTS.get(fields)).matcher(text);
    if (!matcher.matches()) {
      throw notOne(text);
    }
    try {
      long value = Math.multiplyExact(Long.parseLong(matcher.group(2)), UNITS[fields.first]);
      int group = 3;
      for (int i = fields.first + 1; i <= fields.last; i++) {
        int field = Integer.parseInt(matcher.group(group++));
        if (field >= VALUES[i]) {
          throw notOne(text);
        }
        value = Math.addExact(value, field * UNITS[i]);
      }
      if (fields.hasSeconds() && matcher.group(group) != null) {
        value = Math.addExact(value, micros(matcher.group(group)));
      }
      return checked(matcher.group(1).equals("-") ? -value : value);
    } catch (ArithmeticException e) {
      throw overflow(text);
    }
  }

  private static long micros(String point) {
    return new BigDecimal("0" + point + "0")
        .movePointRight(FRACTION_MAX)
        .setScale(0, RoundingMode.HALF_UP)
        .longValueExact();
  }

  private GpdbException notOne(String text) {
    return new GpdbException(
        SqlCondition.INVALID_INTERVAL, "'" + text + "' is not a value of type " + this);
  }

  private GpdbException overflow(String value) {
    return new GpdbException(
        SqlCondition.INTERVAL_OVERFLOW, "'" + value + "' is out of range for " + this);
  }

  /** The value with the type's digits of the second, half up; 22015 for one with more digits. */
  public long checked(long value) {
    long kept = fields.hasSeconds() ? rounded(value) : value - value % fields.unit();
    if (leading < LEADING_MAX) {
      long first = Math.abs(kept / UNITS[fields.first]);
      if (Long.toString(first).length() > leading) {
        throw overflow(format(value));
      }
    }
    return kept;
  }

  private long rounded(long value) {
    if (fraction == FRACTION_MAX) {
      return value;
    }
    return BigDecimal.valueOf(value, FRACTION_MAX)
        .setScale(fraction, RoundingMode.HALF_UP)
        .movePointRight(FRACTION_MAX)
        .longValueExact();
  }

  /** The value that a number of the last field is. */
  public long ofNumber(BigDecimal number) {
    BigDecimal units = number.multiply(BigDecimal.valueOf(fields.unit()));
    BigDecimal whole =
        fields.hasSeconds()
            ? units
            : number.setScale(0, RoundingMode.HALF_UP).multiply(BigDecimal.valueOf(fields.unit()));
    try {
      return checked(whole.setScale(0, RoundingMode.HALF_UP).longValueExact());
    } catch (ArithmeticException e) {
      throw overflow(number.toPlainString());
    }
  }

  /** The value as a number of the last field, of seconds with their fraction. */
  public BigDecimal number(long value) {
    return fields.hasSeconds()
        ? BigDecimal.valueOf(value, FRACTION_MAX)
        : BigDecimal.valueOf(value / fields.unit());
  }
}
