package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.Source;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.run.KeptRows;
import io.gpdb.sql.tree.DependentCalc;
import io.gpdb.sql.tree.HiddenQueries;
import io.gpdb.sql.tree.JoinedSubQueries;
import io.gpdb.sql.tree.SubQueryFunction;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.jspecify.annotations.Nullable;

/** Maps filters and projections whose subqueries are found for all rows together. */
final class TogetherMapping {
  /**
   * So often EXISTS is asked by itself: it may be found by an index, and reads up to the first row
   * if not.
   */
  private static final int EXISTENCES_MAX = 16;

  private final TreeMapper mapper;
  private final DependentCalc calc;

  TogetherMapping(TreeMapper mapper, DependentCalc calc) {
    this.mapper = mapper;
    this.calc = calc;
  }

  /** The calc over its mapped input; null where each row's subqueries are found by themselves. */
  @Nullable Pipeline over(Pipeline input) throws NotCovered {
    RexNode condition = calc.condition();
    if (condition == null) {
      return RexOver.containsOver(calc.outputs(), null) ? null : together(calc, input);
    }
    List<DependentCalc> parts = calc.parts();
    Pipeline result = input;
    boolean found = false;
    for (DependentCalc part : parts) {
      Pipeline joined = together(part, result);
      found |= joined != null;
      result = joined == null ? result.filtered(required(part), mapper.rexBuilder()) : joined;
    }
    return found ? mapper.identity(mapper.dense(result)) : null;
  }

  private static RexNode required(DependentCalc filter) {
    RexNode condition = filter.condition();
    if (condition == null) {
      throw new IllegalStateException("no filter");
    }
    return condition;
  }

  private @Nullable Pipeline together(DependentCalc one, Pipeline input) throws NotCovered {
    RexNode condition = one.condition();
    List<RexNode> nodes = condition == null ? one.outputs() : List.of(condition);
    if (HiddenQueries.functions(nodes).isEmpty()) {
      return null;
    }
    KeptRows rows = new KeptRows(TreeMapper.columns(calc.getInput()));
    JoinedSubQueries joined =
        JoinedSubQueries.of(one, () -> new KeptRowsNode(calc.getInput(), rows));
    if (joined == null) {
      return null;
    }
    Pipeline read = mapper.identity(mapper.dense(input));
    Pipeline calculated =
        condition == null
            ? read.projected(one.outputs(), TreeMapper.columns(one))
            : read.filtered(condition, mapper.rexBuilder());
    Source rowByRow = mapper.dense(calculated);
    return mapper.identity(
        rowByRow instanceof HostProjectSource host && host.input().equals(read.source())
            ? new TogetherSource(
                host,
                rows,
                mapper.ofPart(joined.tree()),
                joined.ofOneValue(),
                asked(nodes),
                asking(one.outputs()),
                oneByOneMax(nodes))
            : rowByRow);
  }

  private static int oneByOneMax(List<RexNode> nodes) {
    boolean exist =
        HiddenQueries.functions(nodes).stream()
            .allMatch(function -> function.answer() == SubQueryFunction.Kind.EXISTS);
    return exist ? EXISTENCES_MAX : 1;
  }

  /** The fields that subqueries are asked with. */
  private static BitSet asked(List<RexNode> nodes) {
    BitSet fields = new BitSet();
    RexShuttle search =
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            if (!HiddenQueries.functions(List.of(call)).isEmpty()
                && HiddenQueries.functions(call.getOperands()).isEmpty()) {
              fields.or(RelOptUtil.InputFinder.bits(call).toBitSet());
            }
            return super.visitCall(call);
          }
        };
    nodes.forEach(node -> node.accept(search));
    return fields;
  }

  private static BitSet asking(List<RexNode> outputs) {
    BitSet found = new BitSet();
    for (int i = 0; i < outputs.size(); i++) {
      found.set(i, !HiddenQueries.functions(List.of(outputs.get(i))).isEmpty());
    }
    return found;
  }
}
