package io.gpdb.planner.rewrite;

import io.gpdb.sql.tree.CommonFactors;
import io.gpdb.sql.tree.DependentCalc;
import io.gpdb.sql.tree.DependentJoin;
import io.gpdb.sql.tree.NotInKeys;
import io.gpdb.sql.tree.Raising;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Moves each condition down to where it concerns the fewest rows: through projections, joins,
 * groupings, windows by their partitions, set operations, and what asks subqueries for each row. A
 * condition that may raise an error moves through filters and projections only, which have the same
 * rows.
 *
 * <pre>
 *   Filter(c1 AND c2 AND c12)  InnerJoin(c)  A, B   =>   InnerJoin(c AND c12)  Filter(c1) A, Filter(c2) B
 *   Filter(c2 rejects NULL)    LeftJoin(c)   A, B   =>   InnerJoin(c)  A, Filter(c2) B
 *   Filter(c of keys)  Aggregate(keys)  A           =>   Aggregate(keys)  Filter(c) A
 * </pre>
 */
final class ConditionPushDown {
  private final RexBuilder builder;

  private ConditionPushDown(RexBuilder builder) {
    this.builder = builder;
  }

  static RelNode applied(RelNode tree) {
    return under(tree, List.of());
  }

  /** The rows of the tree that fulfil the conditions, which are over its fields. */
  static RelNode under(RelNode tree, List<RexNode> conditions) {
    return new ConditionPushDown(tree.getCluster().getRexBuilder()).below(tree, conditions);
  }

  private RelNode below(RelNode tree, List<RexNode> conditions) {
    return switch (tree) {
      case Filter filter when isPlain(filter) -> filter(filter, conditions);
      case Project project -> project(project, conditions);
      case Join join when join.getVariablesSet().isEmpty() -> join(join, conditions);
      case Aggregate aggregate -> aggregate(aggregate, conditions);
      case SetOp set -> setOperation(set, conditions);
      case Sort sort when sort.fetch == null && sort.offset == null -> sort(sort, conditions);
      case DependentCalc calc -> dependent(calc, conditions);
      case DependentJoin join -> dependent(join, conditions);
      case SharedTree _ -> filtered(tree, conditions);
      default -> filtered(withInputs(tree), conditions);
    };
  }

  private static boolean isPlain(Filter filter) {
    return filter.getVariablesSet().isEmpty() && !RexOver.containsOver(filter.getCondition());
  }

