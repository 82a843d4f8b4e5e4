package io.gpdb.sql.tree;

import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * The values for which {@code ? IN (query)} is true, each followed by TRUE, as a {@link
 * GroupedQuery}.
 *
 * <pre>
 *   Aggregate({}, MAX(CASE(? = x, 2, (? = x) IS NULL, 1, 0))) R
 *     =>  Project(x, TRUE) Aggregate({x}) R
 * </pre>
 *
 * <p>Of all other values but NULL the function has one value: unknown where an x is NULL, else
 * FALSE.
 */
final class MemberSet {
  private static final int IS_MEMBER = 2;

  private MemberSet() {}

  /** Null where the function is of another form. */
  static @Nullable GroupedQuery of(SubQueryFunction function) {
    boolean possible =
        function.answer() == SubQueryFunction.Kind.GRADE
            && function.outer().isEmpty()
            && function.parameters().size() == 1;
    if (!possible
        || !(function.query() instanceof Aggregate aggregate)
        || !(aggregate.getInput() instanceof Project project)
        || !isGreatest(aggregate)
        || project.containsOver()) {
      return null;
    }
    int graded = aggregate.getAggCallList().getFirst().getArgList().getFirst();
    RexNode value = member(project.getProjects().get(graded), function.parameters().getFirst());
    return value == null ? null : of(project.getInput(), value);
  }

  private static @Nullable GroupedQuery of(RelNode rows, RexNode value) {
    RexBuilder builder = rows.getCluster().getRexBuilder();
    RelNode values =
        LogicalProject.create(rows, List.of(), List.of(value), (List<String>) null, Set.of());
    RelNode members =
        LogicalAggregate.create(values, List.of(), ImmutableBitSet.of(0), null, List.of());
    List<RexNode> fields = List.of(builder.makeInputRef(members, 0), builder.makeLiteral(true));
    RelNode tree = LogicalProject.create(members, List.of(), fields, (List<String>) null, Set.of());
    return FreeParameters.of(tree, List.of()).isEmpty()
        ? new GroupedQuery(tree, List.of(0), null)
        : null;
  }

  private static boolean isGreatest(Aggregate aggregate) {
    if (!aggregate.getGroupSet().isEmpty() || aggregate.getAggCallList().size() != 1) {
      return false;
    }
    AggregateCall call = aggregate.getAggCallList().getFirst();
    return call.getAggregation().getKind() == SqlKind.MAX && call.filterArg < 0;
  }

  /** What a grade compares the parameter with; null where it is not equality that it grades. */
  private static @Nullable RexNode member(RexNode grade, int parameter) {
    if (grade.getKind() != SqlKind.CASE) {
      return null;
    }
    List<RexNode> parts = ((RexCall) grade).getOperands();
    RexNode compares = parts.getFirst();
    if (compares.getKind() != SqlKind.EQUALS || !isLiteral(parts.get(1), IS_MEMBER)) {
      return null;
    }
    RexNode asked = ((RexCall) compares).getOperands().get(0);
    RexNode value = ((RexCall) compares).getOperands().get(1);
    boolean isOfParameter =
        asked instanceof OuterParameter own
            && own.getIndex() == parameter
            && areEqualByBits(GpTypes.spec(asked.getType()), GpTypes.spec(value.getType()))
            && parts.subList(2, parts.size()).stream()
                .allMatch(part -> isOfNulls(part, List.of(compares, asked, value)));
    return isOfParameter ? value : null;
  }

  private static boolean isLiteral(RexNode node, int number) {
    return node instanceof RexLiteral literal
        && literal.getValue() instanceof java.math.BigDecimal value
        && value.compareTo(java.math.BigDecimal.valueOf(number)) == 0;
  }

  /** Whether a part of a grade only asks which of those values are NULL. */
  private static boolean isOfNulls(RexNode part, List<RexNode> values) {
    return switch (part.getKind()) {
      case LITERAL -> true;
      case IS_NULL, IS_NOT_NULL -> values.contains(((RexCall) part).getOperands().getFirst());
      case AND, OR, NOT ->
          ((RexCall) part).getOperands().stream().allMatch(inner -> isOfNulls(inner, values));
      default -> false;
    };
  }

  /** CHARs of one length are padded alike; VARCHARs are compared as they are. */
  private static boolean areEqualByBits(SqlTypeSpec a, SqlTypeSpec b) {
    return switch (a.kind()) {
      case CHAR -> a.equals(b);
      case VARCHAR -> b.kind() == SqlTypeSpec.Kind.VARCHAR;
      default -> GroupedQuery.areComparedByBits(a, b);
    };
  }
}
