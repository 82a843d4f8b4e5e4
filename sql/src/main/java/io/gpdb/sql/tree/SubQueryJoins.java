package io.gpdb.sql.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.jspecify.annotations.Nullable;

/**
 * A condition [NOT] EXISTS or [NOT] IN as a semi or anti join, with the conditions on the outer row
 * at the top of its query as conditions of the join.
 *
 * <pre>
 *   Filter(EXISTS(q))  q = Project* Filter*(c(row, r)) R     =>   SemiJoin(c)   T, R
 *   Filter(e IN (q))   the same, with x the field of q       =>   SemiJoin(c AND e = x)
 *   NOT EXISTS                                               =>   AntiJoin(c)
 *   NOT IN                                                   =>   AntiJoin(c AND (e = x) IS NOT FALSE)
 * </pre>
 *
 * Only where R does not refer to the row, an equality of c or e = x can be looked up by hash, and,
 * where c is not empty, nothing in R can raise an error: R is then read for rows that no outer row
 * asks for.
 */
final class SubQueryJoins {
  private final Decorrelation decorrelation;
  private final RexBuilder builder;
  private final RelDataType row;
  private final RexSubQuery query;
  private final boolean negated;

  /** What is left of the query, its output and the conditions that refer to the outer row. */
  private RelNode inner;

  private List<RexNode> output;
  private List<RexNode> conditions = new ArrayList<>();

  private SubQueryJoins(
      Decorrelation decorrelation, RexSubQuery query, boolean negated, RelDataType row) {
    this.decorrelation = decorrelation;
    this.builder = decorrelation.builder();
    this.query = query;
    this.negated = negated;
    this.row = row;
    inner = query.rel;
    boolean exists = query.getKind() == SqlKind.EXISTS;
    output =
        exists
            ? List.of()
            : new ArrayList<RexNode>(builder.identityProjects(query.rel.getRowType()));
  }

  /** The condition over rows of that type as a join; null where it is none or must not be. */
  static @Nullable SubQueryJoins of(Decorrelation to, RexNode condition, RelDataType row) {
    RexSubQuery query = Decorrelation.only(condition);
    if (query == null || (query.getKind() != SqlKind.EXISTS && query.getKind() != SqlKind.IN)) {
      return null;
    }
    boolean negated = condition.getKind() == SqlKind.NOT;
    SubQueryJoins join = new SubQueryJoins(to, query, negated, row);
    return join.isPossible() ? join : null;
  }

  private boolean isPossible() {
    if (query.getOperands().stream().anyMatch(SubQuerySearch::isIn)
        || (query.getKind() == SqlKind.IN && negated && query.getOperands().size() > 1)) {
      return false;
    }
    while (isCorrelated(inner)) {
      if (!peel()) {
        return false;
      }
    }
    boolean plain =
        conditions.stream().noneMatch(SubQuerySearch::isIn)
            && output.stream().noneMatch(SubQuerySearch::isIn)
            && output.stream().noneMatch(SubQueryJoins::isCorrelated);
    return plain && (conditions.isEmpty() ? !output.isEmpty() : isLookedUp());
  }

  /** Whether the join has a key, and reading too much of the query does no harm. */
  private boolean isLookedUp() {
    List<RexNode> all = new ArrayList<>(conditions);
    all.addAll(output);
    boolean keyed = !output.isEmpty() && !negated;
    for (RexNode condition : conditions) {
      keyed |= isKey(condition);
    }
    return keyed && all.stream().noneMatch(Raising::mayRaise) && !Raising.mayRaise(inner);
  }

  private static boolean isKey(RexNode condition) {
    if (condition.getKind() != SqlKind.EQUALS) {
      return false;
    }
    RexNode a = ((RexCall) condition).getOperands().get(0);
    RexNode b = ((RexCall) condition).getOperands().get(1);
    return (isCorrelated(a) && !readsRow(a) && !isCorrelated(b))
        || (isCorrelated(b) && !readsRow(b) && !isCorrelated(a));
  }

  private static boolean readsRow(RexNode node) {
    return !RelOptUtil.InputFinder.bits(node).isEmpty();
  }

  private static boolean isCorrelated(RelNode tree) {
    return !RelOptUtil.getVariablesUsed(tree).isEmpty();
  }

  private static boolean isCorrelated(RexNode node) {
    return RexUtil.containsCorrelation(node);
  }

  /** Takes the topmost operator away; false where that would change what the query means. */
  private boolean peel() {
    switch (inner) {
      case Project project -> {
        if (RexOver.containsOver(project.getProjects(), null)) {
          return false;
        }
        RexShuttle below = through(project);
        output = below.apply(output);
        conditions = new ArrayList<>(below.apply(conditions));
        inner = project.getInput();
      }
      case Filter filter -> {
        if (RexOver.containsOver(filter.getCondition())) {
          return false;
        }
        return peel(filter);
      }
      case Sort sort when sort.fetch == null && sort.offset == null -> inner = sort.getInput();
      default -> {
        return false;
      }
    }
    return true;
  }

  private static RexShuttle through(Project project) {
    return new RexShuttle() {
      @Override
      public RexNode visitInputRef(RexInputRef field) {
        return project.getProjects().get(field.getIndex());
      }
    };
  }

