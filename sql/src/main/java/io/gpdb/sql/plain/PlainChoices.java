package io.gpdb.sql.plain;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;

/** The types of what a CASE chooses among: every second of its operands, and the last. */
final class PlainChoices {
  private PlainChoices() {}

  /** Whether a result may be NULL. */
  static boolean isNullable(List<RexNode> operands) {
    boolean nullable = operands.getLast().getType().isNullable();
    for (int i = 1; i < operands.size(); i += 2) {
      nullable |= operands.get(i).getType().isNullable();
    }
    return nullable;
  }

  /** The type that the results of a CASE have; of INTEGER and BIGINT that is BIGINT. */
  static RelDataType common(List<RexNode> operands) {
    RelDataType common = null;
    for (int i = 1; i <= operands.size(); i += 2) {
      RelDataType type = operands.get(Math.min(i, operands.size() - 1)).getType();
      if (type.getSqlTypeName() == SqlTypeName.NULL) {
        continue;
      }
      if (common != null && common.getSqlTypeName() != type.getSqlTypeName()) {
        common = wider(common, type);
      } else {
        common = type;
      }
    }
    if (common == null) {
      throw NotPlain.here();
    }
    return common;
  }

  /** The type of whole numbers and floats that both types fit into. */
  private static RelDataType wider(RelDataType a, RelDataType b) {
    return rank(a) < rank(b) ? b : a;
  }

  private static int rank(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case INTEGER -> 0;
      case BIGINT -> 1;
      case REAL -> 2;
      case DOUBLE -> 3;
      default -> throw NotPlain.here();
    };
  }
}
