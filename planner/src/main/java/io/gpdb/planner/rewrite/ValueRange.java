package io.gpdb.planner.rewrite;

import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * The dates or times of a field that comparisons with literals leave. Of numbers and strings there
 * is none: their literals may be parameters of a plan that other texts share, and a text must be
 * planned, and explained, in one way whether it shares its plan or not.
 *
 * @param field of the rows that are compared
 * @param from the least that is left, as an ordered long
 * @param to the first one above that is not
 */
record ValueRange(int field, long from, long to) {
  /** What a comparison leaves; null where it is another condition. */
  static @Nullable ValueRange of(RexNode condition) {
    SqlKind kind = condition.getKind();
    if (!(condition instanceof RexCall call) || !kind.belongsTo(SqlKind.COMPARISON)) {
      return null;
    }
    List<RexNode> sides = call.getOperands();
    return sides.get(0) instanceof RexInputRef field
        ? of(field, kind, sides.get(1))
        : sides.get(1) instanceof RexInputRef field
            ? of(field, kind.reverse(), sides.get(0))
            : null;
  }

  private static @Nullable ValueRange of(RexInputRef field, SqlKind kind, RexNode other) {
    Long bound = other instanceof RexLiteral literal ? bound(literal) : null;
    if (bound == null || field.getType().getSqlTypeName() != other.getType().getSqlTypeName()) {
      return null;
    }
    int at = field.getIndex();
    return switch (kind) {
      case LESS_THAN -> new ValueRange(at, Long.MIN_VALUE, bound);
      case LESS_THAN_OR_EQUAL -> new ValueRange(at, Long.MIN_VALUE, bound + 1);
      case GREATER_THAN -> new ValueRange(at, bound + 1, Long.MAX_VALUE);
      case GREATER_THAN_OR_EQUAL -> new ValueRange(at, bound, Long.MAX_VALUE);
      default -> null;
    };
  }

  private static @Nullable Long bound(RexLiteral literal) {
    SqlTypeName type = literal.getType().getSqlTypeName();
    if (type != SqlTypeName.DATE && type != SqlTypeName.TIMESTAMP) {
      return null;
    }
    try {
      return (Long) RexValues.literal(literal);
    } catch (NotCovered e) {
      return null;
    }
  }

  /** What both leave, of the same field. */
  ValueRange and(ValueRange other) {
    return new ValueRange(field, Math.max(from, other.from), Math.min(to, other.to));
  }

  /** The share of the rows whose value is in the range, NULLs counted. */
  double share(ColumnFacts facts) {
    return facts.within(from, to - 1) * (1 - facts.nullShare());
  }
}
