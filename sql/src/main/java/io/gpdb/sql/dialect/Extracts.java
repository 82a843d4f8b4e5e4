package io.gpdb.sql.dialect;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlExtractFunction;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * EXTRACT, which keeps the fraction of a second, where Calcite has an integer. The function SECOND
 * is the integer that JDBC wants.
 */
public final class Extracts {
  static final SqlFunction EXTRACT = new Extract();

  /** What SECOND is rewritten to; the name is none that a statement can write without quotes. */
  static final SqlFunction WHOLE_SECOND = new SqlExtractFunction("$EXTRACT_WHOLE", false);

  private static final Set<String> FUNCTIONS = Set.of("SECOND", "{FN SECOND}");
  private static final int SECOND_DIGITS = 2;

  private Extracts() {}

  /** EXTRACT; the second of a date or time is a DECIMAL(8, 6), of an interval a wider one. */
  private static final class Extract extends SqlExtractFunction {
    Extract() {
      super("EXTRACT", false);
    }

    @Override
    public RelDataType inferReturnType(SqlOperatorBinding binding) {
      RelDataType from = binding.getOperandType(1);
      if (!isSecond(binding)) {
        return super.inferReturnType(binding);
      }
      int digits = SqlTypeSpec.FRACTION_DIGITS_MAX;
      boolean first = SqlTypeName.INTERVAL_TYPES.contains(from.getSqlTypeName());
      int whole = first ? SqlTypeSpec.NARROW_DIGITS_MAX - digits : SECOND_DIGITS;
      return binding
          .getTypeFactory()
          .createTypeWithNullability(
              binding.getTypeFactory().createSqlType(SqlTypeName.DECIMAL, whole + digits, digits),
              from.isNullable());
    }

    /** An interval has the fields of its type alone. */
    @Override
    public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
      SqlIntervalQualifier from = binding.getOperandType(1).getIntervalQualifier();
      if (from != null
          && binding.operand(0) instanceof SqlIntervalQualifier wanted
          && (wanted.getStartUnit().compareTo(from.getStartUnit()) < 0
              || wanted.getStartUnit().compareTo(from.getUnit()) > 0)) {
        if (throwOnFailure) {
          throw binding.newValidationSignatureError();
        }
        return false;
      }
      return super.checkOperandTypes(binding, throwOnFailure);
    }

    private static boolean isSecond(SqlOperatorBinding binding) {
      if (binding instanceof SqlCallBinding call) {
        return call.operand(0) instanceof SqlIntervalQualifier unit
            && unit.getStartUnit() == TimeUnit.SECOND;
      }
      return binding.isOperandLiteral(0, false)
          && binding.getOperandLiteralValue(0, TimeUnitRange.class) == TimeUnitRange.SECOND;
    }
  }

  /** The function SECOND as the EXTRACT that it means. */
  public static @Nullable SqlNode ofFunction(@Nullable SqlNode node) {
    return node instanceof SqlCall call
            && FUNCTIONS.contains(call.getOperator().getName().toUpperCase(Locale.ROOT))
            && call.operandCount() == 1
        ? WHOLE_SECOND.createCall(
            call.getParserPosition(),
            new SqlIntervalQualifier(TimeUnit.SECOND, null, call.getParserPosition()),
            call.operand(0))
        : node;
  }
}
