package io.gpdb.sql.dialect;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlAbstractGroupFunction;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.validate.AggregatingSelectScope;
import org.apache.calcite.sql.validate.SelectScope;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/**
 * GROUPING within the arguments of a function over a window, {@code MAX(GROUPING(a)) OVER ()}:
 * these see the groups, but Calcite resolves them among the rows, where it refuses GROUPING.
 */
public final class GroupingFunction extends SqlAbstractGroupFunction {
  public static final GroupingFunction IN_WINDOW = new GroupingFunction();

  private GroupingFunction() {
    super(
        "GROUPING",
        SqlKind.GROUPING,
        ReturnTypes.BIGINT,
        null,
        OperandTypes.ONE_OR_MORE,
        SqlFunctionCategory.SYSTEM);
  }

  /** Without a look for the function of this name, which Calcite would put in this one's place. */
  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    call.getOperandList().forEach(key -> validator.deriveType(scope, key));
    return validateOperands(validator, scope, call);
  }

  @Override
  public void validateCall(
      SqlCall call,
      SqlValidator validator,
      SqlValidatorScope scope,
      SqlValidatorScope operandScope) {
    SelectScope rows = SqlValidatorUtil.getEnclosingSelectScope(scope);
    SqlValidatorScope groups = rows == null ? null : validator.getSelectScope(rows.getNode());
    super.validateCall(
        call, validator, groups instanceof AggregatingSelectScope ? groups : scope, operandScope);
  }
}
