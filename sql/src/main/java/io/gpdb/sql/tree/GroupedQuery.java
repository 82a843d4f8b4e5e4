package io.gpdb.sql.tree;

import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * The values of a subquery for all outer values at once, where it is an aggregate over rows that
 * are chosen by equalities with outer values and in no other way.
 *
 * <pre>
 *   Project(f(a)) Aggregate({}, a) Project(p) Filter(k = ? AND c) R
 *     =>  Project(k, f(a)) Aggregate({k}, a) Project(p, k) Filter(c) R
 * </pre>
 *
 * A value without a row here is that of no rows. Kim (TODS 1982) groups so; that COUNT of no rows
 * is 0 and not lost, Ganski and Wong (SIGMOD 1987) add.
 *
 * @param tree a query whose fields are the keys and, last, the value
 * @param arguments the argument of the function that each key is compared with
 * @param ofNoRows the value of no rows, an expression without fields; null where it is not known
 */
public record GroupedQuery(RelNode tree, List<Integer> arguments, @Nullable RexNode ofNoRows) {

  /** Rows of the query's input that are left for a group, of those with that condition. */
  @FunctionalInterface
  interface Reduction {
    /** All rows are grouped. */
    Reduction NONE = (rows, keys, arguments) -> rows;

    /**
     * Leaves out rows whose keys nobody asks for.
     *
     * @param keys fields of the rows
     * @param arguments what each of them is compared with
     */
    RelNode of(RelNode rows, List<RexNode> keys, List<Integer> arguments);
  }

  /** The query of a function, grouped; null where it is of another form. */
  public static @Nullable GroupedQuery of(SubQueryFunction function) {
    return function.answer() == SubQueryFunction.Kind.GRADE
        ? MemberSet.of(function)
        : of(function, Reduction.NONE);
  }

  /** The same for some of the groups. */
  static @Nullable GroupedQuery of(SubQueryFunction function, Reduction reduction) {
    boolean possible =
        function.answer() == SubQueryFunction.Kind.VALUE
            && function.outer().isEmpty()
            && !function.parameters().isEmpty();
    return possible ? new Search(function, reduction).grouped() : null;
  }

  /**
   * The keys for which a query of EXISTS has rows, each once and followed by TRUE; null where it is
   * of another form.
   *
   * <pre>
   *   Project(p) Filter(k = ? AND c) R   =>   Project(k, TRUE) Aggregate({k}) Filter(c) R
   * </pre>
   */
  static @Nullable GroupedQuery ofExisting(SubQueryFunction function, Reduction reduction) {
    boolean possible =
        function.answer() == SubQueryFunction.Kind.EXISTS
            && function.outer().isEmpty()
            && !function.parameters().isEmpty();
    return possible ? new Search(function, reduction).existing() : null;
  }

  private static final class Search {
    private final SubQueryFunction function;
    private final Reduction reduction;
    private final RexBuilder builder;
    private final List<RexNode> keys = new ArrayList<>();
    private final List<Integer> arguments = new ArrayList<>();

    /** The fields of the nodes above the aggregate where it has no rows. */
    private @Nullable List<RexNode> ofNoRows;

    Search(SubQueryFunction function, Reduction reduction) {
      this.function = function;
      this.reduction = reduction;
      builder = function.query().getCluster().getRexBuilder();
    }

    @Nullable GroupedQuery existing() {
      RelNode rows = rows(function.query());
      if (rows == null || keys.isEmpty()) {
        return null;
      }
      int all = rows.getRowType().getFieldCount();
      ImmutableBitSet group = ImmutableBitSet.range(all - keys.size(), all);
      RelNode grouped = LogicalAggregate.create(rows, List.of(), group, null, List.of());
      List<RexNode> fields = new ArrayList<>(builder.identityProjects(grouped.getRowType()));
      fields.add(builder.makeLiteral(true));
      return complete(
          LogicalProject.create(grouped, List.of(), fields, (List<String>) null, Set.of()),
          builder.makeLiteral(false));
    }

    @Nullable GroupedQuery grouped() {
      RelNode tree = value(function.query());
      RexNode none = ofNoRows == null ? null : ofNoRows.getFirst();
      return tree == null ? null : complete(tree, none);
    }

    private @Nullable GroupedQuery complete(RelNode tree, @Nullable RexNode none) {
      if (!FreeParameters.of(tree, List.of()).isEmpty()) {
        return null;
      }
      boolean complete = arguments.size() == function.parameters().size();
      return complete ? new GroupedQuery(tree, List.copyOf(arguments), none) : null;
    }

    /** The keys and the fields of a node that has one row for each group. */
    private @Nullable RelNode value(RelNode node) {
      return switch (node) {
        case Project project when !project.containsOver() -> {
          RelNode below = value(project.getInput());
          yield below == null ? null : above(project, below);
        }
        case Aggregate aggregate
            when aggregate.getGroupType() == Aggregate.Group.SIMPLE
                && aggregate.getGroupSet().isEmpty() ->
            aggregate(aggregate);
        default -> null;
      };
    }

