package io.gpdb.sql.tree;

import io.gpdb.sql.dialect.FetchCount;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexWindowBounds;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.tools.RelBuilder;

/**
 * Sorts that count their rows by a {@link FetchCount}, as filters over windows: with ties a row is
 * in the result if its rank is at most the last row's number, otherwise if its number is. A
 * percentage is of all rows, those that OFFSET leaves out among them, and rounded up.
 */
public final class FetchedRows extends RelHomogeneousShuttle {
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private FetchedRows() {}

  public static RelNode in(RelNode tree) {
    return tree.accept(new FetchedRows());
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode node =
        super.visit(other)
            .accept(
                new RexShuttle() {
                  @Override
                  public RexNode visitSubQuery(RexSubQuery query) {
                    RexSubQuery own = (RexSubQuery) super.visitSubQuery(query);
                    return own.clone(in(own.rel));
                  }
                });
    return node instanceof Sort sort
            && sort.fetch instanceof RexCall call
            && call.getOperator() instanceof FetchCount count
        ? filtered(sort, count, call.getOperands().getFirst())
        : node;
  }

  private static RelNode filtered(Sort sort, FetchCount count, RexNode fetch) {
    RelCollation order = sort.getCollation();
    if (count.withTies() && order.getFieldCollations().isEmpty()) {
      throw new GpdbException(SqlCondition.SYNTAX, "WITH TIES needs an ORDER BY");
    }
    RelBuilder rows = RelFactories.LOGICAL_BUILDER.create(sort.getCluster(), null);
    RexBuilder rex = rows.getRexBuilder();
    rows.push(sort.getInput());
    int fields = sort.getInput().getRowType().getFieldCount();
    List<RexNode> numbered = new ArrayList<>(rows.fields());
    List<RexNode> keys = keys(rows, order);
    numbered.add(
        rows.aggregateCall(SqlStdOperatorTable.ROW_NUMBER)
            .over()
            .orderBy(keys)
            .rowsTo(RexWindowBounds.CURRENT_ROW)
            .toRex());
    numbered.add(
        rows.aggregateCall(SqlStdOperatorTable.RANK)
            .over()
            .orderBy(keys)
            .rangeTo(RexWindowBounds.CURRENT_ROW)
            .toRex());
    numbered.add(rows.aggregateCall(SqlStdOperatorTable.COUNT).over().toRex());
    rows.project(numbered);
    RexNode number = rows.field(fields);
    RexNode skipped = sort.offset == null ? rows.literal(0) : sort.offset;
    RexNode last = count.isPercent() ? share(rows, fetch, rows.field(fields + 2)) : fetch;
    RexNode compared = count.withTies() ? rows.field(fields + 1) : number;
    RexNode taken =
        rex.makeCall(
            SqlStdOperatorTable.LESS_THAN_OR_EQUAL,
            compared,
            rex.makeCall(SqlStdOperatorTable.PLUS, skipped, last));
    RexNode kept = rex.makeCall(SqlStdOperatorTable.GREATER_THAN, number, skipped);
    // No rows are asked for: the first rank would be beyond the last, unless rows are skipped.
    RexNode some = rex.makeCall(SqlStdOperatorTable.GREATER_THAN, last, rows.literal(0));
    rows.filter(kept, taken, some);
    rows.project(rows.fields().subList(0, fields), sort.getRowType().getFieldNames(), true);
    return LogicalSort.create(rows.build(), order, null, null);
  }

  /** That percentage of a number of rows, rounded up. */
  private static RexNode share(RelBuilder rows, RexNode percent, RexNode all) {
    RexBuilder rex = rows.getRexBuilder();
    RelDataType exact = rex.getTypeFactory().createSqlType(SqlTypeName.DOUBLE);
    RexNode product =
        rex.makeCall(
            SqlStdOperatorTable.MULTIPLY, rex.makeCast(exact, percent), rex.makeCast(exact, all));
    RexNode share =
        rex.makeCall(
            SqlStdOperatorTable.CEIL,
            rex.makeCall(
                SqlStdOperatorTable.DIVIDE,
                product,
                rex.makeCast(exact, rex.makeExactLiteral(HUNDRED))));
    return rex.makeCast(rex.getTypeFactory().createSqlType(SqlTypeName.BIGINT), share);
  }

  private static List<RexNode> keys(RelBuilder rows, RelCollation order) {
    List<RexNode> keys = new ArrayList<>();
    for (RelFieldCollation field : order.getFieldCollations()) {
      RexNode key = rows.field(field.getFieldIndex());
      if (field.direction.isDescending()) {
        key = rows.desc(key);
      }
      keys.add(
          switch (field.nullDirection) {
            case FIRST -> rows.nullsFirst(key);
            case LAST -> rows.nullsLast(key);
            case UNSPECIFIED -> key;
          });
    }
    return keys;
  }
}
