package io.gpdb.sql.tree;

import io.gpdb.sql.type.GpTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.jspecify.annotations.Nullable;

/**
 * IN of a query whose rows are chosen by equalities with the outer row, as EXISTS, which is found
 * for all outer rows at once ({@link JoinedSubQueries}).
 *
 * <pre>
 *   x IN (Project(b) Filter(c AND k = o) R)
 *     =&gt;  CASE WHEN EXISTS (Filter(c AND k = o AND b = x) R) THEN TRUE
 *              WHEN x IS NULL AND EXISTS (Filter(c AND k = o) R) THEN NULL
 *              WHEN EXISTS (Filter(c AND k = o AND b IS NULL) R) THEN NULL
 *              ELSE FALSE END
 * </pre>
 *
 * A branch for NULLs that cannot be is left out.
 */
final class CorrelatedMembership {
  private final RexBuilder builder;
  private final RexSubQuery query;
  private final Filter filter;
  private final RexInputRef sought;
  private final RexInputRef member;

  private CorrelatedMembership(
      RexBuilder builder,
      RexSubQuery query,
      Filter filter,
      RexInputRef sought,
      RexInputRef member) {
    this.builder = builder;
    this.query = query;
    this.filter = filter;
    this.sought = sought;
    this.member = member;
  }

  /** What stands for a subquery of a row of that type; null where it is of another form. */
  static @Nullable RexNode of(RexBuilder builder, RexSubQuery query, RelDataType row) {
    Set<CorrelationId> variables = RelOptUtil.getVariablesUsed(query.rel);
    if (!isEqual(query) || variables.size() != 1) {
      return null;
    }
    List<RexNode> operands = Decorrelation.operands(query);
    RelNode below = query.rel instanceof Project project ? project.getInput() : query.rel;
    RexNode first =
        query.rel instanceof Project project
            ? project.getProjects().getFirst()
            : builder.makeInputRef(query.rel, 0);
    boolean possible =
        operands.size() == 1
            && operands.getFirst() instanceof RexInputRef
            && first instanceof RexInputRef
            && below instanceof Filter
            && FreeParameters.of(query.rel, List.of()).isEmpty()
            && !Raising.mayRaise(query.rel);
    if (!possible) {
      return null;
    }
    CorrelatedMembership membership =
        new CorrelatedMembership(
            builder, query, (Filter) below, (RexInputRef) operands.getFirst(), (RexInputRef) first);
    return membership.hasKeys() ? membership.cases(variables.iterator().next(), row) : null;
  }

  private static boolean isEqual(RexSubQuery query) {
    return query.getKind() == SqlKind.IN
        || (query.getOperator() instanceof SqlQuantifyOperator some
            && some.comparisonKind == SqlKind.EQUALS);
  }

  /** Whether the outer row is read by equalities of fields alone, and each of its fields once. */
  private boolean hasKeys() {
    if (!areComparable(sought, member)
        || !RelOptUtil.getVariablesUsed(filter.getInput()).isEmpty()) {
      return false;
    }
    List<Integer> fields = new ArrayList<>(List.of(sought.getIndex()));
    for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
      if (isDependent(condition)) {
        int field = outerField(condition);
        if (field < 0 || fields.contains(field)) {
          return false;
        }
        fields.add(field);
      }
    }
    return fields.size() > 1;
  }

  /** Whether the condition reads the outer row, or may do so in a subquery. */
  private static boolean isDependent(RexNode condition) {
    return RexUtil.containsCorrelation(condition) || SubQuerySearch.isIn(condition);
  }

  /** The outer field that a field of the query is to equal, or -1. */
  private static int outerField(RexNode condition) {
    if (condition.getKind() != SqlKind.EQUALS) {
      return -1;
    }
    List<RexNode> sides = ((RexCall) condition).getOperands();
    int field = sides.get(0) instanceof RexInputRef ? 0 : 1;
    RexNode inner = sides.get(field);
    RexNode outer = sides.get(1 - field);
    return inner instanceof RexInputRef
            && outer instanceof RexFieldAccess access
            && access.getReferenceExpr() instanceof RexCorrelVariable
            && areComparable(inner, outer)
        ? access.getField().getIndex()
        : -1;
  }

  private static boolean areComparable(RexNode a, RexNode b) {
    return GroupedQuery.areComparedByBits(GpTypes.spec(a.getType()), GpTypes.spec(b.getType()));
  }

  private RexNode cases(CorrelationId variable, RelDataType row) {
    RexNode outer = builder.makeFieldAccess(builder.makeCorrel(row, variable), sought.getIndex());
    RexNode unknown = builder.makeNullLiteral(query.getType());
    List<RexNode> cases = new ArrayList<>();
    cases.add(exists(builder.makeCall(SqlStdOperatorTable.EQUALS, member, outer)));
    cases.add(builder.makeLiteral(true));
    if (sought.getType().isNullable()) {
      RexNode isNull = builder.makeCall(SqlStdOperatorTable.IS_NULL, sought);
      cases.add(builder.makeCall(SqlStdOperatorTable.AND, isNull, exists()));
      cases.add(unknown);
    }
    if (member.getType().isNullable()) {
      cases.add(exists(builder.makeCall(SqlStdOperatorTable.IS_NULL, member)));
      cases.add(unknown);
    }
    if (cases.size() == 2) {
      return typed(cases.getFirst());
    }
    cases.add(builder.makeLiteral(false));
    return typed(builder.makeCall(query.getType(), SqlStdOperatorTable.CASE, cases));
  }

  private RexNode typed(RexNode value) {
    return value.getType().equals(query.getType())
        ? value
        : builder.makeAbstractCast(query.getType(), value, false);
  }

  private RexNode exists(RexNode... more) {
    List<RexNode> conditions = new ArrayList<>(List.of(filter.getCondition()));
    conditions.addAll(List.of(more));
    RexNode condition = RexUtil.composeConjunction(builder, conditions);
    return RexSubQuery.exists(filter.copy(filter.getTraitSet(), filter.getInput(), condition));
  }
}
