package io.gpdb.sql;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.jspecify.annotations.Nullable;

/** Looks whether a tree has subqueries in expressions or correlates. */
final class SubQuerySearch extends RelVisitor {
  private boolean subQuery;
  private boolean correlate;

  private final RexShuttle expressions =
      new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery node) {
          subQuery = true;
          return node;
        }
      };

  private SubQuerySearch() {}

  static SubQuerySearch in(RelNode tree) {
    SubQuerySearch search = new SubQuerySearch();
    search.go(tree);
    return search;
  }

  static boolean isIn(RexNode expression) {
    SubQuerySearch search = new SubQuerySearch();
    expression.accept(search.expressions);
    return search.subQuery;
  }

  boolean foundSubQuery() {
    return subQuery;
  }

  boolean foundCorrelate() {
    return correlate;
  }

  @Override
  public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
    correlate |= node instanceof Correlate;
    node.accept(expressions);
    super.visit(node, ordinal, parent);
  }
}
