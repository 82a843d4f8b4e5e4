package io.gpdb.planner.rewrite;

import io.gpdb.sql.tree.DependentCalc;
import io.gpdb.sql.tree.DependentJoin;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.jspecify.annotations.Nullable;

/**
 * Moves first rows (LIMIT and OFFSET, mostly behind ORDER BY) down to the rows of which they are
 * chosen: below a projection, whose subqueries are then asked for them alone, and to the input of
 * which an outer join or LATERAL keeps every row, at least as often as it is there. Sorts are
 * stable, and both keep the order of that input, so that the rows are the same.
 *
 * <pre>
 *   Sort(k, n)  DependentCalc(k, subquery)  A   =>   DependentCalc(k, subquery)  Sort(k, n)  A
 *   Sort(k, n)  LeftJoin  A, B                  =>   Sort(k, n)  LeftJoin  Sort(k, n) A, B
 * </pre>
 */
final class LimitPushDown extends RelHomogeneousShuttle {
  private LimitPushDown() {}

  static RelNode applied(RelNode tree) {
    return tree.accept(new LimitPushDown());
  }

  @Override
  public RelNode visit(RelNode node) {
    RelNode known = super.visit(node);
    if (!(known instanceof Sort sort) || (sort.fetch == null && sort.offset == null)) {
      return known;
    }
    RelNode moved = moved(sort, sort.getInput());
    return moved == null ? sort : moved;
  }

  /** What has the first rows of the input; null where they are not better taken below it. */
  private static @Nullable RelNode moved(Sort sort, RelNode input) {
    return switch (input) {
      case DependentCalc calc when calc.condition() == null -> {
        RelCollation keys = below(sort, calc.outputs());
        yield keys == null ? null : over(calc, first(sort, calc.getInput(), keys));
      }
      case Project project
          when project.getVariablesSet().isEmpty()
              && !RexOver.containsOver(project.getProjects(), null) -> {
        RelCollation keys = below(sort, project.getProjects());
        RelNode rows =
            keys == null ? null : moved(sorted(sort, project.getInput(), keys), project.getInput());
        yield rows == null ? null : over(project, rows);
      }
      case Join join when join.getJoinType() == JoinRelType.LEFT && isAsOften(sort) -> {
        RelNode left = limited(sort, join.getLeft());
        yield left == null
            ? null
            : over(sort, join.copy(join.getTraitSet(), List.of(left, join.getRight())));
      }
      case DependentJoin join when join.keepsEveryRow() && isAsOften(sort) -> {
        RelNode left = limited(sort, join.getInput());
        yield left == null ? null : over(sort, over(join, left));
      }
      default -> null;
    };
  }

  private static RelNode over(RelNode node, RelNode input) {
    return node.copy(node.getTraitSet(), List.of(input));
  }

  /** The first rows, or what they become when they move on. */
  private static RelNode first(Sort sort, RelNode input, RelCollation keys) {
    Sort below = sorted(sort, input, keys);
    RelNode moved = moved(below, input);
    return moved == null ? below : moved;
  }

  private static Sort sorted(Sort sort, RelNode input, RelCollation keys) {
    return LogicalSort.create(input, keys, sort.offset, sort.fetch);
  }

  /** Each row comes out once or more: as many of them as are wanted suffice, where none is left. */
  private static boolean isAsOften(Sort sort) {
    return sort.fetch != null && sort.offset == null;
  }

  private static @Nullable RelNode limited(Sort sort, RelNode input) {
    int width = input.getRowType().getFieldCount();
    boolean known = input instanceof Sort lower && lower.fetch != null;
    boolean own = sort.getCollation().getKeys().stream().allMatch(key -> key < width);
    return known || !own ? null : first(sort, input, sort.getCollation());
  }

  /** The keys as fields of the input of a projection; null where one is computed. */
  private static @Nullable RelCollation below(Sort sort, List<RexNode> outputs) {
    List<RelFieldCollation> keys = new ArrayList<>();
    for (RelFieldCollation key : sort.getCollation().getFieldCollations()) {
      if (!(outputs.get(key.getFieldIndex()) instanceof RexInputRef field)) {
        return null;
      }
      keys.add(key.withFieldIndex(field.getIndex()));
    }
    return RelCollations.of(keys);
  }
}