  private RelNode withInputs(RelNode tree) {
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : tree.getInputs()) {
      inputs.add(below(input, List.of()));
    }
    return inputs.equals(tree.getInputs()) ? tree : tree.copy(tree.getTraitSet(), inputs);
  }

  private RelNode filtered(RelNode tree, List<RexNode> conditions) {
    return conditions.isEmpty()
        ? tree
        : LogicalFilter.create(
            tree, RexUtil.flatten(builder, RexUtil.composeConjunction(builder, conditions)));
  }

  private RelNode filter(Filter filter, List<RexNode> above) {
    RexNode known = CommonFactors.extracted(builder, filter.getCondition(), Raising::mayRaise);
    List<RexNode> all = new ArrayList<>(RelOptUtil.conjunctions(known));
    above.stream().filter(c -> !all.contains(c)).forEach(all::add);
    return below(filter.getInput(), all);
  }

  private RelNode project(Project project, List<RexNode> conditions) {
    List<RexNode> outputs = project.getProjects();
    boolean windows = RexOver.containsOver(outputs, null);
    ImmutableBitSet keys = windows ? partitionKeys(outputs) : ImmutableBitSet.of();
    List<RexNode> lower = new ArrayList<>();
    List<RexNode> kept = new ArrayList<>();
    for (RexNode condition : conditions) {
      RexNode inlined = inlined(condition, outputs);
      boolean moves =
          project.getVariablesSet().isEmpty()
              && (windows
                  ? isSafe(condition) && isOfKeys(condition, outputs, keys)
                  : RexUtil.isDeterministic(inlined));
      (moves ? lower : kept).add(moves ? inlined : condition);
    }
    RelNode input = below(project.getInput(), lower);
    return filtered(project.copy(project.getTraitSet(), List.of(input)), kept);
  }

  private static RexNode inlined(RexNode condition, List<RexNode> outputs) {
    return condition.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef field) {
            return outputs.get(field.getIndex());
          }
        });
  }

  /** Fields of the input by which all windows are partitioned. */
  private static ImmutableBitSet partitionKeys(List<RexNode> outputs) {
    List<ImmutableBitSet> found = new ArrayList<>();
    RexVisitorImpl<Void> search =
        new RexVisitorImpl<Void>(true) {
          @Override
          public Void visitOver(RexOver over) {
            ImmutableBitSet.Builder keys = ImmutableBitSet.builder();
            for (RexNode key : over.getWindow().partitionKeys) {
              if (key instanceof RexInputRef field) {
                keys.set(field.getIndex());
              }
            }
            found.add(keys.build());
            return super.visitOver(over);
          }
        };
    outputs.forEach(output -> output.accept(search));
    return found.stream().reduce(ImmutableBitSet::intersect).orElse(ImmutableBitSet.of());
  }

  private static boolean isOfKeys(RexNode condition, List<RexNode> outputs, ImmutableBitSet keys) {
    ImmutableBitSet fields = RelOptUtil.InputFinder.bits(condition);
    return !fields.isEmpty()
        && fields.asList().stream()
            .map(outputs::get)
            .allMatch(output -> output instanceof RexInputRef key && keys.get(key.getIndex()));
  }

  private RelNode join(Join join, List<RexNode> above) {
    if (Raising.isPairwise(join) || NotInKeys.of(join) != null) {
      return pairwise(join, above);
    }
    List<RexNode> kept = new ArrayList<>();
    List<RexNode> where = new ArrayList<>();
    above.forEach(c -> (isSafe(c) ? where : kept).add(c));
    JoinRelType type = OuterJoins.simplified(join, where);
    int width = join.getLeft().getRowType().getFieldCount();
    List<RexNode> left = new ArrayList<>();
    List<RexNode> right = new ArrayList<>();
    List<RexNode> on = new ArrayList<>();
    for (RexNode condition : where) {
      ImmutableBitSet fields = RelOptUtil.InputFinder.bits(condition);
      if (fields.length() <= width && !type.generatesNullsOnLeft()) {
        left.add(condition);
      } else if (!fields.isEmpty() && fields.nth(0) >= width && !type.generatesNullsOnRight()) {
        right.add(RexUtil.shift(condition, -width));
      } else {
        (type == JoinRelType.INNER ? on : kept).add(condition);
      }
    }
    RexNode factored = CommonFactors.extracted(builder, join.getCondition(), Raising::mayRaise);
    for (RexNode condition : RelOptUtil.conjunctions(factored)) {
      ImmutableBitSet fields = RelOptUtil.InputFinder.bits(condition);
      boolean safe = isSafe(condition);
      if (safe && !fields.isEmpty() && fields.length() <= width && leavesLeftOut(type)) {
        left.add(condition);
      } else if (safe && !fields.isEmpty() && fields.nth(0) >= width && leavesRightOut(type)) {
        right.add(RexUtil.shift(condition, -width));
      } else if (!on.contains(condition)) {
        on.add(condition);
      }
    }
    RelNode made =
        LogicalJoin.create(
            below(join.getLeft(), left),
            below(join.getRight(), right),
            join.getHints(),
            RexUtil.composeConjunction(builder, on),
            join.getVariablesSet(),
            type);
    return filtered(typed(made, join.getRowType()), kept);
  }

  /** A join whose condition stays as it is; what concerns the rows that it keeps goes below. */
  private RelNode pairwise(Join join, List<RexNode> above) {
    JoinRelType type = join.getJoinType();
    int width = join.getLeft().getRowType().getFieldCount();
    List<RexNode> kept = new ArrayList<>();
    List<RexNode> left = new ArrayList<>();
    for (RexNode condition : above) {
      boolean moves =
          isSafe(condition)
              && !type.generatesNullsOnLeft()
              && RelOptUtil.InputFinder.bits(condition).length() <= width;
      (moves ? left : kept).add(condition);
    }
    List<RelNode> inputs = List.of(below(join.getLeft(), left), below(join.getRight(), List.of()));
    return filtered(join.copy(join.getTraitSet(), inputs), kept);
  }

  /** Whether rows of the left input that fail the condition of the join never come out. */
  private static boolean leavesLeftOut(JoinRelType type) {
    return switch (type) {
      case INNER, RIGHT, SEMI -> true;
      default -> false;
    };
  }

  private static boolean leavesRightOut(JoinRelType type) {
    return switch (type) {
      case INNER, LEFT, SEMI, ANTI -> true;
      default -> false;
    };
  }

  /** The rows with fields of those types, which differ in whether they may be NULL at most. */
  private RelNode typed(RelNode rows, RelDataType type) {
    return RelOptUtil.areRowTypesEqual(rows.getRowType(), type, false)
        ? rows
        : RelOptUtil.createCastRel(rows, type, true);
  }

  private RelNode aggregate(Aggregate aggregate, List<RexNode> conditions) {
    List<Integer> keys = aggregate.getGroupSet().asList();
    List<RexNode> lower = new ArrayList<>();
    List<RexNode> kept = new ArrayList<>();
    for (RexNode condition : conditions) {
      ImmutableBitSet fields = RelOptUtil.InputFinder.bits(condition);
      boolean moves =
          isSafe(condition)
              && !fields.isEmpty()
              && fields.length() <= keys.size()
              && aggregate.getGroupSets().stream()
                  .allMatch(set -> fields.asList().stream().allMatch(f -> set.get(keys.get(f))));
      (moves ? lower : kept).add(moves ? ofInput(condition, aggregate, keys) : condition);
    }
    RelNode input = below(aggregate.getInput(), lower);
    return filtered(aggregate.copy(aggregate.getTraitSet(), List.of(input)), kept);
  }

  private RexNode ofInput(RexNode condition, Aggregate aggregate, List<Integer> keys) {
    return condition.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef field) {
            return builder.makeInputRef(aggregate.getInput(), keys.get(field.getIndex()));
          }
        });
  }

  private RelNode setOperation(SetOp set, List<RexNode> conditions) {
    List<RexNode> lower = new ArrayList<>();
    List<RexNode> kept = new ArrayList<>();
    conditions.forEach(c -> (isSafe(c) && isOfOneType(c, set) ? lower : kept).add(c));
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : set.getInputs()) {
      List<RexNode> own = new ArrayList<>();
      lower.forEach(c -> own.add(retyped(c, input)));
      inputs.add(branch(input, own));
    }
    return filtered(set.copy(set.getTraitSet(), inputs), kept);
  }

  /**
   * An input of a set operation. What becomes a condition without fields there ({@code 's' = 'c'}
   * where a column is {@code 's'} in one input and {@code 'c'} in another) stays above all of it,
   * where it is evaluated once, before anything of the input is run.
   */
  private RelNode branch(RelNode input, List<RexNode> conditions) {
    if (!(input instanceof Project project) || project.containsOver()) {
      return below(input, conditions);
    }
    List<RexNode> lower = new ArrayList<>();
    List<RexNode> kept = new ArrayList<>();
    for (RexNode condition : conditions) {
      RexNode inlined = inlined(condition, project.getProjects());
      boolean once = isSafe(inlined) && RelOptUtil.InputFinder.bits(inlined).isEmpty();
      (once ? kept : lower).add(condition);
    }
    return filtered(below(input, lower), kept);
  }

  /** Whether all inputs have the fields of the condition with the types that the result has. */
  private boolean isOfOneType(RexNode condition, SetOp set) {
    for (int field : RelOptUtil.InputFinder.bits(condition)) {
      RelDataType type = set.getRowType().getFieldList().get(field).getType();
      for (RelNode input : set.getInputs()) {
        RelDataType own = input.getRowType().getFieldList().get(field).getType();
        if (!SqlTypeUtil.equalSansNullability(builder.getTypeFactory(), own, type)) {
          return false;
        }
      }
    }
    return true;
  }

  private RexNode retyped(RexNode condition, RelNode input) {
    return condition.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef field) {
            return builder.makeInputRef(input, field.getIndex());
          }
        });
  }

  private RelNode sort(Sort sort, List<RexNode> conditions) {
    List<RexNode> lower = new ArrayList<>();
    List<RexNode> kept = new ArrayList<>();
    conditions.forEach(c -> (isSafe(c) ? lower : kept).add(c));
    RelNode input = below(sort.getInput(), lower);
    return filtered(sort.copy(sort.getTraitSet(), List.of(input)), kept);
  }

  /** Rows that fail a condition ask no subquery: it goes below where it needs none itself. */
  private RelNode dependent(DependentCalc calc, List<RexNode> conditions) {
    List<RexNode> lower = new ArrayList<>();
    List<RexNode> kept = new ArrayList<>();
    for (RexNode condition : conditions) {
      RexNode inlined = calc.condition() == null ? inlined(condition, calc.outputs()) : condition;
      boolean moves = isSafe(inlined); // a subquery is not
      (moves ? lower : kept).add(moves ? inlined : condition);
    }
    RelNode input = below(calc.getInput(), lower);
    return filtered(calc.copy(calc.getTraitSet(), List.of(input)), kept);
  }

  /** The same of the rows whose fields the query of LATERAL reads. */
  private RelNode dependent(DependentJoin join, List<RexNode> conditions) {
    int width = join.getInput().getRowType().getFieldCount();
    List<RexNode> lower = new ArrayList<>();
    List<RexNode> kept = new ArrayList<>();
    for (RexNode condition : conditions) {
      ImmutableBitSet fields = RelOptUtil.InputFinder.bits(condition);
      boolean moves = isSafe(condition) && !fields.isEmpty() && fields.length() <= width;
      (moves ? lower : kept).add(condition);
    }
    RelNode input = below(join.getInput(), lower);
    return filtered(join.copy(join.getTraitSet(), List.of(input)), kept);
  }

  private static boolean isSafe(RexNode condition) {
    return !Raising.mayRaise(condition) && RexUtil.isDeterministic(condition);
  }
}
