package io.gpdb.sql.change;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.jspecify.annotations.Nullable;

/** A query over all pairs of rows of two tables, as expressions over the fields of both. */
public final class RowPairs {
  private RowPairs() {}

  /** The query's outputs; null where it is more than projections over the join of two tables. */
  static @Nullable List<RexNode> outputs(RelNode query) {
    return switch (query) {
      case Project project -> over(outputs(project.getInput()), project);
      case Join join when join.getCondition().isAlwaysTrue() -> both(join);
      default -> null;
    };
  }

  private static @Nullable List<RexNode> both(Join join) {
    List<RexNode> left = ofTable(join.getLeft(), 0);
    List<RexNode> right = ofTable(join.getRight(), width(join.getLeft()));
    if (left == null || right == null) {
      return null;
    }
    List<RexNode> all = new ArrayList<>(left);
    all.addAll(right);
    return all;
  }

  private static @Nullable List<RexNode> ofTable(RelNode query, int first) {
    return switch (query) {
      case Project project -> over(ofTable(project.getInput(), first), project);
      case TableScan table ->
          IntStream.range(0, width(table))
              .<RexNode>mapToObj(
                  i ->
                      new RexInputRef(
                          first + i, table.getRowType().getFieldList().get(i).getType()))
              .toList();
      default -> null;
    };
  }

  /** The number of fields of the table below. */
  private static int width(RelNode query) {
    return query instanceof Project project
        ? width(project.getInput())
        : query.getRowType().getFieldCount();
  }

  private static @Nullable List<RexNode> over(@Nullable List<RexNode> inputs, Project project) {
    return inputs == null
        ? null
        : new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef field) {
            return inputs.get(field.getIndex());
          }
        }.visitList(project.getProjects());
  }
}
