package io.gpdb.planner.rewrite;

import io.gpdb.sql.dialect.AggregateOperators;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinInfo;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Groups the rows of a join's side by the join's keys before they are joined, where the groups
 * above ask for nothing else of them (eager aggregation: Yan, Larson, VLDB 1995).
 *
 * <pre>
 *   Aggregate(l.a; COUNT(r.x))            Aggregate(l.a; SUM0(n))
 *     LeftJoin(l.k = r.k)          =>       LeftJoin(l.k = r.k)
 *       l                                     l
 *       r                                     Aggregate(r.k; n = COUNT(r.x))
 *                                               r
 * </pre>
 *
 * <p>Invariants: the groups' keys are fields of the other side. Calls add up from parts (COUNT,
 * MIN, MAX, and SUM of exact numbers of which no part overflows where the sum does not), so
 * whatever joins the rows of a key, the answer is the same; rows of keys that nothing joins raise
 * no error. A row of an outer join without a partner counts as one for COUNT(*) alone.
 */
final class EagerGroups {
  /** Rows for each group of them from which on grouping them first pays. */
  private static final int ROWS_PER_GROUP_MIN = 4;

  /** Of this many rows one at least has a partner, or most are grouped for nothing. */
  private static final int ROWS_PER_PAIR_MAX = 2;

  private final Aggregate aggregate;
  private final Join join;
  private final JoinInfo info;
  private final RexBuilder builder;

  /** Of the aggregate's input, the fields of the join; -1 for what is computed of them. */
  private final List<Integer> fields;

  private EagerGroups(Aggregate aggregate, Join join, List<Integer> fields) {
    this.aggregate = aggregate;
    this.join = join;
    this.fields = fields;
    info = JoinInfo.createWithStrictEquality(join.getLeft(), join.getRight(), join.getCondition());
    builder = join.getCluster().getRexBuilder();
  }