    private RelNode above(Project project, RelNode below) {
      List<RexNode> fields = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        fields.add(builder.makeInputRef(below, i));
      }
      fields.addAll(RexUtil.shift(project.getProjects(), keys.size()));
      List<RexNode> inner = ofNoRows;
      ofNoRows = inner == null ? null : over(inner).apply(project.getProjects());
      return LogicalProject.create(below, List.of(), fields, (List<String>) null, Set.of());
    }

    private static RexShuttle over(List<RexNode> fields) {
      return new RexShuttle() {
        @Override
        public RexNode visitInputRef(RexInputRef field) {
          return fields.get(field.getIndex());
        }
      };
    }

    private @Nullable RelNode aggregate(Aggregate aggregate) {
      RelNode rows = rows(aggregate.getInput());
      if (rows == null || keys.isEmpty()) {
        return null;
      }
      int width = aggregate.getInput().getRowType().getFieldCount();
      List<AggregateCall> calls = new ArrayList<>();
      for (AggregateCall call : aggregate.getAggCallList()) {
        calls.add(call.adaptTo(rows, call.getArgList(), call.filterArg, true, false));
      }
      ofNoRows = ofNoRows(aggregate.getAggCallList());
      ImmutableBitSet group = ImmutableBitSet.range(width, width + keys.size());
      RelNode grouped = LogicalAggregate.create(rows, List.of(), group, null, calls);
      List<RexNode> fields = new ArrayList<>();
      for (int i = 0; i < grouped.getRowType().getFieldCount(); i++) {
        RexNode field = builder.makeInputRef(grouped, i);
        int own = i - keys.size();
        fields.add(
            own < 0
                ? field
                : typed(field, aggregate.getRowType().getFieldList().get(own).getType()));
      }
      return LogicalProject.create(grouped, List.of(), fields, (List<String>) null, Set.of());
    }

    private @Nullable List<RexNode> ofNoRows(List<AggregateCall> calls) {
      List<RexNode> values = new ArrayList<>();
      for (AggregateCall call : calls) {
        switch (call.getAggregation().getKind()) {
          case COUNT, SUM0 -> values.add(builder.makeZeroLiteral(call.getType()));
          case SUM, AVG, MIN, MAX -> values.add(builder.makeNullLiteral(call.getType()));
          default -> {
            return null;
          }
        }
      }
      return values;
    }

    private RexNode typed(RexNode field, org.apache.calcite.rel.type.RelDataType type) {
      return field.getType().equals(type) ? field : builder.makeAbstractCast(type, field, false);
    }

    /** The rows without the equalities, with the keys as further fields. */
    private @Nullable RelNode rows(RelNode node) {
      return switch (node) {
        case Project project when !project.containsOver() -> {
          RelNode below = rows(project.getInput());
          if (below == null) {
            yield null;
          }
          int width = project.getInput().getRowType().getFieldCount();
          List<RexNode> fields = new ArrayList<>(project.getProjects());
          for (int i = 0; i < keys.size(); i++) {
            fields.add(builder.makeInputRef(below, width + i));
          }
          yield LogicalProject.create(below, List.of(), fields, (List<String>) null, Set.of());
        }
        case Filter filter -> filter(filter);
        default -> null;
      };
    }

    private RelNode filter(Filter filter) {
      List<RexNode> others = new ArrayList<>();
      for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
        if (!isKey(condition)) {
          others.add(condition);
        }
      }
      RelNode input = reduction.of(filter.getInput(), keys, arguments);
      RelNode rows =
          others.isEmpty()
              ? input
              : LogicalFilter.create(input, RexUtil.composeConjunction(builder, others));
      List<RexNode> fields = new ArrayList<>(builder.identityProjects(rows.getRowType()));
      fields.addAll(keys);
      return LogicalProject.create(rows, List.of(), fields, (List<String>) null, Set.of());
    }

    private boolean isKey(RexNode condition) {
      if (condition.getKind() != SqlKind.EQUALS) {
        return false;
      }
      List<RexNode> sides = ((RexCall) condition).getOperands();
      return isKey(sides.get(0), sides.get(1)) || isKey(sides.get(1), sides.get(0));
    }

    private boolean isKey(RexNode field, RexNode outer) {
      int argument =
          outer instanceof OuterParameter parameter
              ? function.parameters().indexOf(parameter.getIndex())
              : -1;
      if (argument < 0
          || arguments.contains(argument)
          || !(field instanceof RexInputRef)
          || !areComparedByBits(GpTypes.spec(field.getType()), GpTypes.spec(outer.getType()))) {
        return false;
      }
      keys.add(field);
      arguments.add(argument);
      return true;
    }
  }

  /** Whether two values are equal exactly where their bits or bytes are. */
  static boolean areComparedByBits(SqlTypeSpec a, SqlTypeSpec b) {
    return a.kind() == b.kind()
        && switch (a.kind().form()) {
          case WHOLE -> true;
          case SCALED -> a.scale() == b.scale();
          case CODE -> a.kind().isDecimal() ? a.scale() == b.scale() : !a.kind().isCharacter();
          case TRUTH, REAL, DOUBLE -> false;
        };
  }
}
