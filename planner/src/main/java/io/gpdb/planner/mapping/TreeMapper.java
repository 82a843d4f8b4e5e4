package io.gpdb.planner.mapping;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.run.HostRows;
import io.gpdb.planner.run.WorkingTable;
import io.gpdb.sql.text.ResultNames;
import io.gpdb.sql.type.GpTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;

/** What the mapping of one kind of node asks for: its inputs as pipelines, these as sources. */
interface TreeMapper {
  Device device();

  RexBuilder rexBuilder();

  /** Whether the plan being made is for few rows, to which indexes lead. */
  boolean isByIndex();

  /** Up to how many rows of the input the host does what kernels could. */
  HostRows hostRows(Source input);

  /** A tree of its own that takes part in the plan being made; all its rows exist. */
  Source ofPart(RelNode tree) throws NotCovered;

  /** The operator and all below it. */
  Pipeline pipeline(RelNode tree) throws NotCovered;

  /** The pipeline applied; rows that do not exist may be among its rows. */
  Source source(Pipeline pipeline) throws NotCovered;

  /** The pipeline applied; all its rows exist and are in memory of their own. */
  Source dense(Pipeline pipeline) throws NotCovered;

  /** The rows of a source that exist, in memory of their own. */
  Source dense(Source source) throws NotCovered;

  /** The mapper for the step of a recursion, which reads that table. */
  TreeMapper ofStep(String name, WorkingTable table);

  /** A plan of a step for a working table of few rows, or that one where others are many. */
  Source ofFewOr(Source scan, RelNode step, RelDataType rowType) throws NotCovered;

  /** The source as it is. */
  default Pipeline identity(Source source) {
    return Pipeline.of(source, fields(source));
  }

  /** All fields of a source. */
  default List<RexNode> fields(Source source) {
    List<RexNode> fields = new ArrayList<>();
    for (int i = 0; i < source.columns().size(); i++) {
      fields.add(ref(source.columns().get(i), i));
    }
    return fields;
  }

  /** The field with that column and number. */
  default RexNode ref(SourceColumn column, int index) {
    return rexBuilder().makeInputRef(GpTypes.relType(column.type(), column.nullable()), index);
  }

  /** The columns of a source that does what a node does. */
  static List<SourceColumn> columns(RelNode node) throws NotCovered {
    return columns(node.getRowType());
  }

  /** The columns of a source of such rows. */
  static List<SourceColumn> columns(RelDataType rowType) throws NotCovered {
    List<SourceColumn> columns = new ArrayList<>();
    for (RelDataTypeField field : rowType.getFieldList()) {
      columns.add(
          new SourceColumn(
              ResultNames.shown(field.getName()),
              RexValues.spec(field.getType()),
              field.getType().isNullable()));
    }
    return columns;
  }
}
