package io.gpdb.sql.dialect;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * The count of FETCH FIRST where it counts more than rows: with the rows that are sorted as the
 * last one is (WITH TIES), or in hundredths of all rows (PERCENT). No text names it.
 */
public final class FetchCount extends SqlFunction {
  private final boolean percent;
  private final boolean ties;

  private FetchCount(boolean percent, boolean ties) {
    super(
        "$FETCH_COUNT",
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.BIGINT_NULLABLE,
        InferTypes.explicit(
            List.of(GpTypes.relType(percent ? SqlTypeSpec.DOUBLE : SqlTypeSpec.BIGINT, true))),
        percent ? OperandTypes.NUMERIC : OperandTypes.INTEGER,
        SqlFunctionCategory.SYSTEM);
    this.percent = percent;
    this.ties = ties;
  }

  /** The count as it is written, or a call where it counts more than rows. */
  public static @Nullable SqlNode of(
      SqlNode count, boolean percent, boolean ties, SqlParserPos position) {
    return percent || ties ? new FetchCount(percent, ties).createCall(position, count) : count;
  }

  public boolean isPercent() {
    return percent;
  }

  /** Whether rows that are sorted as the last one is belong to the result. */
  public boolean withTies() {
    return ties;
  }

  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    RelDataType count = validator.deriveType(scope, call.operand(0));
    if (!(percent ? SqlTypeName.NUMERIC_TYPES : SqlTypeName.INT_TYPES)
        .contains(count.getSqlTypeName())) {
      throw new GpdbException(
          SqlCondition.TYPE_MISMATCH,
          "FETCH FIRST of a " + count.getSqlTypeName() + ", which is no number of rows");
    }
    RelDataType type =
        validator
            .getTypeFactory()
            .createTypeWithNullability(
                validator.getTypeFactory().createSqlType(SqlTypeName.BIGINT), count.isNullable());
    validator.setValidatedNodeType(call, type);
    return type;
  }

  @Override
  public boolean isDeterministic() {
    return false;
  }
}
