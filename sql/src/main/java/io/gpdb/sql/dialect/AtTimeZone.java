package io.gpdb.sql.dialect;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;

/**
 * AT TIME ZONE of an instant: the timestamp that clocks of the zone show then. The operator is
 * written, and is rewritten to a function.
 */
public final class AtTimeZone extends SqlBinaryOperator {
  public static final SqlBinaryOperator OPERATOR = new AtTimeZone();

  /** What it is rewritten to; the name is none that a statement can write without quotes. */
  static final SqlFunction FUNCTION = new Function();

  /** Binds closer than arithmetic, less close than {@code ::}. */
  private static final int PRECEDENCE = 92;

  private AtTimeZone() {
    super(
        "AT TIME ZONE",
        SqlKind.OTHER,
        PRECEDENCE,
        true,
        ReturnTypes.TIMESTAMP,
        InferTypes.VARCHAR_1024,
        OperandTypes.ANY_ANY);
  }

  @Override
  public SqlNode rewriteCall(SqlValidator validator, SqlCall call) {
    return FUNCTION.createCall(call.getParserPosition(), call.getOperandList());
  }

  private static final class Function extends SqlFunction {
    Function() {
      super(
          "$AT_TIME_ZONE",
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.TIMESTAMP,
          InferTypes.VARCHAR_1024,
          OperandTypes.ANY_ANY,
          SqlFunctionCategory.TIMEDATE);
    }

    @Override
    public RelDataType inferReturnType(SqlOperatorBinding binding) {
      RelDataType instant = binding.getOperandType(0);
      RelDataType zone = binding.getOperandType(1);
      if (instant.getSqlTypeName() != SqlTypeName.TIMESTAMP_TZ) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED,
            "AT TIME ZONE of a "
                + instant.getSqlTypeName()
                + ": cast it to TIMESTAMP WITH TIME ZONE first");
      }
      if (!SqlTypeName.CHAR_TYPES.contains(zone.getSqlTypeName())) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED,
            "a time zone of type "
                + zone.getSqlTypeName()
                + ": its name, or an INTERVAL literal from HOUR TO MINUTE, is written");
      }
      RelDataTypeFactory factory = binding.getTypeFactory();
      return factory.createTypeWithNullability(
          factory.createSqlType(SqlTypeName.TIMESTAMP, instant.getPrecision()),
          instant.isNullable() || zone.isNullable());
    }
  }
}
