package io.gpdb.sql.dialect;

import io.gpdb.sql.type.SqlTypeSpec;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * ROUND and TRUNCATE: a decimal has no more digits after the point than a literal asks for, and
 * none where no number of digits is written. What is rounded to fewer digits has one more before
 * the point: 9.99 to a digit is 10.0.
 */
public final class RoundedNumbers {
  public static final SqlFunction ROUND = of(SqlStdOperatorTable.ROUND, 1);
  public static final SqlFunction TRUNCATE = of(SqlStdOperatorTable.TRUNCATE, 0);

  private RoundedNumbers() {}

  private static SqlFunction of(SqlFunction standard, int carry) {
    return ((SqlBasicFunction) standard)
        .withReturnTypeInference(
            binding -> {
              RelDataType number = ReturnTypes.ARG0_NULLABLE.inferReturnType(binding);
              return number == null || number.getSqlTypeName() != SqlTypeName.DECIMAL
                  ? number
                  : decimal(binding, number, carry);
            });
  }

  private static RelDataType decimal(SqlOperatorBinding binding, RelDataType number, int carry) {
    Integer digits = digits(binding);
    if (digits != null && digits >= number.getScale()) {
      return number;
    }
    int scale = digits == null ? number.getScale() : Math.max(0, digits);
    int precision = number.getPrecision() - number.getScale() + carry + scale;
    int most =
        number.getPrecision() > SqlTypeSpec.NARROW_DIGITS_MAX
            ? SqlTypeSpec.DECIMAL_DIGITS_MAX
            : SqlTypeSpec.NARROW_DIGITS_MAX;
    RelDataType type =
        binding
            .getTypeFactory()
            .createSqlType(SqlTypeName.DECIMAL, Math.clamp(precision, 1, most), scale);
    return binding.getTypeFactory().createTypeWithNullability(type, number.isNullable());
  }

  /** How many are asked for after the point; null where no literal says so. */
  private static @Nullable Integer digits(SqlOperatorBinding binding) {
    if (binding.getOperandCount() == 1) {
      return 0;
    }
    return binding.isOperandLiteral(1, false)
        ? binding.getOperandLiteralValue(1, Integer.class)
        : null;
  }
}
