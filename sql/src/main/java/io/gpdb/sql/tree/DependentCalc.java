package io.gpdb.sql.tree;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * A filter or a projection with {@link SubQueryFunction}s. No rule knows it, so it stays where the
 * query has it: only rows that reach it evaluate its subqueries.
 */
public final class DependentCalc extends SingleRel {
  private final @Nullable RexNode condition;
  private final List<RexNode> outputs;

  private DependentCalc(
      RelNode input, @Nullable RexNode condition, List<RexNode> outputs, RelDataType type) {
    super(input.getCluster(), input.getTraitSet(), input);
    this.condition = condition;
    this.outputs = List.copyOf(outputs);
    this.rowType = type;
  }

  static DependentCalc filter(RelNode input, RexNode condition) {
    return new DependentCalc(input, condition, List.of(), input.getRowType());
  }

  static DependentCalc project(RelNode input, List<RexNode> outputs, List<String> names) {
    RelDataType type =
        RexUtil.createStructType(input.getCluster().getTypeFactory(), outputs, names, null);
    return new DependentCalc(input, null, outputs, type);
  }

  /** The condition that its rows fulfil, null for a projection. */
  public @Nullable RexNode condition() {
    return condition;
  }

  /**
   * A filter as filters one above the other, first to last, of the same rows: what raises no error
   * is done first, the others in their order.
   */
  public List<DependentCalc> parts() {
    RexNode all = Objects.requireNonNull(condition);
    List<RexNode> ordered = new ArrayList<>(RelOptUtil.conjunctions(all));
    ordered.sort(Comparator.comparing(Raising::mayRaise)); // stable
    return ordered.stream().map(part -> filter(getInput(), part)).toList();
  }

  /** The fields of a projection. */
  public List<RexNode> outputs() {
    return outputs;
  }

  /** The same as an operator that rules know, over another input. */
  public RelNode plain(RelNode input, RexShuttle expressions) {
    RexNode filter = condition;
    return filter == null
        ? LogicalProject.create(
            input,
            List.of(),
            expressions.apply(outputs),
            rowType.getFieldNames(),
            java.util.Set.of())
        : LogicalFilter.create(
            input, LazyLogic.condition(getCluster().getRexBuilder(), filter).accept(expressions));
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    RelNode input = inputs.getFirst();
    RelDataType type = condition == null ? rowType : input.getRowType();
    return new DependentCalc(input, condition, outputs, type);
  }

  @Override
  public RelNode accept(RexShuttle shuttle) {
    RexNode filter = condition == null ? null : condition.accept(shuttle);
    return new DependentCalc(getInput(), filter, shuttle.apply(outputs), rowType);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .itemIf("condition", condition, condition != null)
        .itemIf("outputs", outputs, condition == null)
        .itemIf("names", RelOptUtil.getFieldTypeList(rowType).toString(), condition == null);
  }
}
