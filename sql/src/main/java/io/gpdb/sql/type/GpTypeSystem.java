package io.gpdb.sql.type;

import java.math.RoundingMode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * The limits and rules of gpDB's types: decimals of at most 38 digits, rounding half up, seconds
 * with six fractional digits, sums of integers as BIGINT. What is computed of decimals of up to 18
 * digits has up to 18, so that kernels compute it in 64 bits; an operand with more makes it one of
 * up to 38, as do averages and quotients that would lose digits.
 */
public final class GpTypeSystem extends RelDataTypeSystemImpl {
  public static final GpTypeSystem INSTANCE = new GpTypeSystem(SqlTypeSpec.DECIMAL_DIGITS_MAX);

  /** Of the results of operands of which none is wide. */
  private static final GpTypeSystem NARROW = new GpTypeSystem(SqlTypeSpec.NARROW_DIGITS_MAX);

  /** Digits after the point that an average has more than its argument, or six in all. */
  private static final int AVERAGE_SCALE_GAIN_MIN = 3;

  private final int decimalDigits;

  private GpTypeSystem(int decimalDigits) {
    this.decimalDigits = decimalDigits;
  }

  private static boolean isWide(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DECIMAL
        && type.getPrecision() > SqlTypeSpec.NARROW_DIGITS_MAX;
  }

  /** The rules for a result of those operands. */
  private static GpTypeSystem of(RelDataType left, RelDataType right) {
    return isWide(left) || isWide(right) ? INSTANCE : NARROW;
  }

  @Override
  public RoundingMode roundingMode() {
    return RoundingMode.HALF_UP;
  }

  /** Bytes of several lengths in one column stay as they are instead of being padded. */
  @Override
  public boolean shouldConvertRaggedUnionTypesToVarying() {
    return true;
  }

  @Override
  public int getMaxPrecision(SqlTypeName type) {
    return switch (type) {
      case DECIMAL -> decimalDigits;
      case TIME, TIMESTAMP, TIMESTAMP_TZ -> SqlTypeSpec.FRACTION_DIGITS_MAX;
      case CHAR, BINARY -> SqlTypeSpec.LENGTH_MAX;
      case VARCHAR, VARBINARY -> SqlTypeSpec.LARGE_LENGTH;
      default -> super.getMaxPrecision(type);
    };
  }

  @Override
  public int getMaxScale(SqlTypeName type) {
    return type == SqlTypeName.DECIMAL ? decimalDigits : super.getMaxScale(type);
  }

  @Override
  public int getDefaultPrecision(SqlTypeName type) {
    return switch (type) {
      case DECIMAL -> SqlTypeSpec.NARROW_DIGITS_MAX;
      case TIME, TIMESTAMP, TIMESTAMP_TZ -> SqlTypeSpec.FRACTION_DIGITS_MAX;
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
    if (SqlTypeUtil.isInterval(argument)) {
      return factory.createTypeWithNullability(
          factory.createSqlIntervalType(IntervalType.of(argument).unlimited().qualifier()),
          argument.isNullable());
    }
    if (argument.getSqlTypeName() == SqlTypeName.DECIMAL) {
      return factory.createTypeWithNullability(
          factory.createSqlType(SqlTypeName.DECIMAL, digitsOf(argument), argument.getScale()),
          argument.isNullable());
    }
    return argument;
  }

  private static int digitsOf(RelDataType argument) {
    return isWide(argument) ? SqlTypeSpec.DECIMAL_DIGITS_MAX : SqlTypeSpec.NARROW_DIGITS_MAX;
  }

  @Override
  public @Nullable RelDataType deriveDecimalPlusType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    return of(left, right).plusType(factory, left, right);
  }

  private @Nullable RelDataType plusType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    return super.deriveDecimalPlusType(factory, left, right);
  }

  @Override
  public @Nullable RelDataType deriveDecimalDivideType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    RelDataType exact = super.deriveDecimalDivideType(factory, left, right);
    return exact == null || exact.getSqlTypeName() != SqlTypeName.DECIMAL
        ? exact
        : decimal(factory, exact, DecimalTypes.quotient(GpTypes.spec(left), GpTypes.spec(right)));
  }

  private static RelDataType decimal(
      RelDataTypeFactory factory, RelDataType nullability, SqlTypeSpec type) {
    return factory.createTypeWithNullability(
        factory.createSqlType(SqlTypeName.DECIMAL, type.precision(), type.scale()),
        nullability.isNullable());
  }

  @Override
  public @Nullable RelDataType deriveDecimalModType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    return of(left, right).remainderType(factory, left, right);
  }

  private @Nullable RelDataType remainderType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    return super.deriveDecimalModType(factory, left, right);
  }

  @Override
  public @Nullable RelDataType deriveDecimalMultiplyType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    RelDataType exact = super.deriveDecimalMultiplyType(factory, left, right);
    return exact == null || exact.getSqlTypeName() != SqlTypeName.DECIMAL
        ? exact
        : decimal(factory, exact, DecimalTypes.product(GpTypes.spec(left), GpTypes.spec(right)));
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
                  SqlTypeName.DECIMAL,
                  SqlTypeSpec.AVERAGE_OF_INTEGER.precision(),
                  SqlTypeSpec.AVERAGE_OF_INTEGER.scale());
          case DECIMAL -> averageOfDecimals(factory, argument);
          default -> argument;
        };
    return factory.createTypeWithNullability(average, argument.isNullable());
  }

  /**
   * At least six digits after the point. Where 18 digits have no room for them, but for three more
   * than the argument's, the average keeps those, so that kernels divide; else it is wide.
   */
  private static RelDataType averageOfDecimals(RelDataTypeFactory factory, RelDataType argument) {
    int whole = argument.getPrecision() - argument.getScale();
    int wanted = Math.max(argument.getScale(), DecimalTypes.FRACTION_DIGITS_MIN);
    int least = Math.min(wanted, argument.getScale() + AVERAGE_SCALE_GAIN_MIN);
    int room = SqlTypeSpec.NARROW_DIGITS_MAX - whole;
    if (room >= least && !isWide(argument)) {
      return factory.createSqlType(
          SqlTypeName.DECIMAL, SqlTypeSpec.NARROW_DIGITS_MAX, Math.min(wanted, room));
    }
    int digits = Math.min(whole + wanted, SqlTypeSpec.DECIMAL_DIGITS_MAX);
    return factory.createSqlType(SqlTypeName.DECIMAL, digits, wanted);
  }
}
