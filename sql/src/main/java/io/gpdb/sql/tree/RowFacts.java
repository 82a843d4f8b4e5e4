package io.gpdb.sql.tree;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlExplainLevel;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * What Calcite asks of a tree while it makes one: how many rows it has at most, and whether they
 * differ. Calcite's own answers come from code that it makes and compiles at run time; anything
 * else that is asked here fails as what is not supported.
 */
public final class RowFacts extends RelMetadataQuery {
  private RowFacts() {
    super(NoMetadata.INSTANCE);
  }

  public static RowFacts create() {
    return new RowFacts();
  }

  @Override
  public Double getMaxRowCount(RelNode tree) {
    return switch (tree) {
      case Aggregate aggregate when isOneRow(aggregate) -> 1.0;
      case Values values -> (double) values.getTuples().size();
      case Filter filter -> getMaxRowCount(filter.getInput());
      case Project project -> getMaxRowCount(project.getInput());
      case Sort sort -> getMaxRowCount(sort.getInput());
      default -> Double.POSITIVE_INFINITY;
    };
  }

  /** Asked where a tree is printed. */
  @Override
  public Boolean isVisibleInExplain(RelNode tree, SqlExplainLevel level) {
    return true;
  }

  private static boolean isOneRow(Aggregate aggregate) {
    return isSimple(aggregate) && aggregate.getGroupCount() == 0;
  }

  private static boolean isSimple(Aggregate aggregate) {
    return aggregate.getGroupType() == Aggregate.Group.SIMPLE;
  }

  @Override
  public Boolean areColumnsUnique(RelNode tree, ImmutableBitSet columns) {
    return areUnique(tree, columns);
  }

  @Override
  public Boolean areColumnsUnique(RelNode tree, ImmutableBitSet columns, boolean ignoreNulls) {
    return areUnique(tree, columns);
  }

  /** Whether no two rows are known to have the same values in the columns. */
  private boolean areUnique(RelNode tree, ImmutableBitSet columns) {
    return getMaxRowCount(tree) <= 1
        || switch (tree) {
          case Aggregate aggregate ->
              isSimple(aggregate)
                  && columns.contains(ImmutableBitSet.range(aggregate.getGroupCount()));
          case Filter filter -> areUnique(filter.getInput(), columns);
          case Sort sort -> areUnique(sort.getInput(), columns);
          case Project project -> {
            ImmutableBitSet inputs = copied(project, columns);
            yield inputs != null && areUnique(project.getInput(), inputs);
          }
          case SetOp set ->
              !set.all && columns.contains(ImmutableBitSet.range(set.getRowType().getFieldCount()));
          default -> false;
        };
  }

  /** The columns of the input that the columns are, without those that are computed; or null. */
  private static @Nullable ImmutableBitSet copied(Project project, ImmutableBitSet columns) {
    ImmutableBitSet.Builder inputs = ImmutableBitSet.builder();
    for (int column : columns) {
      RexNode value = project.getProjects().get(column);
      if (value instanceof RexInputRef input) {
        inputs.set(input.getIndex());
      }
    }
    ImmutableBitSet all = inputs.build();
    return all.isEmpty() ? null : all;
  }
}
