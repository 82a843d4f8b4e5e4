package io.gpdb.sql.plain;

import io.gpdb.sql.dialect.CorrespondingOperator;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalIntersect;
import org.apache.calcite.rel.logical.LogicalMinus;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSetOperator;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * A set operation of SELECTs as a relational tree, or one of them alone. Columns of one place have
 * one type, which may be nullable in one SELECT and not in another.
 *
 * @param row the type of its rows, with the names of the first SELECT
 * @param shown the names of its columns in the result
 */
record PlainSet(RelNode tree, RelDataType row, List<String> shown) {
  static PlainSet of(PlainContext context, SqlNode body) {
    if (body instanceof SqlSelect query) {
      PlainSelect select = new PlainSelect(context, query, null);
      RelNode tree = select.tree(new PlainOrder(context, null));
      return new PlainSet(
          tree, select.row(tree), select.columns().stream().map(PlainItem::shown).toList());
    }
    if (!(body instanceof SqlCall call)
        || !(call.getOperator() instanceof SqlSetOperator operator)
        || operator instanceof CorrespondingOperator
        || call.operandCount() != 2) {
      throw NotPlain.here();
    }
    PlainSet left = of(context, call.operand(0));
    PlainSet right = of(context, call.operand(1));
    RelDataTypeFactory types = context.rex().getTypeFactory();
    requireSameTypes(types, left.row, right.row);
    RelDataType row = types.leastRestrictive(List.of(left.row, right.row));
    List<RelNode> both = List.of(left.tree, right.tree);
    RelNode tree =
        switch (call.getKind()) {
          case UNION -> LogicalUnion.create(both, operator.isAll());
          case EXCEPT -> LogicalMinus.create(both, operator.isAll());
          case INTERSECT -> LogicalIntersect.create(both, operator.isAll());
          default -> throw NotPlain.here();
        };
    return new PlainSet(tree, Objects.requireNonNull(row), left.shown);
  }

  private static void requireSameTypes(
      RelDataTypeFactory types, RelDataType left, RelDataType right) {
    int width = left.getFieldCount();
    boolean same = right.getFieldCount() == width;
    for (int i = 0; same && i < width; i++) {
      same =
          SqlTypeUtil.equalSansNullability(
              types, left.getFieldList().get(i).getType(), right.getFieldList().get(i).getType());
    }
    if (!same) {
      throw NotPlain.here();
    }
  }
}
