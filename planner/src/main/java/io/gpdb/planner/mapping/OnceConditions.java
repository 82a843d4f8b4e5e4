package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.run.OnceFilterSource;
import io.gpdb.sql.tree.Raising;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/**
 * Filters of a pipeline; what of a condition reads no field is evaluated once, before the source is
 * started. Stored tables are left alone: reading one is part of a kernel that filters anyway.
 *
 * <pre>
 *   Filter('s' = ? AND c)  R    =>   Filter(c)  OnceFilter('s' = ?)  R
 * </pre>
 */
final class OnceConditions {
  private OnceConditions() {}

  static Pipeline filtered(Pipeline input, RexNode condition, RexBuilder builder)
      throws NotCovered {
    Source source = input.source();
    if (source.storedTable() != null) {
      return input.filtered(condition, builder);
    }
    List<RexNode> once = new ArrayList<>();
    List<RexNode> others = new ArrayList<>();
    for (RexNode each : RelOptUtil.conjunctions(condition)) {
      (isOnce(input.inlined(each)) ? once : others).add(each);
    }
    if (once.isEmpty()) {
      return input.filtered(condition, builder);
    }
    RexNode all = input.inlined(RexUtil.composeConjunction(builder, once));
    List<String> names = source.columns().stream().map(SourceColumn::name).toList();
    Source known = new OnceFilterSource(source, builder, all, RexText.of(all, names));
    Pipeline filtered = new Pipeline(known, input.filter(), input.outputs(), input.columns());
    return others.isEmpty()
        ? filtered
        : filtered.filtered(RexUtil.composeConjunction(builder, others), builder);
  }

  private static boolean isOnce(RexNode condition) {
    return RelOptUtil.InputFinder.bits(condition).isEmpty()
        && RexUtil.isDeterministic(condition)
        && !Raising.mayRaise(condition);
  }
}
