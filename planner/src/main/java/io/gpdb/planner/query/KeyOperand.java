package io.gpdb.planner.query;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.index.KeyRange;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** A parameter or a constant that a column is compared with, in the form that the column stores. */
final class KeyOperand {
  private final SqlTypeSpec type;
  private final int parameter;
  private final @Nullable Object constant;

  private KeyOperand(SqlTypeSpec type, int parameter, @Nullable Object constant) {
    this.type = type;
    this.parameter = parameter;
    this.constant = constant;
  }

  /** In the place of the operand of IS NULL. */
  static KeyOperand nullTest() {
    return new KeyOperand(SqlTypeSpec.BIGINT, -1, null);
  }

  /** The operand that a node is, or null where it is another kind of node, or of another form. */
  static @Nullable KeyOperand of(RexNode node, SqlTypeSpec type) {
    try {
      if (node instanceof RexDynamicParam parameter
          && isSameForm(RexValues.spec(node.getType()), type)) {
        return type.kind() == SqlTypeSpec.Kind.CHAR
            ? null
            : new KeyOperand(type, parameter.getIndex(), null);
      }
      if (node instanceof RexLiteral literal) {
        return literal.isNull() || isSameForm(RexValues.spec(node.getType()), type)
            ? new KeyOperand(type, -1, RexValues.literal(literal))
            : null;
      }
      return null;
    } catch (NotCovered e) {
      return null;
    }
  }

  private static boolean isSameForm(SqlTypeSpec given, SqlTypeSpec type) {
    return (given.kind() == type.kind() && given.scale() == type.scale())
        || (type.kind().isCharacter() && given.kind().isCharacter())
        || (type.kind() == SqlTypeSpec.Kind.BIGINT && given.kind() == SqlTypeSpec.Kind.INTEGER);
  }

  /** The value to look for; null where it is NULL, which compares with nothing. */
  KeyRange.@Nullable Value value(ParameterValues parameters) {
    if (parameter >= 0) {
      if (parameters.isNull(parameter)) {
        return null;
      }
      return type.kind().isString()
          ? KeyRange.Value.of(parameters.bytes(parameter))
          : KeyRange.Value.of(parameters.raw(parameter));
    }
    Object known = constant;
    if (known == null) {
      return null;
    }
    return type.kind().isString()
        ? KeyRange.Value.of(HostValue.bytes(type, known))
        : KeyRange.Value.of(HostValue.raw(type, known));
  }
}
