package io.gpdb.sql.tree;

import io.gpdb.sql.type.GpTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.calcite.plan.Strong;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * A filter or a projection whose subqueries are found for all of its rows at once, by a join with
 * their values in groups ({@link GroupedQuery}).
 *
 * <pre>
 *   DependentCalc(x &lt; F(k))  T
 *     =&gt;  Filter(x &lt; v)  LeftJoin(k = g)  T, Grouped(g, v)  SemiJoin(g = k)  R, T
 * </pre>
 *
 * The semi join leaves the groups that a row of T asks for (magic sets: Mumick et al., SIGMOD 1990;
 * Seshadri et al., ICDE 1996): few groups are made where T has few rows, and no group raises an
 * error that no row asks for. So a subquery is joined only where each row of T asks for its value:
 * not below AND, OR and branches of CASE, which ask where they need it. An EXISTS whose query
 * cannot raise an error is joined there, too. T is read twice, so it must be held by whoever runs
 * this. A subquery that reads no outer values becomes a parameter, to be bound to its value.
 *
 * @param tree the joins, the filter or projection above them
 * @param ofOneValue the subqueries that became parameters ({@link SubQueryFunction#value})
 */
public record JoinedSubQueries(RelNode tree, List<SubQueryFunction> ofOneValue) {
  /**
   * The calc so, or null where a subquery is not to be joined.
   *
   * @param rows makes a node that stands for the input of the calc, for each of its places
   */
  public static @Nullable JoinedSubQueries of(DependentCalc calc, Supplier<RelNode> rows) {
    List<RexCall> calls = new ArrayList<>();
    RexNode condition = calc.condition();
    List<RexNode> nodes = condition == null ? calc.outputs() : List.of(condition);
    for (RexNode node : nodes) {
      if (!collect(node, calls)) {
        return null;
      }
    }
    boolean possible = !calls.isEmpty() && calls.stream().allMatch(JoinedSubQueries::isOfFields);
    return possible ? new Joining(calc, rows).joined(calls) : null;
  }

  /** The calls of subqueries that are always evaluated; false where there are others. */
  private static boolean collect(RexNode node, List<RexCall> calls) {
    if (!(node instanceof RexCall call)) {
      return true;
    }
    if (call.getOperator() instanceof SubQueryFunction) {
      if (!calls.contains(call)) {
        calls.add(call);
      }
      return true;
    }
    List<RexNode> operands = call.getOperands();
    return switch (call.getKind()) {
      case AND, OR -> addHarmless(calls, operands);
      case CASE, COALESCE -> collect(operands.getFirst(), calls) && addHarmless(calls, operands);
      default -> operands.stream().allMatch(operand -> collect(operand, calls));
    };
  }

  /**
   * Adds the calls in the nodes that may be evaluated where nothing asks for them; false where
   * others are that nothing else asks for.
   */
  private static boolean addHarmless(List<RexCall> calls, List<RexNode> nodes) {
    List<RexCall> found = new ArrayList<>();
    RexShuttle search =
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            if (call.getOperator() instanceof SubQueryFunction) {
              found.add(call);
              return call;
            }
            return super.visitCall(call);
          }
        };
    nodes.forEach(node -> node.accept(search));
    found.stream()
        .filter(call -> isHarmless((SubQueryFunction) call.getOperator()) && !calls.contains(call))
        .forEach(calls::add);
    return calls.containsAll(found);
  }

  private static boolean isHarmless(SubQueryFunction function) {
    return function.answer() == SubQueryFunction.Kind.EXISTS && !Raising.mayRaise(function.query());
  }

  private static boolean isOfFields(RexCall call) {
    return call.getOperands().stream().allMatch(RexInputRef.class::isInstance);
  }

  private static final class Joining {
    private final DependentCalc calc;
    private final Supplier<RelNode> rows;
    private final RexBuilder builder;
    private final Map<RexCall, RexNode> values = new HashMap<>();
    private final List<SubQueryFunction> ofOneValue = new ArrayList<>();
    private RelNode joined;

    Joining(DependentCalc calc, Supplier<RelNode> rows) {
      this.calc = calc;
      this.rows = rows;
      builder = calc.getCluster().getRexBuilder();
      joined = rows.get();
    }

    @Nullable JoinedSubQueries joined(List<RexCall> calls) {
      int width = joined.getRowType().getFieldCount();
      for (RexCall call : calls) {
        if (!join(call)) {
          return null;
        }
      }
      RexShuttle replacing =
          new RexShuttle() {
            @Override
            public RexNode visitCall(RexCall call) {
              RexNode value = values.get(call);
              return value == null ? super.visitCall(call) : value;
            }
          };
      RexNode condition = calc.condition();
      if (condition == null) {
        return with(projected(joined, replacing.apply(calc.outputs()), calc.getRowType()));
      }
      RelNode filtered = LogicalFilter.create(joined, condition.accept(replacing));
      List<RexNode> fields = builder.identityProjects(joined.getRowType()).subList(0, width);
      return with(projected(filtered, fields, calc.getRowType()));
    }

    private JoinedSubQueries with(RelNode tree) {
      return new JoinedSubQueries(tree, List.copyOf(ofOneValue));
    }

    private static RelNode projected(RelNode input, List<RexNode> fields, RelDataType type) {
      return LogicalProject.create(input, List.of(), fields, type, Set.of());
    }

    /** Adds the groups of a call's subquery to the join; false where they are not known. */
    private boolean join(RexCall call) {
      SubQueryFunction function = (SubQueryFunction) call.getOperator();
      if (function.isOfOneValue() && !GpTypes.isCharacter(call.getType())) {
        ofOneValue.add(function);
        values.put(call, new OuterParameter(call.getType(), function.value()));
        return true;
      }
      List<RexNode> arguments = call.getOperands();
      GroupedQuery.Reduction reduction = (all, keys, of) -> askedFor(all, keys, of, arguments);
      boolean exists = function.answer() == SubQueryFunction.Kind.EXISTS;
      GroupedQuery query =
          exists
              ? GroupedQuery.ofExisting(function, reduction)
              : GroupedQuery.of(function, reduction);
      RexNode ofNoRows = query == null ? null : query.ofNoRows();
      if (query == null || ofNoRows == null) {
        return false;
      }
      int width = joined.getRowType().getFieldCount();
      List<RexNode> equalities = new ArrayList<>();
      for (int i = 0; i < query.arguments().size(); i++) {
        RexNode key = RexUtil.shift(builder.makeInputRef(query.tree(), i), width);
        equalities.add(equal(arguments.get(query.arguments().get(i)), key));
      }
      joined = join(joined, query.tree(), equalities, JoinRelType.LEFT);
      values.put(
          call, exists ? isFound(width) : value(call, width, query.arguments().size(), ofNoRows));
      return true;
    }

    /** Whether a row has a group; keys of groups that are found are not NULL. */
    private RexNode isFound(int width) {
      return builder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, builder.makeInputRef(joined, width));
    }

    /** The value of the group that was found, else that of no rows. */
    private RexNode value(RexCall call, int width, int keys, RexNode ofNoRows) {
      RexNode value = builder.makeInputRef(joined, width + keys);
      if (!Strong.isNull(ofNoRows, ImmutableBitSet.of())) {
        value = builder.makeCall(SqlStdOperatorTable.CASE, isFound(width), value, ofNoRows);
      }
      return value.getType().equals(call.getType())
          ? value
          : builder.makeAbstractCast(call.getType(), value, false);
    }

    private RelNode askedFor(
        RelNode all, List<RexNode> keys, List<Integer> of, List<RexNode> arguments) {
      if (keys.isEmpty()) {
        return all;
      }
      int width = all.getRowType().getFieldCount();
      List<RexNode> equalities = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        equalities.add(equal(keys.get(i), RexUtil.shift(arguments.get(of.get(i)), width)));
      }
      return join(all, rows.get(), equalities, JoinRelType.SEMI);
    }

    private RexNode equal(RexNode a, RexNode b) {
      return builder.makeCall(SqlStdOperatorTable.EQUALS, a, b);
    }

    private RelNode join(RelNode left, RelNode right, List<RexNode> equalities, JoinRelType type) {
      RexNode condition = RexUtil.composeConjunction(builder, equalities);
      return LogicalJoin.create(left, right, List.of(), condition, Set.of(), type);
    }
  }
}
