package io.gpdb.sql.tree;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.jspecify.annotations.Nullable;

/** Looks for subqueries in expressions. */
public final class SubQuerySearch extends RelVisitor {
  private boolean subQuery;

  private final RexShuttle expressions =
      new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery node) {
          subQuery = true;
          return node;
        }
      };

  private SubQuerySearch() {}

  /** Whether the tree has subqueries or correlation anywhere. */
  public static boolean isAnywhereIn(RelNode tree) {
    SubQuerySearch search = new SubQuerySearch();
    search.go(tree);
    return search.subQuery;
  }

  /** Whether expressions of the node itself have subqueries. */
  static boolean isIn(RelNode node) {
    SubQuerySearch search = new SubQuerySearch();
    node.accept(search.expressions);
    return search.subQuery;
  }

  static boolean isIn(RexNode expression) {
    SubQuerySearch search = new SubQuerySearch();
    expression.accept(search.expressions);
    return search.subQuery;
  }

  @Override
  public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
    subQuery |= node instanceof Correlate;
    node.accept(expressions);
    super.visit(node, ordinal, parent);
  }
}
