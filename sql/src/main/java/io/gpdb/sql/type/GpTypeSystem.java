package io.gpdb.sql.type;

import java.math.RoundingMode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * The limits and rules of gpDB's types: decimals of at most 18 digits, rounding half up, seconds
 * with six fractional digits, sums of integers as BIGINT.
 */
public final class GpTypeSystem extends RelDataTypeSystemImpl {
  public static final GpTypeSystem INSTANCE = new GpTypeSystem();

  /** Digits after the point that a product never loses. */
  private static final int PRODUCT_SCALE_MIN = 6;

  /** Digits after the point that an average has where there is room. */
  private static final int AVERAGE_SCALE_MIN = 6;

  /** Digits of an INTEGER. */
  private static final int INTEGER_DIGITS = 10;

  private GpTypeSystem() {}

  @Override
  public RoundingMode roundingMode() {
    return RoundingMode.HALF_UP;
  }

  /** Strings of several lengths in one column stay as they are instead of being padded. */
  @Override
  public boolean shouldConvertRaggedUnionTypesToVarying() {
    return true;
  }

  @Override
  public int getMaxPrecision(SqlTypeName type) {
    return switch (type) {
      case DECIMAL -> SqlTypeSpec.DECIMAL_DIGITS_MAX;
      case TIME, TIMESTAMP -> SqlTypeSpec.FRACTION_DIGITS_MAX;
      case CHAR, BINARY -> SqlTypeSpec.LENGTH_MAX;
      case VARCHAR, VARBINARY -> SqlTypeSpec.LARGE_LENGTH;
      default -> super.getMaxPrecision(type);
    };
  }

  @Override
  public int getMaxScale(SqlTypeName type) {
    return type == SqlTypeName.DECIMAL ? SqlTypeSpec.DECIMAL_DIGITS_MAX : super.getMaxScale(type);
  }

  @Override
  public int getDefaultPrecision(SqlTypeName type) {
    return switch (type) {
      case DECIMAL -> SqlTypeSpec.DECIMAL_DIGITS_MAX;
      case TIME, TIMESTAMP -> SqlTypeSpec.FRACTION_DIGITS_MAX;
      default -> super.getDefaultPrecision(type);
    };
  }

  @Override
  public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
    SqlTypeName sum =
        switch (argument.getSqlTypeName()) {
          case TINYINT, SMALLINT, INTEGER, BIGINT -> SqlTypeName.BIGINT;
          case REAL, FLOAT, DOUBLE -> SqlTypeName.DOUBLE;
          default -> null;
        };
    if (sum != null) {
      return factory.createTypeWithNullability(factory.createSqlType(sum), argument.isNullable());
    }
    if (argument.getSqlTypeName() == SqlTypeName.DECIMAL) {
      return factory.createTypeWithNullability(
          factory.createSqlType(
              SqlTypeName.DECIMAL, SqlTypeSpec.DECIMAL_DIGITS_MAX, argument.getScale()),
          argument.isNullable());
    }
    return argument;
  }

  /**
   * A product has the digits of both after the point where 18 digits hold every product of the two
   * types; else it keeps room before the point, and at least six digits after it.
   */
  @Override
  public @Nullable RelDataType deriveDecimalMultiplyType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    RelDataType exact = super.deriveDecimalMultiplyType(factory, left, right);
    if (exact == null || exact.getSqlTypeName() != SqlTypeName.DECIMAL) {
      return exact;
    }
    SqlTypeSpec a = GpTypes.spec(left);
    SqlTypeSpec b = GpTypes.spec(right);
    int digits = SqlTypeSpec.DECIMAL_DIGITS_MAX;
    int whole = ExactComparisons.wholeDigits(a) + ExactComparisons.wholeDigits(b);
    int scale = a.scale() + b.scale();
    if (whole + scale <= digits) {
      return exact;
    }
    int kept = Math.max(Math.min(scale, digits - whole), Math.min(scale, PRODUCT_SCALE_MIN));
    return factory.createTypeWithNullability(
        factory.createSqlType(SqlTypeName.DECIMAL, digits, kept), exact.isNullable());
  }

  /**
   * Averages of integers have a fraction. That of BIGINT is DOUBLE, the quotient of the exact sum:
   * a decimal of 18 digits has no room for six after the point.
   */
  @Override
  public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
    RelDataType average =
        switch (argument.getSqlTypeName()) {
          case REAL, FLOAT, BIGINT -> factory.createSqlType(SqlTypeName.DOUBLE);
          case TINYINT, SMALLINT, INTEGER ->
              factory.createSqlType(
                  SqlTypeName.DECIMAL, INTEGER_DIGITS + AVERAGE_SCALE_MIN, AVERAGE_SCALE_MIN);
          case DECIMAL ->
              factory.createSqlType(
                  SqlTypeName.DECIMAL, SqlTypeSpec.DECIMAL_DIGITS_MAX, averageScale(argument));
          default -> argument;
        };
    return factory.createTypeWithNullability(average, argument.isNullable());
  }

  /** At least six digits after the point, as far as the digits before it leave room. */
  private static int averageScale(RelDataType argument) {
    int whole = argument.getPrecision() - argument.getScale();
    int room = SqlTypeSpec.DECIMAL_DIGITS_MAX - whole;
    return Math.max(argument.getScale(), Math.min(AVERAGE_SCALE_MIN, room));
  }
}
