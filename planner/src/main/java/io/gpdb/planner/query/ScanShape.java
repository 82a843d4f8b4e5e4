package io.gpdb.planner.query;

import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.definition.TableDef;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * A tree that reads one stored table: filters and projections over its scan, brought to one filter
 * and one list of outputs over the table's columns (and the row id as last field, if it has one).
 */
public record ScanShape(
    TableDef table, @Nullable RexNode filter, List<RexNode> outputs, RexBuilder rexBuilder) {

  /** The shape of a tree, or null when it is another. */
  public static @Nullable ScanShape of(RelNode tree) {
    RexBuilder builder = tree.getCluster().getRexBuilder();
    return switch (tree) {
      case TableScan scan -> ofScan(scan, builder);
      case Filter filter -> {
        ScanShape below = filter.containsOver() ? null : of(filter.getInput());
        yield below == null ? null : below.filtered(filter.getCondition());
      }
      case Project project -> {
        ScanShape below =
            RexOver.containsOver(project.getProjects(), null) ? null : of(project.getInput());
        yield below == null ? null : below.projected(project.getProjects());
      }
      default -> null;
    };
  }

  private static @Nullable ScanShape ofScan(TableScan scan, RexBuilder builder) {
    GpTable table = scan.getTable().unwrap(GpTable.class);
    if (table == null || table.isHostTable()) {
      return null;
    }
    List<RexNode> fields = new ArrayList<>();
    for (int i = 0; i < scan.getRowType().getFieldCount(); i++) {
      fields.add(builder.makeInputRef(scan, i));
    }
    return new ScanShape(table.table(), null, fields, builder);
  }

  private ScanShape filtered(RexNode condition) {
    RexNode below = over(condition);
    RexNode both =
        filter == null ? below : RexUtil.composeConjunction(rexBuilder, List.of(filter, below));
    return new ScanShape(table, both, outputs, rexBuilder);
  }

  private ScanShape projected(List<RexNode> expressions) {
    return new ScanShape(table, filter, expressions.stream().map(this::over).toList(), rexBuilder);
  }

  /** An expression over the outputs as one over the table. */
  private RexNode over(RexNode expression) {
    return expression.accept(
        new org.apache.calcite.rex.RexShuttle() {
          @Override
          public RexNode visitInputRef(org.apache.calcite.rex.RexInputRef input) {
            return outputs.get(input.getIndex());
          }
        });
  }

  /** The conditions of the filter that must all hold. */
  public List<RexNode> conditions() {
    return filter == null ? List.of() : RelOptUtil.conjunctions(filter);
  }
}
