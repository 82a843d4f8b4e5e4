package io.gpdb.sql.type;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** Translation between gpDB's types and Calcite's, and the one type factory. */
public final class GpTypes {
  /** Shared by all statements; safe for use by several threads. */
  public static final GpTypeFactory FACTORY = new GpTypeFactory();

  private static final int TYPES_KEPT_MAX = 1024;

  /** Types that were asked for: making one compares its text with those of all others. */
  private static final Map<SqlTypeSpec, RelDataType> NULLABLE = new ConcurrentHashMap<>();

  private static final Map<SqlTypeSpec, RelDataType> PRESENT = new ConcurrentHashMap<>();

  private GpTypes() {}

  /** Calcite's type factory with gpDB's type system and UTF-8 strings. */
  public static final class GpTypeFactory extends JavaTypeFactoryImpl {
    GpTypeFactory() {
      super(GpTypeSystem.INSTANCE);
    }

    /**
     * Of exact numbers, the type with all their digits after the point: a value becomes it as it is
     * or is out of its range, but is never rounded. Of CHARs, the longest, to which all are padded.
     */
    @Override
    public @Nullable RelDataType leastRestrictive(
        List<RelDataType> types, SqlTypeMappingRule rule) {
      if (types.stream().anyMatch(SqlTypeUtil::isDatetime)
          && types.stream().anyMatch(SqlTypeUtil::isNumeric)) {
        return null; // Calcite would read the number as a day or time
      }
      if (types.stream().anyMatch(GpTypes::isInstant)) {
        return instants(types);
      }
      RelDataType padded = longestChar(types);
      if (padded != null) {
        return padded;
      }
      RelDataType common = super.leastRestrictive(types, rule);
      if (common == null || common.getSqlTypeName() != SqlTypeName.DECIMAL) {
        return common;
      }
      int whole = 0;
      int scale = 0;
      for (RelDataType type : types) {
        if (SqlTypeUtil.isExactNumeric(type)) {
          SqlTypeSpec spec = spec(type);
          whole = Math.max(whole, DecimalTypes.wholeDigits(spec));
          scale = Math.max(scale, spec.scale());
        }
      }
      int digits = Math.min(whole + scale, SqlTypeSpec.DECIMAL_DIGITS_MAX);
      return createTypeWithNullability(
          createSqlType(SqlTypeName.DECIMAL, digits, scale), common.isNullable());
    }

    /** Of CHARs, and NULL; null where there is none, or anything else. */
    private @Nullable RelDataType longestChar(List<RelDataType> types) {
      int length = -1;
      boolean nullable = false;
      for (RelDataType type : types) {
        if (type.getSqlTypeName() == SqlTypeName.CHAR) {
          length = Math.max(length, type.getPrecision());
        } else if (type.getSqlTypeName() != SqlTypeName.NULL) {
          return null;
        }
        nullable |= type.isNullable();
      }
      return length < 0
          ? null
          : createTypeWithNullability(createSqlType(SqlTypeName.CHAR, length), nullable);
    }

    /** Of instants, and NULL; Calcite would take timestamps without a zone for instants. */
    private @Nullable RelDataType instants(List<RelDataType> types) {
      int precision = 0;
      boolean nullable = false;
      for (RelDataType type : types) {
        if (!isInstant(type) && type.getSqlTypeName() != SqlTypeName.NULL) {
          return null;
        }
        precision = isInstant(type) ? Math.max(precision, fraction(type)) : precision;
        nullable |= type.isNullable() || type.getSqlTypeName() == SqlTypeName.NULL;
      }
      return createTypeWithNullability(
          createSqlType(SqlTypeName.TIMESTAMP_TZ, precision), nullable);
    }

    @Override
    public Charset getDefaultCharset() {
      return StandardCharsets.UTF_8;
    }
  }

  /** The Calcite type of a column. */
  public static RelDataType relType(SqlTypeSpec spec, boolean nullable) {
    Map<SqlTypeSpec, RelDataType> known = nullable ? NULLABLE : PRESENT;
    RelDataType type = known.get(spec);
    if (type == null) {
      type = relType(FACTORY, spec, nullable);
      if (known.size() < TYPES_KEPT_MAX) {
        known.put(spec, type);
      }
    }
    return type;
  }

