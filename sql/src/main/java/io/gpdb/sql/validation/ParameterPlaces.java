package io.gpdb.sql.validation;

import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** The types of parameters that follow from what is around them. */
final class ParameterPlaces {
  /** Says that a node has a type where nothing else does. */
  interface Inference {
    void infer(RelDataType type, SqlValidatorScope scope, SqlNode node);
  }

  private final SqlValidatorImpl validator;
  private final Inference inference;
  private final ParameterGuesses guesses;

  ParameterPlaces(SqlValidatorImpl validator, Inference inference, ParameterGuesses guesses) {
    this.validator = validator;
    this.inference = inference;
    this.guesses = guesses;
  }

  /**
   * A parameter has the type of the number that it is added to, or the like. Calcite would ask for
   * the type of an operand before it looks at the parameters in there.
   */
  void beside(SqlValidatorScope scope, SqlCall call) {
    for (int i = 0; i < call.operandCount(); i++) {
      SqlNode other = call.operand(call.operandCount() - 1 - i);
      if (call.operand(i) instanceof SqlDynamicParam parameter
          && !(other instanceof SqlDynamicParam || other instanceof SqlLiteral)
          && validator.getValidatedNodeTypeIfKnown(parameter) == null) {
        RelDataType type = validator.deriveType(scope, other);
        if (SqlTypeUtil.isNumeric(type)) {
          inference.infer(type, scope, parameter);
        }
      }
    }
  }

  /** A parameter among columns has the type of the first, a text or binary one of any length. */
  void among(SqlValidatorScope scope, List<SqlNode> nodes) {
    for (SqlNode node : nodes) {
      if (node instanceof SqlDynamicParam parameter && !hasType(parameter)) {
        nodes.stream()
            .filter(ParameterGuesses::saysType)
            .findFirst()
            .ifPresent(
                column ->
                    inference.infer(
                        anyLength(validator.deriveType(scope, column)), scope, parameter));
      }
    }
  }

  /**
   * Parameters of a function have the first of the guessed types that the function takes, whatever
   * the parameters of others have.
   */
  void ofFunction(SqlValidatorScope scope, SqlCall call) {
    boolean asks =
        call.getOperator() instanceof SqlFunction function
            && function.getOperandTypeInference() == null
            && call.getKind() != SqlKind.CAST;
    List<SqlDynamicParam> parameters = asks ? untyped(call) : List.of();
    for (SqlTypeSpec guess : parameters.isEmpty() ? List.<SqlTypeSpec>of() : guesses.attempts()) {
      RelDataType type = GpTypes.relType(guess, true);
      parameters.forEach(parameter -> validator.setValidatedNodeType(parameter, type));
      try {
        validator.deriveType(scope, call);
        parameters.forEach(parameter -> guesses.guess(parameter.getIndex()));
        return;
      } catch (CalciteContextException e) {
        parameters.forEach(validator::removeValidatedNodeType);
      }
    }
  }

  /** Operands that are parameters without a type yet. */
  List<SqlDynamicParam> untyped(SqlCall call) {
    List<SqlDynamicParam> parameters = new ArrayList<>();
    for (SqlNode each : call.getOperandList()) {
      if (each instanceof SqlDynamicParam parameter && !hasType(parameter)) {
        parameters.add(parameter);
      }
    }
    return parameters;
  }

  boolean hasType(SqlDynamicParam parameter) {
    RelDataType known = validator.getValidatedNodeTypeIfKnown(parameter);
    return known != null && !known.equals(validator.getUnknownType());
  }

  private static RelDataType anyLength(RelDataType type) {
    boolean binary = SqlTypeUtil.isBinary(type);
    return binary || SqlTypeUtil.inCharFamily(type)
        ? GpTypes.relType(binary ? SqlTypeSpec.VARBINARY : SqlTypeSpec.VARCHAR, true)
        : GpTypes.FACTORY.createTypeWithNullability(type, true);
  }
}
