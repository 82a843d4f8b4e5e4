package io.gpdb.sql.type;

import io.gpdb.storage.column.ElementType;

/**
 * A type of SQL as the engine stores it. {@code precision} is the number of digits of a DECIMAL, of
 * fractional seconds of a TIME or TIMESTAMP, the most characters (bytes) of a string, and {@link
 * #UNBOUNDED} for a string without a limit; {@code scale} is the digits of a DECIMAL after the
 * point, {@link #LARGE} for a large object, and 0 for any other type. A large object is a VARCHAR
 * or VARBINARY that is called CLOB or BLOB.
 */
public record SqlTypeSpec(Kind kind, int precision, int scale) {
  /** Precision of a string type without a limit. */
  public static final int UNBOUNDED = -1;

  /** Digits that a DECIMAL may have. */
  public static final int DECIMAL_DIGITS_MAX = 38;

  /** Digits up to which a DECIMAL is narrow: a scaled 64-bit integer. */
  public static final int NARROW_DIGITS_MAX = 18;

  /** Digits of fractional seconds that a TIME or TIMESTAMP may have. */
  public static final int FRACTION_DIGITS_MAX = 6;

  /** Characters or bytes that a declared string length may have. */
  public static final int LENGTH_MAX = 16 * 1024 * 1024;

  /** Scale of a string type that is a large object: a CLOB or a BLOB. */
  public static final int LARGE = 1;

  /**
   * Length of the types of expressions that are large objects: beyond what a string may have, and
   * such that two of them do not overflow.
   */
  public static final int LARGE_LENGTH = (1 << 30) - 1;

  public static final SqlTypeSpec BOOLEAN = new SqlTypeSpec(Kind.BOOLEAN, 0, 0);
  public static final SqlTypeSpec TINYINT = new SqlTypeSpec(Kind.TINYINT, 0, 0);
  public static final SqlTypeSpec SMALLINT = new SqlTypeSpec(Kind.SMALLINT, 0, 0);
  public static final SqlTypeSpec INTEGER = new SqlTypeSpec(Kind.INTEGER, 0, 0);
  public static final SqlTypeSpec BIGINT = new SqlTypeSpec(Kind.BIGINT, 0, 0);
  public static final SqlTypeSpec REAL = new SqlTypeSpec(Kind.REAL, 0, 0);
  public static final SqlTypeSpec DOUBLE = new SqlTypeSpec(Kind.DOUBLE, 0, 0);

  /** The average of an INTEGER or a narrower number: all its digits, and six after the point. */
  public static final SqlTypeSpec AVERAGE_OF_INTEGER = new SqlTypeSpec(Kind.DECIMAL, 16, 6);

  public static final SqlTypeSpec DATE = new SqlTypeSpec(Kind.DATE, 0, 0);
  public static final SqlTypeSpec TIME = new SqlTypeSpec(Kind.TIME, FRACTION_DIGITS_MAX, 0);
  public static final SqlTypeSpec TIMESTAMP =
      new SqlTypeSpec(Kind.TIMESTAMP, FRACTION_DIGITS_MAX, 0);
  public static final SqlTypeSpec TIMESTAMP_TZ =
      new SqlTypeSpec(Kind.TIMESTAMP_TZ, FRACTION_DIGITS_MAX, 0);
  public static final SqlTypeSpec VARCHAR = new SqlTypeSpec(Kind.VARCHAR, UNBOUNDED, 0);
  public static final SqlTypeSpec VARBINARY = new SqlTypeSpec(Kind.VARBINARY, UNBOUNDED, 0);

  public static final SqlTypeSpec UUID = new SqlTypeSpec(Kind.UUID, 0, 0);

  public static final SqlTypeSpec CLOB = new SqlTypeSpec(Kind.VARCHAR, UNBOUNDED, LARGE);
  public static final SqlTypeSpec BLOB = new SqlTypeSpec(Kind.VARBINARY, UNBOUNDED, LARGE);

  /** What the raw bits of a value are. */
  public enum Form {
    /** 1 for TRUE, 0 for FALSE. */
    TRUTH,
    /** A whole number: an integer, days, months or microseconds. */
    WHOLE,
    /** A float of 32 bits. */
    REAL,
    /** A float of 64 bits. */
    DOUBLE,
    /** A whole number to be divided by as many tens as the type's scale says. */
    SCALED,
    /** The code of a byte string in a dictionary. */
    CODE
  }

