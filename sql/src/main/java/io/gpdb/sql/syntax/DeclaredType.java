package io.gpdb.sql.syntax;

import io.gpdb.sql.catalog.NameResolution;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.TypeSpelling;
import io.gpdb.sql.type.GpTypeSystem;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;
import org.apache.calcite.sql.type.SqlTypeName;

/** The type that a column declaration or a cast writes, checked against the limits of types. */
public final class DeclaredType {
  private DeclaredType() {}

  public static SqlTypeSpec of(SqlDataTypeSpec declared) {
    check(declared);
    if (declared.getTypeNameSpec() instanceof SqlUserDefinedTypeNameSpec named) {
      SqlTypeSpec alias = NameResolution.TYPE_ALIASES.get(named.getTypeName().names.getLast());
      if (alias == null) {
        throw unsupported(declared);
      }
      return alias;
    }
    if (declared.getTypeNameSpec() instanceof TypeSpelling.Interval interval) {
      return interval.type().spec();
    }
    if (!(declared.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic)) {
      throw unsupported(declared);
    }
    if (basic instanceof TypeSpelling.LargeObject large) {
      SqlTypeSpec type = large.isBinary() ? SqlTypeSpec.BLOB : SqlTypeSpec.CLOB;
      return new SqlTypeSpec(type.kind(), large.length(), SqlTypeSpec.LARGE);
    }
    SqlTypeName name = SqlTypeName.get(basic.getTypeName().getSimple());
    if (name == null) {
      throw unsupported(declared);
    }
    int precision = basic.getPrecision();
    return switch (name) {
      case BOOLEAN -> SqlTypeSpec.BOOLEAN;
      case TINYINT -> SqlTypeSpec.TINYINT;
      case SMALLINT -> SqlTypeSpec.SMALLINT;
      case INTEGER -> SqlTypeSpec.INTEGER;
      case BIGINT -> SqlTypeSpec.BIGINT;
      case REAL -> SqlTypeSpec.REAL;
      case FLOAT, DOUBLE -> SqlTypeSpec.DOUBLE;
      case DECIMAL ->
          SqlTypeSpec.decimal(
              precision < 0 ? SqlTypeSpec.NARROW_DIGITS_MAX : precision,
              Math.max(0, basic.getScale()));
      case DATE -> SqlTypeSpec.DATE;
      case TIME ->
          precision < 0 ? SqlTypeSpec.TIME : new SqlTypeSpec(SqlTypeSpec.Kind.TIME, precision, 0);
      case TIMESTAMP ->
          precision < 0
              ? SqlTypeSpec.TIMESTAMP
              : new SqlTypeSpec(SqlTypeSpec.Kind.TIMESTAMP, precision, 0);
      case TIMESTAMP_TZ ->
          precision < 0
              ? SqlTypeSpec.TIMESTAMP_TZ
              : new SqlTypeSpec(SqlTypeSpec.Kind.TIMESTAMP_TZ, precision, 0);
      case CHAR -> SqlTypeSpec.character(precision < 0 ? 1 : precision);
      case VARCHAR -> SqlTypeSpec.varchar(precision);
      case BINARY -> SqlTypeSpec.varbinary(precision < 0 ? 1 : precision);
      case VARBINARY -> SqlTypeSpec.varbinary(precision);
      case UUID -> SqlTypeSpec.UUID;
      default -> throw unsupported(declared);
    };
  }

  /** Refuses precisions that Calcite would silently cut down. */
  static void check(SqlDataTypeSpec declared) {
    if (!(declared.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic)) {
      return;
    }
    SqlTypeName name = SqlTypeName.get(basic.getTypeName().getSimple());
    int precision = basic.getPrecision();
    if (name == null || precision < 0) {
      return;
    }
    if (basic instanceof TypeSpelling.LargeObject) {
      return; // any length: that of a value has a limit
    }
    int limit =
        SqlTypeName.STRING_TYPES.contains(name)
            ? SqlTypeSpec.LENGTH_MAX
            : GpTypeSystem.INSTANCE.getMaxPrecision(name);
    boolean limited =
        name == SqlTypeName.DECIMAL || SqlTypeName.STRING_TYPES.contains(name) || isClock(name);
    if (limited && precision > limit) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          name + "(" + precision + ") is beyond the limit " + limit + TableNames.at(declared));
    }
    boolean zero =
        precision == 0 && (name == SqlTypeName.DECIMAL || SqlTypeName.STRING_TYPES.contains(name));
    if (zero || (name == SqlTypeName.DECIMAL && basic.getScale() > precision)) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          name
              + "("
              + precision
              + (name == SqlTypeName.DECIMAL ? ", " + Math.max(0, basic.getScale()) : "")
              + ") is not a type"
              + TableNames.at(declared));
    }
  }

  private static boolean isClock(SqlTypeName name) {
    return name == SqlTypeName.TIME
        || name == SqlTypeName.TIMESTAMP
        || name == SqlTypeName.TIMESTAMP_TZ;
  }

  private static GpdbException unsupported(SqlDataTypeSpec declared) {
    return new GpdbException(
        ErrorCode.NOT_SUPPORTED,
        "type "
            + declared.toString().replace("`", "")
            + " is not supported"
            + TableNames.at(declared));
  }
}