  /** Conditions that do not refer to the row stay, and then nothing more is taken away. */
  private boolean peel(Filter filter) {
    List<RexNode> kept = new ArrayList<>();
    for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
      boolean correlated = isCorrelated(condition);
      (correlated ? conditions : kept).add(condition);
    }
    inner =
        kept.isEmpty()
            ? filter.getInput()
            : LogicalFilter.create(
                filter.getInput(),
                RexUtil.composeConjunction(builder, kept),
                com.google.common.collect.ImmutableSet.<CorrelationId>copyOf(
                    filter.getVariablesSet()));
    return kept.isEmpty() || !isCorrelated(inner);
  }

  /** The join over the rows, with their fields. */
  RelNode over(RelNode rows) {
    RelNode right = decorrelation.apply(inner);
    Decorrelation.checkFree(right);
    JoinSides sides = new JoinSides(builder, rows, right);
    List<RexNode> parts = new ArrayList<>();
    for (RexNode condition : conditions) {
      parts.add(sides.condition(condition, row));
    }
    List<RexNode> operands = Decorrelation.operands(query);
    for (int i = 0; i < output.size(); i++) {
      parts.add(member(sides, operands.get(i), output.get(i)));
    }
    JoinRelType type = negated ? JoinRelType.ANTI : JoinRelType.SEMI;
    return sides.joined(parts, type);
  }

  private RexNode member(JoinSides sides, RexNode operand, RexNode field) {
    RexNode equal =
        builder.makeCall(SqlStdOperatorTable.EQUALS, sides.ofLeft(operand), sides.ofRight(field));
    return negated && equal.getType().isNullable()
        ? builder.makeCall(SqlStdOperatorTable.IS_NOT_FALSE, equal)
        : equal;
  }

  /** The two inputs of a join, widened by the expressions that its condition compares. */
  private static final class JoinSides {
    private final RexBuilder builder;
    private final RelNode rows;
    private final List<RexNode> left;
    private final List<RexNode> right;
    private final RelNode inner;

    JoinSides(RexBuilder builder, RelNode rows, RelNode inner) {
      this.builder = builder;
      this.rows = rows;
      this.inner = inner;
      left = new ArrayList<>(builder.identityProjects(rows.getRowType()));
      right = new ArrayList<>(builder.identityProjects(inner.getRowType()));
    }

    /** A field of the left input that has the value. */
    RexNode ofLeft(RexNode value) {
      return new Field(value.getType(), field(left, value), true).reference();
    }

    /** A field of the right input that has the value. */
    RexNode ofRight(RexNode value) {
      return new Field(value.getType(), field(right, value), false).reference();
    }

    private static int field(List<RexNode> fields, RexNode value) {
      int known = fields.indexOf(value);
      if (known < 0) {
        fields.add(value);
      }
      return known < 0 ? fields.size() - 1 : known;
    }

    /**
     * A field of a side: left ones have even numbers, right ones odd, until all are known. Calcite
     * keeps a name for each number up to the greatest that there was, so numbers are small.
     */
    private record Field(org.apache.calcite.rel.type.RelDataType type, int index, boolean ofLeft) {
      RexNode reference() {
        return new RexInputRef(2 * index + (ofLeft ? 0 : 1), type);
      }

      /** The number among the fields of both, of which the left input has some. */
      static int place(int number, int leftFields) {
        return number / 2 + number % 2 * leftFields;
      }
    }

    /** A condition of the query, over fields of the sides. */
    RexNode condition(RexNode condition, RelDataType row) {
      if (isKey(condition)) {
        RexNode a = ((RexCall) condition).getOperands().get(0);
        RexNode b = ((RexCall) condition).getOperands().get(1);
        boolean outerFirst = isCorrelated(a);
        RexNode x = outerFirst ? ofLeft(a.accept(ofRow(row))) : ofRight(a);
        RexNode y = outerFirst ? ofRight(b) : ofLeft(b.accept(ofRow(row)));
        return builder.makeCall(condition.getType(), SqlStdOperatorTable.EQUALS, List.of(x, y));
      }
      return condition.accept(
          new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef field) {
              return new Field(field.getType(), field.getIndex(), false).reference();
            }

            @Override
            public RexNode visitFieldAccess(RexFieldAccess access) {
              RexNode value = access.accept(ofRow(row));
              return value instanceof RexInputRef field
                  ? new Field(field.getType(), field.getIndex(), true).reference()
                  : value;
            }
          });
    }

    private static RexShuttle ofRow(RelDataType row) {
      return new RexShuttle() {
        @Override
        public RexNode visitFieldAccess(RexFieldAccess access) {
          if (access.getReferenceExpr() instanceof RexCorrelVariable variable) {
            int field = access.getField().getIndex();
            OuterValues.checkRow(variable, field, row);
            return new RexInputRef(field, access.getType());
          }
          return super.visitFieldAccess(access);
        }
      };
    }

    RelNode joined(List<RexNode> parts, JoinRelType type) {
      int width = left.size();
      RexNode condition =
          RexUtil.composeConjunction(builder, parts)
              .accept(
                  new RexShuttle() {
                    @Override
                    public RexNode visitInputRef(RexInputRef field) {
                      int place = Field.place(field.getIndex(), width);
                      return new RexInputRef(place, field.getType());
                    }
                  });
      RelNode join =
          LogicalJoin.create(
              widened(rows, left), widened(inner, right), List.of(), condition, Set.of(), type);
      return width == rows.getRowType().getFieldCount() ? join : narrowed(join);
    }

    private RelNode narrowed(RelNode join) {
      return LogicalProject.create(
          join,
          List.of(),
          builder.identityProjects(rows.getRowType()),
          rows.getRowType().getFieldNames(),
          Set.of());
    }

    private static RelNode widened(RelNode input, List<RexNode> fields) {
      List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
      if (fields.size() == names.size()) {
        return input;
      }
      for (int i = names.size(); i < fields.size(); i++) {
        names.add("$KEY" + i);
      }
      return LogicalProject.create(input, List.of(), fields, names, Set.of());
    }
  }
}