  /** The families of types that gpDB stores. */
  public enum Kind {
    BOOLEAN(ElementType.I8, Form.TRUTH),
    TINYINT(ElementType.I8, Form.WHOLE),
    SMALLINT(ElementType.I16, Form.WHOLE),
    INTEGER(ElementType.I32, Form.WHOLE),
    BIGINT(ElementType.I64, Form.WHOLE),
    REAL(ElementType.F32, Form.REAL),
    DOUBLE(ElementType.F64, Form.DOUBLE),
    /** A DECIMAL of at most 18 digits. */
    DECIMAL(ElementType.I64, Form.SCALED),
    /** A DECIMAL of 19 to 38 digits, by the code of its {@link WideDecimal bytes}. */
    WIDE_DECIMAL(ElementType.CODE, Form.CODE),
    DATE(ElementType.I32, Form.WHOLE),
    TIME(ElementType.I64, Form.WHOLE),
    TIMESTAMP(ElementType.I64, Form.WHOLE),
    /** An instant: microseconds since 1970-01-01 00:00:00 UTC. */
    TIMESTAMP_TZ(ElementType.I64, Form.WHOLE),
    /** An {@link IntervalType interval} of years and months: months. */
    INTERVAL_MONTHS(ElementType.I64, Form.WHOLE),
    /** An {@link IntervalType interval} of days to seconds: microseconds. */
    INTERVAL_MICROS(ElementType.I64, Form.WHOLE),
    CHAR(ElementType.CODE, Form.CODE),
    VARCHAR(ElementType.CODE, Form.CODE),
    VARBINARY(ElementType.CODE, Form.CODE),
    /** By the code of its 16 {@link UuidText bytes}. */
    UUID(ElementType.CODE, Form.CODE);

    private final ElementType element;
    private final Form form;

    Kind(ElementType element, Form form) {
      this.element = element;
      this.form = form;
    }

    /** What the raw bits of values are. */
    public Form form() {
      return form;
    }

    public ElementType element() {
      return element;
    }

    public boolean isCharacter() {
      return this == CHAR || this == VARCHAR;
    }

    /** Whether values are byte strings of a dictionary, which columns hold by their codes. */
    public boolean isString() {
      return form == Form.CODE;
    }

    public boolean isDecimal() {
      return this == DECIMAL || this == WIDE_DECIMAL;
    }

    public boolean isInteger() {
      return this == TINYINT || this == SMALLINT || this == INTEGER || this == BIGINT;
    }

    public boolean isExact() {
      return isInteger() || isDecimal();
    }

    public boolean isNumeric() {
      return isExact() || this == REAL || this == DOUBLE;
    }

    /** Whether values have a fraction of the second. */
    public boolean isClock() {
      return this == TIME || this == TIMESTAMP || this == TIMESTAMP_TZ;
    }

    public boolean isInterval() {
      return this == INTERVAL_MONTHS || this == INTERVAL_MICROS;
    }

    public boolean isTemporal() {
      return this == DATE || this == TIME || this == TIMESTAMP;
    }
  }

  public static SqlTypeSpec decimal(int precision, int scale) {
    boolean narrow = precision <= NARROW_DIGITS_MAX;
    return new SqlTypeSpec(narrow ? Kind.DECIMAL : Kind.WIDE_DECIMAL, precision, scale);
  }

  public static SqlTypeSpec varchar(int charactersMax) {
    return new SqlTypeSpec(Kind.VARCHAR, charactersMax, 0);
  }

  public static SqlTypeSpec character(int characters) {
    return new SqlTypeSpec(Kind.CHAR, characters, 0);
  }

  public static SqlTypeSpec varbinary(int bytesMax) {
    return new SqlTypeSpec(Kind.VARBINARY, bytesMax, 0);
  }

  /** The type of values to be stored in this one: texts and bytes without a limit. */
  public SqlTypeSpec unlimited() {
    return switch (kind) {
      case CHAR, VARCHAR -> VARCHAR;
      case VARBINARY -> VARBINARY;
      case BOOLEAN,
          TINYINT,
          SMALLINT,
          INTEGER,
          BIGINT,
          REAL,
          DOUBLE,
          DECIMAL,
          WIDE_DECIMAL,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_TZ,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID ->
          this;
    };
  }

  /** Whether the type is a CLOB or a BLOB. */
  public boolean isLarge() {
    return (kind.isCharacter() || kind == Kind.VARBINARY) && scale == LARGE;
  }

  /** The type's name without digits and length. */
  public String name() {
    if (isLarge()) {
      return kind == Kind.VARBINARY ? "BLOB" : "CLOB";
    }
    return switch (kind) {
      case WIDE_DECIMAL -> Kind.DECIMAL.name();
      case TIMESTAMP_TZ -> "TIMESTAMP WITH TIME ZONE";
      case INTERVAL_MONTHS, INTERVAL_MICROS -> "INTERVAL " + IntervalType.of(this).fieldNames();
      default -> kind.name();
    };
  }

  /** How one value of this type is stored in memory. */
  public ElementType element() {
    return kind.element();
  }

  /** The type as it is written in SQL. */
  @Override
  public String toString() {
    return switch (kind) {
      case DECIMAL, WIDE_DECIMAL -> "DECIMAL(" + precision + ", " + scale + ")";
      case CHAR, VARCHAR, VARBINARY ->
          precision == UNBOUNDED ? name() : name() + "(" + precision + ")";
      case TIMESTAMP_TZ ->
          precision == FRACTION_DIGITS_MAX ? name() : "TIMESTAMP(" + precision + ") WITH TIME ZONE";
      case INTERVAL_MONTHS, INTERVAL_MICROS -> IntervalType.of(this).toString();
      case TIME, TIMESTAMP ->
          precision == FRACTION_DIGITS_MAX ? kind.name() : kind.name() + "(" + precision + ")";
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DATE, UUID -> kind.name();
    };
  }
}
