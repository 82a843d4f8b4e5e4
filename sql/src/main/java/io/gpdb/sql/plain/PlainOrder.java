package io.gpdb.sql.plain;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.tools.RelBuilder;
import org.jspecify.annotations.Nullable;

/** ORDER BY, OFFSET and LIMIT at the end of a query, or nothing of them. */
final class PlainOrder {
  private final PlainContext context;
  private final SqlNodeList keys;
  private final @Nullable RexNode offset;
  private final @Nullable RexNode fetch;

  PlainOrder(PlainContext context, @Nullable SqlOrderBy order) {
    this.context = context;
    keys = order == null ? SqlNodeList.EMPTY : order.orderList;
    offset = order == null ? null : rows(order.offset);
    fetch = order == null ? null : rows(order.fetch);
    if (keys.isEmpty() && fetch == null && isZero(offset)) {
      throw NotPlain.here(); // Calcite leaves it out
    }
  }

  private static boolean isZero(@Nullable RexNode offset) {
    return offset instanceof RexLiteral number && RexLiteral.intValue(number) == 0;
  }

  private @Nullable RexNode rows(@Nullable SqlNode node) {
    RexBuilder rex = context.rex();
    return switch (node) {
      case null -> null;
      case SqlNumericLiteral number when number.isInteger() ->
          rex.makeExactLiteral(
              number.bigDecimalValue(), number.createSqlType(rex.getTypeFactory()));
      case SqlDynamicParam parameter -> {
        RelDataType type = rex.getTypeFactory().createSqlType(SqlTypeName.INTEGER);
        context.parameters().put(parameter.getIndex(), type);
        context.limits().add(parameter.getIndex());
        yield rex.makeDynamicParam(type, parameter.getIndex());
      }
      default -> throw NotPlain.here();
    };
  }

  boolean isNone() {
    return keys.isEmpty() && offset == null && fetch == null;
  }

  /** What the rows are sorted by, where {@code field} finds the field of a key. */
  List<RelFieldCollation> collation(ToIntFunction<SqlNode> field) {
    List<RelFieldCollation> collation = new ArrayList<>();
    for (SqlNode key : keys) {
      boolean descends = key.getKind() == SqlKind.DESCENDING;
      SqlNode by = descends ? ((SqlCall) key).operand(0) : key;
      RelFieldCollation.Direction direction =
          descends ? RelFieldCollation.Direction.DESCENDING : RelFieldCollation.Direction.ASCENDING;
      collation.add(
          new RelFieldCollation(field.applyAsInt(by), direction, direction.defaultNullDirection()));
    }
    return collation;
  }

  /** The rows in that order, those that are asked for. */
  RelNode sorted(RelNode rows, List<RelFieldCollation> collation) {
    return isNone() ? rows : LogicalSort.create(rows, RelCollations.of(collation), offset, fetch);
  }

  /** As {@link #sorted(RelNode, List)}: all columns of the set operation, which have names. */
  RelNode sorted(PlainSet set) {
    List<String> names = set.row().getFieldNames();
    if (new HashSet<>(names).size() < names.size()) {
      throw NotPlain.here();
    }
    RelBuilder builder = context.rows().push(set.tree());
    RelNode all = builder.projectNamed(builder.fields(), names, true).build();
    return sorted(all, collation(key -> field(key, names)));
  }

  private static int field(SqlNode key, List<String> names) {
    int field =
        switch (key) {
          case SqlNumericLiteral number -> ordinal(number, names.size());
          case SqlIdentifier name when name.isSimple() -> names.indexOf(name.getSimple());
          default -> -1;
        };
    if (field < 0) {
      throw NotPlain.here();
    }
    return field;
  }

  /** The place of a column that a number names. */
  static int ordinal(SqlNumericLiteral number, int columns) {
    int ordinal = number.isInteger() ? number.intValue(false) : 0;
    if (ordinal < 1 || ordinal > columns) {
      throw NotPlain.here();
    }
    return ordinal - 1;
  }
}
