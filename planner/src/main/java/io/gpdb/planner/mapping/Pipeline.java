package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * A source with a filter and a projection still to be applied, so that the operator above can do it
 * in its own kernel. Filter and outputs are over the source's fields.
 *
 * @param expectedRows how many come out, as the model of the joins' order has it; NaN where it was
 *     not asked
 */
record Pipeline(
    Source source,
    @Nullable RexNode filter,
    List<RexNode> outputs,
    List<SourceColumn> columns,
    double expectedRows) {

  /** Of which nobody has said how many rows to expect. */
  Pipeline(
      Source source, @Nullable RexNode filter, List<RexNode> outputs, List<SourceColumn> columns) {
    this(source, filter, outputs, columns, Double.NaN);
  }

  /** The source as it is. */
  static Pipeline of(Source source, List<RexNode> fields) {
    return new Pipeline(source, null, fields, source.columns());
  }

  /** The pipeline with what the model expects of it, and so of its source if all rows pass. */
  Pipeline expecting(double rows) {
    if (filter == null) {
      source.expect(rows);
    }
    return new Pipeline(source, filter, outputs, columns, rows);
  }

  /** An expression over the outputs as one over the source's fields. */
  RexNode inlined(RexNode node) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            return outputs.get(ref.getIndex());
          }
        });
  }

  List<RexNode> inlined(List<RexNode> nodes) {
    List<RexNode> result = new ArrayList<>();
    nodes.forEach(node -> result.add(inlined(node)));
    return result;
  }

  Pipeline filtered(RexNode condition, RexBuilder builder) {
    RexNode added = inlined(condition);
    RexNode all =
        filter == null ? added : RexUtil.composeConjunction(builder, List.of(filter, added));
    return new Pipeline(source, all, outputs, columns);
  }

  Pipeline projected(List<RexNode> projects, List<SourceColumn> names) {
    return new Pipeline(source, filter, inlined(projects), names, expectedRows);
  }

  /** Whether the outputs are the source's fields in their order and no row is left out. */
  boolean isIdentity() {
    return filter == null && isFieldsInOrder();
  }

  /** The source's fields that the outputs are, when nothing is computed and no row left out. */
  int @Nullable [] fields() {
    int[] fields = new int[outputs.size()];
    for (int i = 0; i < fields.length; i++) {
      if (filter != null || !(outputs.get(i) instanceof RexInputRef ref)) {
        return null;
      }
      fields[i] = ref.getIndex();
    }
    return fields;
  }

  private boolean isFieldsInOrder() {
    if (outputs.size() != source.columns().size()) {
      return false;
    }
    for (int i = 0; i < outputs.size(); i++) {
      if (!(outputs.get(i) instanceof RexInputRef ref) || ref.getIndex() != i) {
        return false;
      }
    }
    return true;
  }
}