  public static RelDataType relType(
      RelDataTypeFactory factory, SqlTypeSpec spec, boolean nullable) {
    RelDataType type =
        switch (spec.kind()) {
          case BOOLEAN -> factory.createSqlType(SqlTypeName.BOOLEAN);
          case TINYINT -> factory.createSqlType(SqlTypeName.TINYINT);
          case SMALLINT -> factory.createSqlType(SqlTypeName.SMALLINT);
          case INTEGER -> factory.createSqlType(SqlTypeName.INTEGER);
          case BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
          case REAL -> factory.createSqlType(SqlTypeName.REAL);
          case DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
          case DECIMAL, WIDE_DECIMAL ->
              factory.createSqlType(SqlTypeName.DECIMAL, spec.precision(), spec.scale());
          case DATE -> factory.createSqlType(SqlTypeName.DATE);
          case TIME -> factory.createSqlType(SqlTypeName.TIME, spec.precision());
          case TIMESTAMP -> factory.createSqlType(SqlTypeName.TIMESTAMP, spec.precision());
          case TIMESTAMP_TZ -> factory.createSqlType(SqlTypeName.TIMESTAMP_TZ, spec.precision());
          case INTERVAL_MONTHS, INTERVAL_MICROS ->
              factory.createSqlIntervalType(IntervalType.of(spec).qualifier());
          case CHAR -> factory.createSqlType(SqlTypeName.CHAR, spec.precision());
          case VARCHAR -> string(factory, SqlTypeName.VARCHAR, spec);
          case VARBINARY -> string(factory, SqlTypeName.VARBINARY, spec);
          case UUID -> factory.createSqlType(SqlTypeName.UUID);
        };
    return factory.createTypeWithNullability(type, nullable);
  }

  private static RelDataType string(
      RelDataTypeFactory factory, SqlTypeName name, SqlTypeSpec spec) {
    if (spec.isLarge()) {
      return factory.createSqlType(name, SqlTypeSpec.LARGE_LENGTH);
    }
    return spec.precision() == SqlTypeSpec.UNBOUNDED
        ? factory.createSqlType(name)
        : factory.createSqlType(name, spec.precision());
  }

  /** The type of a column or expression of Calcite's; a type that gpDB lacks raises 0A000. */
  public static SqlTypeSpec spec(RelDataType type) {
    SqlTypeName name = type.getSqlTypeName();
    if (SqlTypeUtil.isInterval(type)) {
      return IntervalType.of(type).spec();
    }
    return switch (name) {
      case BOOLEAN -> SqlTypeSpec.BOOLEAN;
      case TINYINT -> SqlTypeSpec.TINYINT;
      case SMALLINT -> SqlTypeSpec.SMALLINT;
      case INTEGER -> SqlTypeSpec.INTEGER;
      case BIGINT -> SqlTypeSpec.BIGINT;
      case REAL -> SqlTypeSpec.REAL;
      case FLOAT, DOUBLE -> SqlTypeSpec.DOUBLE;
      case DECIMAL -> decimal(type);
      case DATE -> SqlTypeSpec.DATE;
      case TIME -> new SqlTypeSpec(SqlTypeSpec.Kind.TIME, fraction(type), 0);
      case TIMESTAMP -> new SqlTypeSpec(SqlTypeSpec.Kind.TIMESTAMP, fraction(type), 0);
      case TIMESTAMP_TZ -> new SqlTypeSpec(SqlTypeSpec.Kind.TIMESTAMP_TZ, fraction(type), 0);
      case CHAR -> new SqlTypeSpec(SqlTypeSpec.Kind.CHAR, length(type), 0);
      case VARCHAR ->
          isLarge(type)
              ? SqlTypeSpec.CLOB
              : new SqlTypeSpec(SqlTypeSpec.Kind.VARCHAR, length(type), 0);
      case BINARY, VARBINARY ->
          isLarge(type)
              ? SqlTypeSpec.BLOB
              : new SqlTypeSpec(SqlTypeSpec.Kind.VARBINARY, length(type), 0);
      case UUID -> SqlTypeSpec.UUID;
      case NULL -> SqlTypeSpec.VARCHAR;
      default ->
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED, "type " + named(type) + " cannot be stored or returned");
    };
  }

  /** A type's name for messages. */
  public static String named(RelDataType type) {
    RelDataType element = type.getComponentType();
    if (element != null) {
      return named(element) + " " + type.getSqlTypeName();
    }
    return type.isStruct() ? "ROW" : type.toString();
  }

  private static SqlTypeSpec decimal(RelDataType type) {
    if (type.getPrecision() > SqlTypeSpec.DECIMAL_DIGITS_MAX) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "DECIMAL has "
              + type.getPrecision()
              + " digits, limit "
              + SqlTypeSpec.DECIMAL_DIGITS_MAX);
    }
    return SqlTypeSpec.decimal(type.getPrecision(), type.getScale());
  }

  public static boolean isInstant(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.TIMESTAMP_TZ;
  }

  private static int fraction(RelDataType type) {
    int precision = type.getPrecision();
    return precision < 0 || precision > SqlTypeSpec.FRACTION_DIGITS_MAX
        ? SqlTypeSpec.FRACTION_DIGITS_MAX
        : precision;
  }

  private static boolean isLarge(RelDataType type) {
    return type.getPrecision() == SqlTypeSpec.LARGE_LENGTH;
  }

  private static int length(RelDataType type) {
    return type.getPrecision() < 0 ? SqlTypeSpec.UNBOUNDED : type.getPrecision();
  }

  public static boolean isCharacter(RelDataType type) {
    return SqlTypeUtil.inCharFamily(type);
  }
}
