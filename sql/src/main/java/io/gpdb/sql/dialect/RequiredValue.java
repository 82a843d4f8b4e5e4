package io.gpdb.sql.dialect;

import io.gpdb.sql.error.SqlCondition;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** A value of which a condition is not false, as the CHECK of a domain; else an error. */
public final class RequiredValue {
  /** What evaluates it; no statement can write the name without quotes. */
  public static final String NAME = "$REQUIRED";

  private static final SqlFunction FUNCTION = new Function();

  private RequiredValue() {}

  /** The value, which raises the error with that message where the condition is FALSE. */
  public static SqlNode of(
      SqlNode value, SqlNode condition, SqlCondition error, String message, SqlParserPos place) {
    return FUNCTION.createCall(
        place,
        value,
        condition,
        SqlLiteral.createCharString(error.name(), place),
        SqlLiteral.createCharString(message, place));
  }

  /** A function that no name leads to. */
  private static final class Function extends SqlFunction {
    Function() {
      super(
          NAME,
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.ARG0,
          null,
          OperandTypes.VARIADIC,
          SqlFunctionCategory.SYSTEM);
    }

    @Override
    public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
      call.getOperandList().forEach(operand -> validator.deriveType(scope, operand));
      RelDataType type = validator.deriveType(scope, call.operand(0));
      validator.setValidatedNodeType(call, type);
      return type;
    }
  }
}
