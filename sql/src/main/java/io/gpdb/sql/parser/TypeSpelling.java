package io.gpdb.sql.parser;

import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.util.Litmus;

/** Names of types that Calcite's grammar lacks, of the standard and of other databases. */
public final class TypeSpelling {
  /** Binary digits of a REAL: FLOAT(p) with more of them is a DOUBLE. */
  private static final int REAL_DIGITS = 24;

  private static final int DOUBLE_DIGITS = 53;

  /** No length, precision or scale is written. */
  private static final int NONE = RelDataType.PRECISION_NOT_SPECIFIED;

  private TypeSpelling() {}

  /** FLOAT(p), where p counts binary digits. */
  public static SqlTypeNameSpec floating(int digits, SqlParserPos at) {
    if (digits < 1 || digits > DOUBLE_DIGITS) {
      throw ParseErrors.refused("FLOAT(" + digits + ")", at);
    }
    return basic(digits <= REAL_DIGITS ? SqlTypeName.REAL : SqlTypeName.DOUBLE, NONE, at);
  }

  public static SqlTypeNameSpec text(boolean varying, int length, SqlParserPos at) {
    return basic(varying ? SqlTypeName.VARCHAR : SqlTypeName.CHAR, length, at);
  }

  public static SqlTypeNameSpec large(boolean binary, int length, SqlParserPos at) {
    return new LargeObject(binary ? SqlTypeName.VARBINARY : SqlTypeName.VARCHAR, length, at);
  }

  /**
   * A length with K, M or G behind it.
   *
   * @param unit empty for none
   */
  public static int length(int count, String unit, SqlParserPos at) {
    int shift =
        switch (unit.toUpperCase(Locale.ROOT)) {
          case "", "CHARACTERS", "OCTETS" -> 0;
          case "K" -> 10;
          case "M" -> 20;
          case "G" -> 30;
          default -> throw ParseErrors.refused("a length in " + unit, at);
        };
    return (int) Math.min((long) count << shift, Integer.MAX_VALUE);
  }

  /** What a length counts follows from the type. */
  public static void requireCounted(SqlIdentifier word) {
    if (!word.getSimple().equals("CHARACTERS") && !word.getSimple().equals("OCTETS")) {
      throw ParseErrors.refused("a length in " + word.getSimple(), word.getParserPosition());
    }
  }

  /** LONG VARCHAR and its kin. */
  public static SqlTypeNameSpec longString(String word, boolean binary, SqlParserPos at) {
    if (!word.equalsIgnoreCase("LONG")) {
      throw ParseErrors.refused("type " + word, at);
    }
    return basic(binary ? SqlTypeName.VARBINARY : SqlTypeName.VARCHAR, NONE, at);
  }

  /** A type of another database with digits or a length. */
  public static SqlTypeNameSpec named(String word, int precision, int scale, SqlParserPos at) {
    String name = word.toUpperCase(Locale.ROOT);
    if (name.equals("NUMBER")) {
      return new SqlBasicTypeNameSpec(SqlTypeName.DECIMAL, precision, scale, at);
    }
    SqlTypeName type =
        switch (name) {
          case "VARCHAR2", "NVARCHAR", "NVARCHAR2", "LONGVARCHAR", "LONGNVARCHAR" ->
              SqlTypeName.VARCHAR;
          case "RAW", "LONGVARBINARY" -> SqlTypeName.VARBINARY;
          case "TIMESTAMPTZ", "DATETIMEOFFSET" -> SqlTypeName.TIMESTAMP_TZ;
          case "DATETIME", "DATETIME2" -> SqlTypeName.TIMESTAMP;
          case "BIT" -> precision == 1 ? SqlTypeName.BOOLEAN : null;
          default -> null;
        };
    if (type == null || precision == NONE || scale != RelDataType.SCALE_NOT_SPECIFIED) {
      throw ParseErrors.refused(
          "type " + name + (precision == NONE ? "" : "(" + precision + ")"), at);
    }
    return basic(type, type == SqlTypeName.BOOLEAN ? NONE : precision, at);
  }

  /** An interval; its first field has two digits where no number of them is written. */
  public static SqlTypeNameSpec interval(SqlIntervalQualifier fields, SqlParserPos at) {
    int fraction = fields.getFractionalSecondPrecisionPreservingDefault();
    int leading = fields.getStartPrecisionPreservingDefault();
    if (fraction > SqlTypeSpec.FRACTION_DIGITS_MAX || leading > IntervalType.LEADING_MAX) {
      throw ParseErrors.refused("type INTERVAL " + fields, at);
    }
    IntervalType type = IntervalType.of(fields);
    return new Interval(
        leading >= 0
            ? type
            : new IntervalType(type.fields(), IntervalType.LEADING_DEFAULT, type.fraction()),
        at);
  }

  private static SqlTypeNameSpec basic(SqlTypeName type, int precision, SqlParserPos at) {
    return new SqlBasicTypeNameSpec(type, precision, at);
  }

  /** INTERVAL with its fields. */
  public static final class Interval extends SqlTypeNameSpec {
    private final IntervalType type;

    public Interval(IntervalType type, SqlParserPos at) {
      super(new SqlIdentifier("INTERVAL", at), at);
      this.type = type;
    }

    public IntervalType type() {
      return type;
    }

    @Override
    public RelDataType deriveType(SqlValidator validator) {
      return validator.getTypeFactory().createSqlIntervalType(type.qualifier());
    }

    @Override
    public void unparse(SqlWriter writer, int left, int right) {
      writer.keyword("INTERVAL");
      type.qualifier().unparse(writer, left, right);
    }

    @Override
    public boolean equalsDeep(SqlTypeNameSpec other, Litmus litmus) {
      return (other instanceof Interval interval && type.equals(interval.type))
          ? litmus.succeed()
          : litmus.fail("{} != {}", this, other);
    }
  }

  /** CLOB or BLOB; a column of it keeps the length, a cast to it without a length is a CLOB too. */
  public static final class LargeObject extends SqlBasicTypeNameSpec {
    private final int length;

    LargeObject(SqlTypeName type, int length, SqlParserPos at) {
      super(type, length == NONE ? SqlTypeSpec.LARGE_LENGTH : length, at);
      this.length = length;
    }

    public boolean isBinary() {
      return SqlTypeName.VARBINARY.getName().equals(getTypeName().getSimple());
    }

    /** Characters or bytes at most. */
    public int length() {
      return length == NONE ? SqlTypeSpec.UNBOUNDED : length;
    }

    @Override
    public RelDataType deriveType(SqlValidator validator) {
      RelDataTypeFactory factory = validator.getTypeFactory();
      return factory.createSqlType(
          isBinary() ? SqlTypeName.VARBINARY : SqlTypeName.VARCHAR, getPrecision());
    }
  }
}
