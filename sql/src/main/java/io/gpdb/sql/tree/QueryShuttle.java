package io.gpdb.sql.tree;

import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/** Replaces expressions of a whole query, those of the queries in its expressions too. */
abstract class QueryShuttle extends RexShuttle {
  private final RelHomogeneousShuttle nodes =
      new RelHomogeneousShuttle() {
        @Override
        public RelNode visit(RelNode other) {
          return super.visit(other).accept(QueryShuttle.this);
        }
      };

  RelNode replaced(RelNode query) {
    return query.accept(nodes);
  }

  @Override
  public RexNode visitSubQuery(RexSubQuery query) {
    RexSubQuery own = (RexSubQuery) super.visitSubQuery(query);
    return own.clone(replaced(own.rel));
  }
}
