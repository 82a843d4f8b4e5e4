package io.gpdb.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Makes a condition {@code e NOT IN (query)} of a filter an anti join on {@code (e = x) IS NOT
 * FALSE}: a row stays if every comparison is false, neither true nor unknown. Only where the query
 * does not refer to the row, gives one column, and the condition stands alone or under AND; any
 * other is left to Calcite's rules.
 *
 * <pre>
 *   Filter(c AND e NOT IN (q))        Project(fields of T)
 *     T                         =>      AntiJoin((e' = x) IS NOT FALSE)
 *                                         Project(fields of T, e AS e')   unless e is a field
 *                                           Filter(c)
 *                                             T
 *                                         q
 * </pre>
 */
final class NotInJoins extends RelHomogeneousShuttle {
  @Override
  public RelNode visit(RelNode other) {
    RelNode node = super.visit(other);
    if (!(node instanceof Filter filter)) {
      return node;
    }
    List<RexNode> rest = new ArrayList<>();
    List<RexSubQuery> joined = new ArrayList<>();
    for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
      if (condition.getKind() == SqlKind.NOT
          && ((RexCall) condition).getOperands().getFirst() instanceof RexSubQuery query
          && isJoinable(query)) {
        joined.add(query);
      } else {
        rest.add(condition);
      }
    }
    if (joined.isEmpty()) {
      return node;
    }
    RexBuilder builder = filter.getCluster().getRexBuilder();
    RelNode rows =
        rest.isEmpty()
            ? filter.getInput()
            : filter.copy(
                filter.getTraitSet(), filter.getInput(), RexUtil.composeConjunction(builder, rest));
    for (RexSubQuery query : joined) {
      rows = join(builder, rows, query);
    }
    return rows;
  }

  private static boolean isJoinable(RexSubQuery query) {
    return query.getKind() == SqlKind.IN
        && query.getOperands().size() == 1
        && !SubQuerySearch.isIn(query.getOperands().getFirst())
        && RelOptUtil.getVariablesUsed(query.rel).isEmpty();
  }

  private RelNode join(RexBuilder builder, RelNode rows, RexSubQuery query) {
    RexNode member = query.getOperands().getFirst();
    boolean isField = member instanceof RexInputRef;
    RelNode left = isField ? rows : withField(builder, rows, member);
    int fields = left.getRowType().getFieldCount();
    RelNode right = query.rel.accept(this);
    RexNode equal =
        builder.makeCall(
            SqlStdOperatorTable.EQUALS,
            isField ? member : builder.makeInputRef(left, fields - 1),
            builder.makeInputRef(right.getRowType().getFieldList().getFirst().getType(), fields));
    RexNode condition =
        equal.getType().isNullable()
            ? builder.makeCall(SqlStdOperatorTable.IS_NOT_FALSE, equal)
            : equal;
    RelNode anti =
        LogicalJoin.create(left, right, List.of(), condition, Set.of(), JoinRelType.ANTI);
    return isField ? anti : withoutField(builder, anti, rows);
  }

  private static RelNode withField(RexBuilder builder, RelNode rows, RexNode value) {
    List<RexNode> fields = new ArrayList<>(builder.identityProjects(rows.getRowType()));
    List<String> names = new ArrayList<>(rows.getRowType().getFieldNames());
    fields.add(value);
    names.add("MEMBER");
    return LogicalProject.create(rows, List.of(), fields, names, Set.of());
  }

  private static RelNode withoutField(RexBuilder builder, RelNode widened, RelNode rows) {
    return LogicalProject.create(
        widened,
        List.of(),
        builder.identityProjects(rows.getRowType()),
        rows.getRowType().getFieldNames(),
        Set.of());
  }
}
