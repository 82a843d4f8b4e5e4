package io.gpdb.sql.dialect;

import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.Collections;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlTableFunction;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * GENERATE_SERIES(first, last [, step]) in FROM: a row for each number from the first to the last,
 * as PostgreSQL has it. INTEGER where all operands are no longer than that, else BIGINT.
 */
public final class SeriesFunction extends SqlFunction implements SqlTableFunction {
  public static final String NAME = "GENERATE_SERIES";

  static final SeriesFunction INSTANCE = new SeriesFunction();

  private SeriesFunction() {
    super(
        NAME,
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.CURSOR,
        InferTypes.explicit(Collections.nCopies(3, GpTypes.relType(SqlTypeSpec.BIGINT, true))),
        OperandTypes.family(SqlTypeFamily.INTEGER, SqlTypeFamily.INTEGER)
            .or(
                OperandTypes.family(
                    SqlTypeFamily.INTEGER, SqlTypeFamily.INTEGER, SqlTypeFamily.INTEGER)),
        SqlFunctionCategory.USER_DEFINED_TABLE_FUNCTION);
  }

  @Override
  public SqlReturnTypeInference getRowTypeInference() {
    return SeriesFunction::rowType;
  }

  private static RelDataType rowType(SqlOperatorBinding binding) {
    boolean isLong = false;
    for (int i = 0; i < binding.getOperandCount(); i++) {
      SqlTypeName type = binding.getOperandType(i).getSqlTypeName();
      isLong |= type == SqlTypeName.BIGINT;
    }
    RelDataTypeFactory types = binding.getTypeFactory();
    return types
        .builder()
        .add(NAME, types.createSqlType(isLong ? SqlTypeName.BIGINT : SqlTypeName.INTEGER))
        .build();
  }
}
