package io.gpdb.sql.tree;

import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * Builders of trees that leave expressions as they are written. What Calcite simplifies may move an
 * operand before another one that keeps it from an error.
 */
public final class WrittenRows {
  private static final RelBuilderFactory BUILDERS =
      RelBuilder.proto(Contexts.of(config(RelBuilder.Config.DEFAULT)));

  private WrittenRows() {}

  public static RelBuilder builder(RelOptCluster cluster) {
    return BUILDERS.create(cluster, null);
  }

  /** That configuration, without simplifying. */
  public static RelBuilder.Config config(RelBuilder.Config builder) {
    return builder.withSimplify(false);
  }
}
