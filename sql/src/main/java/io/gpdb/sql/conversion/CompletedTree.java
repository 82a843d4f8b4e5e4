package io.gpdb.sql.conversion;

import io.gpdb.sql.dialect.GpRexBuilder;
import io.gpdb.sql.tree.Decorrelation;
import io.gpdb.sql.tree.LiteralFolding;
import io.gpdb.sql.tree.RaisingConditions;
import io.gpdb.sql.tree.RowFacts;
import io.gpdb.sql.tree.SubQuerySearch;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.UnheldComparisons;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.ConventionTraitDef;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.volcano.VolcanoPlanner;
import org.apache.calcite.rel.RelNode;

/** The tree of a query as it was written, made ready to be planned. Used for one statement. */
public final class CompletedTree {
  private static final LiteralFolding FOLDING = LiteralFolding.INSTANCE;

  private final List<ParameterFit> fits;
  private final BitSet elsewhere = new BitSet();

  CompletedTree(List<ParameterFit> fits) {
    this.fits = fits;
  }

  /** What the trees of one statement are made in. */
  static RelOptCluster newCluster() {
    VolcanoPlanner planner = new VolcanoPlanner(null, Contexts.empty());
    planner.addRelTraitDef(ConventionTraitDef.INSTANCE);
    planner.setExecutor(LiteralFolding.INSTANCE);
    RelOptCluster cluster = RelOptCluster.create(planner, new GpRexBuilder());
    cluster.setMetadataQuerySupplier(RowFacts::create);
    return cluster;
  }

  /** The tree without subqueries in expressions, whose parameters are below a number. */
  RelNode of(RelNode tree, int parameters) {
    RelNode folded = FOLDING.apply(tree);
    if (!SubQuerySearch.isAnywhereIn(folded)) {
      return finished(folded);
    }
    Decorrelation decorrelation =
        new Decorrelation(folded.getCluster(), parameters, this::finished);
    RelNode flat = decorrelation.apply(folded);
    Decorrelation.checkVariables(flat);
    return finished(flat);
  }

  private RelNode finished(RelNode folded) {
    UnheldComparisons.findOthers(folded, elsewhere);
    return RaisingConditions.kept(UnheldComparisons.rewritten(folded, fits));
  }

  /** Whether a parameter is used for nothing but comparisons, some of which may be decided. */
  boolean isCompared(int parameter) {
    return !elsewhere.get(parameter);
  }
}
