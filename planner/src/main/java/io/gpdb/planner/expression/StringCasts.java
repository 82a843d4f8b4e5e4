package io.gpdb.planner.expression;

import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

/** Casts of strings, of which those that change no string need not be evaluated. */
public final class StringCasts {
  private StringCasts() {}

  public static boolean isString(RexNode node) {
    SqlTypeName name = node.getType().getSqlTypeName();
    return SqlTypeName.CHAR_TYPES.contains(name) || SqlTypeName.BINARY_TYPES.contains(name);
  }

  /** The expression without the outermost casts that leave every string as it is. */
  public static RexNode removed(RexNode node) throws NotCovered {
    RexNode bare = node;
    while (bare instanceof RexCall call && call.getKind() == SqlKind.CAST) {
      RexNode operand = call.getOperands().getFirst();
      boolean strings = isString(call) && isString(operand);
      if (!strings || !keeps(RexValues.spec(operand.getType()), RexValues.spec(call.getType()))) {
        return bare;
      }
      bare = operand;
    }
    return bare;
  }

  /** Whether a cast changes no string: none is cut or padded, or becomes its digits. */
  private static boolean keeps(SqlTypeSpec from, SqlTypeSpec to) {
    boolean cuts =
        to.precision() != SqlTypeSpec.UNBOUNDED
            && (from.precision() == SqlTypeSpec.UNBOUNDED || from.precision() > to.precision());
    return switch (to.kind()) {
      case CHAR -> from.equals(to);
      case VARCHAR -> from.kind() != Kind.VARBINARY && !cuts;
      case VARBINARY ->
          from.kind() == Kind.VARBINARY
              ? !cuts
              : from.kind() == Kind.VARCHAR && to.precision() == SqlTypeSpec.UNBOUNDED;
      default -> false;
    };
  }

  /** Whether this is a string of the text or of a parameter, cast or not. */
  public static boolean isConstant(RexNode node) {
    RexNode value = RexUtil.removeCast(node);
    return (value instanceof RexLiteral || value instanceof RexDynamicParam) && isString(value);
  }
}
