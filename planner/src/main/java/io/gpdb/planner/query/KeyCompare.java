package io.gpdb.planner.query;

import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * A condition that compares one column with constants or parameters.
 *
 * @param operands one value, or several where the column equals any of them
 * @param included whether a bound is in the range
 */
record KeyCompare(
    RexNode condition, int column, Kind kind, List<KeyOperand> operands, boolean included) {
  /** What a condition is for a column. */
  enum Kind {
    EQUAL,
    LOW,
    HIGH,
    PRESENT
  }

  /** In place of the operand of IS NULL. */
  static final KeyOperand IS_NULL = KeyOperand.nullTest();

  /** Those among the conditions that are of that kind. */
  static List<KeyCompare> all(TableDef table, List<RexNode> conditions) {
    List<KeyCompare> found = new ArrayList<>();
    for (RexNode condition : conditions) {
      KeyCompare compare = of(table, condition);
      if (compare != null) {
        found.add(compare);
      }
    }
    return found;
  }

  private static @Nullable KeyCompare of(TableDef table, RexNode condition) {
    return switch (condition.getKind()) {
      case EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          comparison(table, (RexCall) condition);
      case IS_NULL -> test(table, condition, Kind.EQUAL, List.of(IS_NULL));
      case IS_NOT_NULL -> test(table, condition, Kind.PRESENT, List.of());
      case OR -> list(table, condition);
      default -> null;
    };
  }

  private static @Nullable KeyCompare test(
      TableDef table, RexNode condition, Kind kind, List<KeyOperand> operands) {
    int column = column(table, ((RexCall) condition).getOperands().getFirst());
    return column < 0 ? null : new KeyCompare(condition, column, kind, operands, true);
  }

  private static @Nullable KeyCompare comparison(TableDef table, RexCall call) {
    RexNode left = call.getOperands().get(0);
    RexNode right = call.getOperands().get(1);
    int column = column(table, left);
    if (column >= 0) {
      return comparison(table, call, column, right, call.getKind());
    }
    column = column(table, right);
    return column < 0 ? null : comparison(table, call, column, left, call.getKind().reverse());
  }

  private static @Nullable KeyCompare comparison(
      TableDef table, RexCall call, int column, RexNode value, SqlKind kind) {
    SqlTypeSpec type = table.column(column).type();
    KeyOperand operand = KeyOperand.of(withoutStringCast(value), type);
    if (operand == null) {
      return null;
    }
    List<KeyOperand> operands = List.of(operand);
    return switch (kind) {
      case EQUALS -> new KeyCompare(call, column, Kind.EQUAL, operands, true);
      case LESS_THAN -> new KeyCompare(call, column, Kind.HIGH, operands, false);
      case LESS_THAN_OR_EQUAL -> new KeyCompare(call, column, Kind.HIGH, operands, true);
      case GREATER_THAN -> new KeyCompare(call, column, Kind.LOW, operands, false);
      case GREATER_THAN_OR_EQUAL -> new KeyCompare(call, column, Kind.LOW, operands, true);
      default -> null;
    };
  }

  /** An IN list: equalities of one column. */
  private static @Nullable KeyCompare list(TableDef table, RexNode or) {
    List<KeyOperand> operands = new ArrayList<>();
    int column = -1;
    for (RexNode each : RelOptUtil.disjunctions(or)) {
      if (each instanceof RexLiteral literal && literal.isNull()) {
        continue; // an equality with NULL
      }
      KeyCompare compare = each.getKind() == SqlKind.EQUALS ? of(table, each) : null;
      if (compare == null || (column >= 0 && column != compare.column)) {
        return null;
      }
      column = compare.column;
      operands.addAll(compare.operands);
    }
    return column < 0 ? null : new KeyCompare(or, column, Kind.EQUAL, operands, true);
  }

  private static int column(TableDef table, RexNode node) {
    return withoutStringCast(node) instanceof RexInputRef input
            && input.getIndex() < table.columns().size()
        ? input.getIndex()
        : -1;
  }

  /** A cast between lengths of VARCHAR changes nothing that a comparison sees. */
  static RexNode withoutStringCast(RexNode node) {
    if (node.getKind() != SqlKind.CAST || node instanceof RexLiteral) {
      return node;
    }
    RexNode inner = ((RexCall) node).getOperands().getFirst();
    boolean strings =
        inner.getType().getSqlTypeName() == SqlTypeName.VARCHAR
            && node.getType().getSqlTypeName() == SqlTypeName.VARCHAR
            && node.getType().getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED;
    return strings ? inner : node;
  }
}
