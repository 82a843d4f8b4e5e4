package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.sql.type.GpTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/** The outputs of a pipeline, and behind them what an operator above reads that is none of them. */
final class ComputedFields {
  private final Pipeline input;
  private final List<RexNode> fields = new ArrayList<>();
  private final List<SourceColumn> columns;

  ComputedFields(RexBuilder rexBuilder, Pipeline input) {
    this.input = input;
    columns = new ArrayList<>(input.columns());
    for (int i = 0; i < columns.size(); i++) {
      SourceColumn column = columns.get(i);
      fields.add(rexBuilder.makeInputRef(GpTypes.relType(column.type(), column.nullable()), i));
    }
  }

  List<SourceColumn> columns() {
    return columns;
  }

  /** How many outputs the pipeline has without what is computed. */
  int inputFields() {
    return input.columns().size();
  }

  /** An output of the pipeline. */
  RexNode ref(int field) {
    return fields.get(field);
  }

  /** The field that has the value of an expression over the pipeline's outputs. */
  int of(RexNode node) throws NotCovered {
    return of(node, node);
  }

  /**
   * @param shown what EXPLAIN says in the expression's place
   */
  int of(RexNode node, RexNode shown) throws NotCovered {
    if (node instanceof RexInputRef ref) {
      return ref.getIndex();
    }
    int known = fields.indexOf(node);
    if (known >= 0) {
      return known;
    }
    List<String> names = input.columns().stream().map(SourceColumn::name).toList();
    columns.add(
        new SourceColumn(
            RexText.of(shown, names), RexValues.spec(node.getType()), node.getType().isNullable()));
    fields.add(node);
    return fields.size() - 1;
  }

  /** The pipeline with all of the fields. */
  Pipeline pipeline() {
    return input.projected(fields, columns);
  }
}
