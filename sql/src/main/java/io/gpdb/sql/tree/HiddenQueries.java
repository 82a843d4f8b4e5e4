package io.gpdb.sql.tree;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.jspecify.annotations.Nullable;

/** The queries that a tree's subquery functions and dependent joins hold, at any depth. */
public final class HiddenQueries extends RelVisitor {
  private final List<RelNode> found = new ArrayList<>();

  private final RexShuttle expressions =
      new RexShuttle() {
        @Override
        public RexNode visitCall(RexCall call) {
          if (call.getOperator() instanceof SubQueryFunction function) {
            found.add(function.query());
            go(function.query());
          }
          return super.visitCall(call);
        }
      };

  private HiddenQueries() {}

  /** All queries below the tree's nodes and in their expressions, without the tree itself. */
  public static List<RelNode> in(RelNode tree) {
    HiddenQueries search = new HiddenQueries();
    search.go(tree);
    return search.found;
  }

  /** The scans of the tree and of all queries in it. */
  public static List<TableScan> scans(RelNode tree) {
    List<TableScan> scans = new ArrayList<>();
    RelVisitor search =
        new RelVisitor() {
          @Override
          public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
            if (node instanceof TableScan scan) {
              scans.add(scan);
            }
            super.visit(node, ordinal, parent);
          }
        };
    search.go(tree);
    in(tree).forEach(search::go);
    return scans;
  }

  /** The functions that an expression calls, without those in their queries. */
  public static List<SubQueryFunction> functions(List<RexNode> nodes) {
    List<SubQueryFunction> functions = new ArrayList<>();
    RexShuttle search =
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            if (call.getOperator() instanceof SubQueryFunction function
                && !functions.contains(function)) {
              functions.add(function);
            }
            return super.visitCall(call);
          }
        };
    nodes.forEach(node -> node.accept(search));
    return functions;
  }

  @Override
  public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
    if (node instanceof DependentJoin join) {
      found.add(join.query());
      go(join.query());
    }
    node.accept(expressions);
    super.visit(node, ordinal, parent);
  }
}
