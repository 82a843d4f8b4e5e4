package io.gpdb.planner.rewrite;

import io.gpdb.sql.dialect.AggregateOperators;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Replaces each AVG by a SUM over a COUNT. The sum keeps its own type until it is divided: brought
 * to the type of the average first, as Calcite's rule does, it need not fit.
 *
 * <pre>
 *   Aggregate(k; AVG(x))   =&gt;   Project(k, SUM(x) / COUNT(x))  Aggregate(k; SUM(x), COUNT(x))
 * </pre>
 */
final class Averages extends RelHomogeneousShuttle {
  static RelNode replaced(RelNode tree) {
    return tree.accept(new Averages());
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode node = super.visit(other);
    if (!(node instanceof LogicalAggregate aggregate)
        || aggregate.getAggCallList().stream().noneMatch(Averages::isAverage)) {
      return node;
    }
    RexBuilder builder = aggregate.getCluster().getRexBuilder();
    int groups = aggregate.getGroupCount();
    List<AggregateCall> calls = new ArrayList<>();
    List<RexNode> outputs = new ArrayList<>();
    for (int i = 0; i < groups; i++) {
      outputs.add(builder.makeInputRef(aggregate, i));
    }
    for (AggregateCall call : aggregate.getAggCallList()) {
      if (isAverage(call)) {
        RexNode sum = added(aggregate, call, SqlKind.SUM, calls, groups);
        RexNode count = added(aggregate, call, SqlKind.COUNT, calls, groups);
        outputs.add(quotient(builder, sum, count, call.getType()));
      } else {
        calls.add(call);
        outputs.add(builder.makeInputRef(call.getType(), groups + calls.size() - 1));
      }
    }
    LogicalAggregate sums =
        aggregate.copy(
            aggregate.getTraitSet(),
            aggregate.getInput(),
            aggregate.getGroupSet(),
            aggregate.getGroupSets(),
            calls);
    return LogicalProject.create(
        sums,
        aggregate.getHints(),
        outputs,
        aggregate.getRowType().getFieldNames(),
        java.util.Set.of());
  }

  private static boolean isAverage(AggregateCall call) {
    return call.getAggregation().getKind() == SqlKind.AVG;
  }

  private static RexNode added(
      LogicalAggregate aggregate,
      AggregateCall average,
      SqlKind kind,
      List<AggregateCall> calls,
      int groups) {
    AggregateCall call =
        AggregateCall.create(
            kind == SqlKind.COUNT ? SqlStdOperatorTable.COUNT : AggregateOperators.SUM,
            average.isDistinct(),
            average.isApproximate(),
            average.ignoreNulls(),
            average.rexList,
            average.getArgList(),
            average.filterArg,
            null,
            RelCollations.EMPTY,
            aggregate.hasEmptyGroup(),
            aggregate.getInput(),
            null,
            null);
    int known = calls.indexOf(call);
    if (known < 0) {
      calls.add(call);
    }
    int field = groups + (known < 0 ? calls.size() - 1 : known);
    return aggregate.getCluster().getRexBuilder().makeInputRef(call.getType(), field);
  }

  /** NULL where the sum is NULL, which is where the count is 0. */
  private static RexNode quotient(
      RexBuilder builder, RexNode sum, RexNode count, RelDataType average) {
    RelDataType type = builder.getTypeFactory().createTypeWithNullability(average, true);
    boolean exact = !SqlTypeUtil.isApproximateNumeric(type);
    RexNode quotient =
        builder.makeCall(
            type,
            SqlStdOperatorTable.DIVIDE,
            exact
                ? List.of(sum, count)
                : List.of(floating(builder, sum, type), floating(builder, count, type)));
    return type.equals(average) ? quotient : builder.makeAbstractCast(average, quotient, false);
  }

  private static RexNode floating(RexBuilder builder, RexNode value, RelDataType type) {
    RelDataType wanted =
        builder.getTypeFactory().createTypeWithNullability(type, value.getType().isNullable());
    return value.getType().equals(wanted) ? value : builder.makeAbstractCast(wanted, value, false);
  }
}
