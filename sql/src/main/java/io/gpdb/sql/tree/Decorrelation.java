package io.gpdb.sql.tree;

import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.tools.RelBuilder;

/**
 * Takes subqueries and correlation out of a tree, from its root down. A subquery becomes a join
 * where {@link SubQueryJoins} shows that it means the same, else a {@link SubQueryFunction};
 * LATERAL becomes a {@link DependentJoin}.
 *
 * <p>Invariant: a tree passed to {@link #apply} has no free correlation variable. At a node with
 * subqueries only rows of that node are free in them; these are bound to parameters in the whole
 * subquery, nested ones included, before it is looked at. So a reference over any number of levels
 * becomes a parameter at the level that it refers to.
 */
public final class Decorrelation {
  private final RelOptCluster cluster;
  private final RexBuilder builder;
  private final UnaryOperator<RelNode> finish;
  private final int firstParameter;
  private int parameters;
  private int functions;

  /** Numbers parameters from the first on; {@code finish} is done to each query taken out. */
  public Decorrelation(RelOptCluster cluster, int firstParameter, UnaryOperator<RelNode> finish) {
    this.cluster = cluster;
    this.builder = cluster.getRexBuilder();
    this.firstParameter = firstParameter;
    this.finish = finish;
  }

  RexBuilder builder() {
    return builder;
  }