  /** The groups of an aggregate, made so where that is expected to cost less. */
  static RelNode of(Aggregate aggregate, Estimates estimates) {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE || aggregate.getGroupCount() == 0) {
      return aggregate;
    }
    RelNode input = aggregate.getInput();
    List<Integer> fields = new ArrayList<>();
    for (int i = 0; i < input.getRowType().getFieldCount(); i++) {
      fields.add(i);
    }
    while (input instanceof Project project) {
      fields.replaceAll(field -> below(project, field));
      input = project.getInput();
    }
    return input instanceof Join join
        ? new EagerGroups(aggregate, join, fields).made(estimates)
        : aggregate;
  }

  /** The field of the projection's input that a field is; -1 where it is none. */
  private static int below(Project project, int field) {
    return field >= 0 && project.getProjects().get(field) instanceof RexInputRef input
        ? input.getIndex()
        : -1;
  }

  private RelNode made(Estimates estimates) {
    if (!info.isEqui() || info.leftKeys.isEmpty() || !join.getVariablesSet().isEmpty()) {
      return aggregate;
    }
    boolean inner = join.getJoinType() == JoinRelType.INNER;
    if (!inner && join.getJoinType() != JoinRelType.LEFT) {
      return aggregate;
    }
    for (boolean right : inner ? new boolean[] {true, false} : new boolean[] {true}) {
      RelNode made = made(right, estimates);
      if (made != null) {
        return made;
      }
    }
    return aggregate;
  }

  /** Null where the side's rows are not grouped first. */
  private @Nullable RelNode made(boolean right, Estimates estimates) {
    if (!isPossible(right)) {
      return null;
    }
    LogicalAggregate parts = parts(right);
    double rows = estimates.rows(parts.getInput());
    if (estimates.rows(parts) * ROWS_PER_GROUP_MIN > rows
        || estimates.rows(join) * ROWS_PER_PAIR_MAX < rows) {
      return null;
    }
    RelNode groups = above(joined(parts, right), parts, right);
    return RelOptUtil.areRowTypesEqual(groups.getRowType(), aggregate.getRowType(), false)
        ? named(groups)
        : null;
  }

  private boolean isPossible(boolean right) {
    for (int key : aggregate.getGroupSet()) {
      if (fields.get(key) < 0 || isOf(right, fields.get(key))) {
        return false;
      }
    }
    for (int key : keys(right)) {
      RelDataType type = side(right).getRowType().getFieldList().get(key).getType();
      if (SqlTypeUtil.isApproximateNumeric(type)) {
        return false;
      }
    }
    return aggregate.getAggCallList().stream().allMatch(call -> addsUp(call, right));
  }

  private boolean addsUp(AggregateCall call, boolean right) {
    if (call.isDistinct() || call.hasFilter() || call.getArgList().size() > 1) {
      return false;
    }
    for (int argument : call.getArgList()) {
      if (fields.get(argument) < 0 || !isOf(right, fields.get(argument))) {
        return false;
      }
    }
    return switch (call.getAggregation().getKind()) {
      case COUNT -> true;
      case MIN, MAX -> call.getArgList().size() == 1;
      case SUM ->
          SumParts.addUp(
              RelOptUtil.getFieldTypeList(aggregate.getInput().getRowType())
                  .get(call.getArgList().getFirst()));
      default -> false;
    };
  }

  private RelNode side(boolean right) {
    return right ? join.getRight() : join.getLeft();
  }

  private List<Integer> keys(boolean right) {
    return right ? info.rightKeys : info.leftKeys;
  }

  private boolean isOf(boolean right, int field) {
    return field >= width() == right;
  }

  private int width() {
    return join.getLeft().getRowType().getFieldCount();
  }

  // The side's groups

  /** The side's rows by the join's keys, with what the groups above are added up from. */
  private LogicalAggregate parts(boolean right) {
    int first = right ? width() : 0;
    RelNode rows = side(right);
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      List<Integer> arguments =
          call.getArgList().stream().map(argument -> fields.get(argument) - first).toList();
      calls.add(call(call.getAggregation(), arguments, rows));
    }
    return LogicalAggregate.create(rows, List.of(), ImmutableBitSet.of(keys(right)), null, calls);
  }

  private static AggregateCall call(
      SqlAggFunction function, List<Integer> arguments, RelNode input) {
    return AggregateCall.create(
        function,
        false,
        false,
        false,
        List.of(),
        arguments,
        -1,
        null,
        RelCollations.EMPTY,
        false,
        input,
        null,
        null);
  }

  private RelNode joined(LogicalAggregate parts, boolean right) {
    RelNode left = right ? join.getLeft() : parts;
    RelNode other = right ? parts : join.getRight();
    int width = left.getRowType().getFieldCount();
    ImmutableBitSet grouped = parts.getGroupSet();
    List<RexNode> conditions = new ArrayList<>();
    for (int i = 0; i < info.leftKeys.size(); i++) {
      int leftKey = info.leftKeys.get(i);
      int rightKey = info.rightKeys.get(i);
      int ofLeft = right ? leftKey : grouped.indexOf(leftKey);
      int ofRight = right ? grouped.indexOf(rightKey) : rightKey;
      conditions.add(
          builder.makeCall(
              SqlStdOperatorTable.EQUALS,
              builder.makeInputRef(left, ofLeft),
              RexUtil.shift(builder.makeInputRef(other, ofRight), width)));
    }
    return LogicalJoin.create(
        left,
        other,
        List.of(),
        RexUtil.composeConjunction(builder, conditions),
        java.util.Set.of(),
        join.getJoinType());
  }

  // The groups above

  private RelNode above(RelNode joined, LogicalAggregate parts, boolean right) {
    int firstPart = (right ? width() : 0) + parts.getGroupCount();
    int shift = right ? 0 : parts.getRowType().getFieldCount() - width();
    List<RexNode> outputs = new ArrayList<>();
    for (int key : aggregate.getGroupSet()) {
      outputs.add(builder.makeInputRef(joined, fields.get(key) + shift));
    }
    int groups = outputs.size();
    for (int i = 0; i < parts.getAggCallList().size(); i++) {
      RexNode part = builder.makeInputRef(joined, firstPart + i);
      outputs.add(isOfRows(i) && part.getType().isNullable() ? orOne(part) : part);
    }
    RelNode read = projected(joined, outputs, null);
    List<AggregateCall> calls = new ArrayList<>();
    for (int i = 0; i < parts.getAggCallList().size(); i++) {
      AggregateCall call = aggregate.getAggCallList().get(i);
      SqlAggFunction function =
          switch (call.getAggregation().getKind()) {
            case COUNT -> SqlStdOperatorTable.SUM0;
            case SUM -> AggregateOperators.SUM;
            default -> call.getAggregation();
          };
      calls.add(call(function, List.of(groups + i), read));
    }
    return LogicalAggregate.create(read, List.of(), ImmutableBitSet.range(groups), null, calls);
  }

  private RelNode named(RelNode groups) {
    List<RexNode> all = new ArrayList<>();
    for (int i = 0; i < groups.getRowType().getFieldCount(); i++) {
      all.add(builder.makeInputRef(groups, i));
    }
    return projected(groups, all, aggregate.getRowType().getFieldNames());
  }

  private static RelNode projected(
      RelNode input, List<RexNode> outputs, @Nullable List<String> names) {
    return LogicalProject.create(input, List.of(), outputs, names, java.util.Set.of());
  }

  private boolean isOfRows(int call) {
    AggregateCall counted = aggregate.getAggCallList().get(call);
    return counted.getAggregation().getKind() == SqlKind.COUNT && counted.getArgList().isEmpty();
  }

  /** A row without a partner is one row. */
  private RexNode orOne(RexNode count) {
    return builder.makeCall(
        SqlStdOperatorTable.CASE,
        builder.makeCall(SqlStdOperatorTable.IS_NULL, count),
        builder.makeExactLiteral(BigDecimal.ONE, count.getType()),
        count);
  }
}