  public RelNode apply(RelNode tree) {
    checkBound(tree);
    return switch (tree) {
      case Filter filter -> filter(filter);
      case Project project -> project(project);
      case Join join -> join(join);
      case Correlate correlate -> lateral(correlate);
      default -> {
        if (SubQuerySearch.isIn(tree)) {
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED, "a subquery in " + tree.getRelTypeName());
        }
        yield tree.copy(tree.getTraitSet(), tree.getInputs().stream().map(this::apply).toList());
      }
    };
  }

  /** What raises no error is done first, the other conditions in their order. */
  private RelNode filter(Filter filter) {
    RelNode rows = apply(filter.getInput());
    if (!SubQuerySearch.isIn(filter.getCondition())) {
      return filter.copy(filter.getTraitSet(), rows, filter.getCondition());
    }
    List<RexNode> plain = new ArrayList<>();
    List<SubQueryJoins> joins = new ArrayList<>();
    List<RexNode> raising = new ArrayList<>();
    for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
      SubQueryJoins join = SubQueryJoins.of(this, condition, rows.getRowType());
      if (Raising.mayRaise(condition) || (join == null && SubQuerySearch.isIn(condition))) {
        raising.add(condition);
      } else if (join != null) {
        joins.add(join);
      } else {
        plain.add(condition);
      }
    }
    rows = plain.isEmpty() ? rows : LogicalFilter.create(rows, all(plain));
    for (SubQueryJoins join : joins) {
      rows = join.over(rows);
    }
    return inOrder(rows, raising);
  }

  private RelNode inOrder(RelNode rows, List<RexNode> conditions) {
    RelNode result = rows;
    List<RexNode> functions = new ArrayList<>();
    for (RexNode condition : conditions) {
      SubQueryJoins join = SubQueryJoins.of(this, condition, rows.getRowType());
      if (join == null) {
        functions.add(condition);
      } else {
        result = join.over(functions.isEmpty() ? result : filtered(result, all(functions)));
        functions.clear();
      }
    }
    return functions.isEmpty() ? result : filtered(result, all(functions));
  }

  private RexNode all(List<RexNode> conditions) {
    return RexUtil.composeConjunction(builder, conditions);
  }

  private RelNode filtered(RelNode rows, RexNode condition) {
    return DependentCalc.filter(rows, functions(condition, rows.getRowType()));
  }

  private RelNode project(Project project) {
    RelNode rows = apply(project.getInput());
    if (project.getProjects().stream().noneMatch(SubQuerySearch::isIn)) {
      return project.copy(project.getTraitSet(), rows, project.getProjects(), project.getRowType());
    }
    Functions functions = new Functions(rows.getRowType());
    List<RexNode> outputs = functions.apply(project.getProjects());
    return DependentCalc.project(rows, outputs, project.getRowType().getFieldNames());
  }

  /** Subqueries of an inner join's condition are evaluated above it. */
  private RelNode join(Join join) {
    RelNode left = apply(join.getLeft());
    RelNode right = apply(join.getRight());
    List<RexNode> plain = new ArrayList<>();
    List<RexNode> dependent = new ArrayList<>();
    for (RexNode condition : RelOptUtil.conjunctions(join.getCondition())) {
      (SubQuerySearch.isIn(condition) ? dependent : plain).add(condition);
    }
    if (dependent.isEmpty()) {
      return join.copy(join.getTraitSet(), List.of(left, right));
    }
    if (join.getJoinType() != JoinRelType.INNER) {
      RexNode condition = functions(join.getCondition(), joinedRow(join));
      return LogicalJoin.create(
          left, right, join.getHints(), condition, Set.of(), join.getJoinType());
    }
    RelNode rows =
        LogicalJoin.create(left, right, join.getHints(), all(plain), Set.of(), JoinRelType.INNER);
    return filtered(rows, all(dependent));
  }

  private RelDataType joinedRow(Join join) {
    return builder
        .getTypeFactory()
        .createJoinType(join.getLeft().getRowType(), join.getRight().getRowType());
  }

  private RelNode lateral(Correlate correlate) {
    RelNode rows = apply(correlate.getLeft());
    OuterValues values =
        new OuterValues(
            Set.of(correlate.getCorrelationId()), rows.getRowType(), this::nextParameter);
    checkRecursion(rows);
    RelNode query = finish.apply(apply(values.replaced(correlate.getRight())));
    checkFree(query);
    boolean keeps =
        switch (correlate.getJoinType()) {
          case INNER -> false;
          case LEFT -> true;
          default ->
              throw new GpdbException(
                  ErrorCode.NOT_SUPPORTED, "LATERAL in a " + correlate.getJoinType() + " join");
        };
    return new DependentJoin(
        rows,
        query,
        values.fields(),
        values.parameters(),
        FreeParameters.of(query, values.parameters()),
        keeps,
        correlate.getRowType());
  }

  private int nextParameter() {
    return firstParameter + parameters++;
  }

  /** An expression over rows of that type with functions in place of its subqueries. */
  private RexNode functions(RexNode expression, RelDataType row) {
    return expression.accept(new Functions(row));
  }

  /** Replaces the subqueries of one node; equal ones become one function. */
  private final class Functions extends RexShuttle {
    private final RelDataType row;
    private final Map<RexSubQuery, RexNode> known = new HashMap<>();

    Functions(RelDataType row) {
      this.row = row;
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery query) {
      RexNode function = known.get(query);
      if (function == null) {
        RexSubQuery own = (RexSubQuery) super.visitSubQuery(query);
        RexNode cases = CorrelatedMembership.of(builder, own, row);
        function = cases == null ? function(own) : cases.accept(this);
        known.put(query, function);
      }
      return function;
    }

    private RexNode function(RexSubQuery query) {
      Set<CorrelationId> variables = RelOptUtil.getVariablesUsed(query.rel);
      OuterValues values = new OuterValues(variables, row, Decorrelation.this::nextParameter);
      RelNode tree =
          values.replaced(query.getKind() == SqlKind.EXISTS ? rows(query.rel) : query.rel);
      List<Integer> bound = new ArrayList<>(values.parameters());
      List<RexNode> arguments = new ArrayList<>();
      values.fields().forEach(field -> arguments.add(field(field)));
      return switch (query.getKind()) {
        case EXISTS -> call(query, SubQueryFunction.Kind.EXISTS, tree, bound, arguments);
        case SCALAR_QUERY -> call(query, SubQueryFunction.Kind.VALUE, tree, bound, arguments);
        case IN, SOME -> {
          List<RexNode> members = new ArrayList<>();
          for (RexNode operand : operands(query)) {
            members.add(member(operand, bound, arguments));
          }
          RelNode grade = grade(tree, members, comparison(query));
          yield call(query, SubQueryFunction.Kind.GRADE, grade, bound, arguments);
        }
        default ->
            throw new GpdbException(ErrorCode.NOT_SUPPORTED, query.getKind().sql + " (query)");
      };
    }

    /** Binds an operand; casts of a padded CHAR stay in the query, where it must be seen. */
    private RexNode member(RexNode operand, List<Integer> bound, List<RexNode> arguments) {
      if (operand.getKind() == SqlKind.CAST && GpTypes.isCharacter(operand.getType())) {
        RexNode inner = ((RexCall) operand).getOperands().getFirst();
        if (GpTypes.isCharacter(inner.getType())) {
          return builder.makeAbstractCast(
              operand.getType(), member(inner, bound, arguments), false);
        }
      }
      int parameter = nextParameter();
      bound.add(parameter);
      arguments.add(operand);
      return new OuterParameter(operand.getType(), parameter);
    }

    private RexNode field(int index) {
      return builder.makeInputRef(row.getFieldList().get(index).getType(), index);
    }
  }

  /** A query with the same number of rows that computes no fields for nothing. */
  private static RelNode rows(RelNode query) {
    return switch (query) {
      case Project project when !project.containsOver() -> rows(project.getInput());
      case Sort sort when sort.fetch == null && sort.offset == null -> rows(sort.getInput());
      default -> query;
    };
  }

  private static SqlOperator comparison(RexSubQuery query) {
    return query.getOperator() instanceof SqlQuantifyOperator some
        ? RelOptUtil.op(some.comparisonKind, SqlStdOperatorTable.EQUALS)
        : SqlStdOperatorTable.EQUALS;
  }

  /** 2 where the values compare with a row of the query, else 1 where one is unknown, else less. */
  private RelNode grade(RelNode query, List<RexNode> members, SqlOperator comparison) {
    List<RexNode> comparisons = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      comparisons.add(builder.makeCall(comparison, members.get(i), builder.makeInputRef(query, i)));
    }
    RexNode compares = all(comparisons);
    RexNode grade =
        builder.makeCall(
            SqlStdOperatorTable.CASE,
            compares,
            builder.makeExactLiteral(java.math.BigDecimal.TWO),
            builder.makeCall(SqlStdOperatorTable.IS_NULL, compares),
            builder.makeExactLiteral(java.math.BigDecimal.ONE),
            builder.makeExactLiteral(java.math.BigDecimal.ZERO));
    RelBuilder rows = WrittenRows.builder(cluster);
    rows.push(query).project(List.of(grade), List.of("GRADE"), true);
    return rows.aggregate(rows.groupKey(), rows.max(rows.field(0))).build();
  }

  private RexNode call(
      RexSubQuery query,
      SubQueryFunction.Kind answer,
      RelNode tree,
      List<Integer> bound,
      List<RexNode> arguments) {
    RelNode own = finish.apply(apply(tree));
    checkFree(own);
    List<Integer> outer = FreeParameters.of(own, bound);
    SubQueryFunction function =
        new SubQueryFunction(
            functions++,
            answer,
            query.getType(),
            own,
            arguments.stream().map(argument -> GpTypes.spec(argument.getType())).toList(),
            bound,
            outer,
            nextParameter());
    return builder.makeCall(query.getType(), function, arguments);
  }

  /** That the node binds every row that its subqueries refer to. */
  private static void checkBound(RelNode node) {
    node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery query) {
            if (!node.getVariablesSet().containsAll(RelOptUtil.getVariablesUsed(query.rel))) {
              throw unbound();
            }
            return super.visitSubQuery(query);
          }
        });
  }

  private static GpdbException unbound() {
    return new GpdbException(
        ErrorCode.NOT_SUPPORTED, "a subquery that refers to an outer row from there");
  }

  /** That the tree can be run by itself. */
  static void checkFree(RelNode tree) {
    checkVariables(tree);
    checkRecursion(tree);
  }

  /** That nothing in the tree refers to a row that it does not have. */
  public static void checkVariables(RelNode tree) {
    if (!RelOptUtil.getVariablesUsed(tree).isEmpty()) {
      throw unbound();
    }
  }

  /** That the tree, which is run by itself, does not read the rows of a recursion around it. */
  private static void checkRecursion(RelNode tree) {
    if (tree instanceof RepeatUnion) {
      return;
    }
    if (tree instanceof TableScan scan && scan.getTable().unwrap(GpTable.class) == null) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, "a recursive query that refers to itself in a subquery");
    }
    tree.getInputs().forEach(Decorrelation::checkRecursion);
  }

  /** What a subquery's rows are compared with, without the casts that only make it nullable. */
  static List<RexNode> operands(RexSubQuery query) {
    RelDataTypeFactory types = query.rel.getCluster().getTypeFactory();
    List<RexNode> operands = new ArrayList<>();
    for (RexNode operand : query.getOperands()) {
      operands.add(RexUtil.removeNullabilityCast(types, MembershipOperand.unwrapped(operand)));
    }
    return operands;
  }

  /** The subquery that a condition consists of, under NOT or not; null where it is another. */
  static @org.jspecify.annotations.Nullable RexSubQuery only(RexNode condition) {
    RexNode inner =
        condition.getKind() == SqlKind.NOT
            ? ((RexCall) condition).getOperands().getFirst()
            : condition;
    return inner instanceof RexSubQuery query ? query : null;
  }
}
