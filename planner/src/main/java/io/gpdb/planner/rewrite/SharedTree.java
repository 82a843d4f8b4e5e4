package io.gpdb.planner.rewrite;

import io.gpdb.sql.tree.DependentCalc;
import io.gpdb.sql.tree.HiddenQueries;
import io.gpdb.sql.tree.SubQueryFunction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rex.RexNode;

/**
 * One of several places of a tree that have the same rows: they are found once. No rule moves
 * anything into it or out of it.
 */
public final class SharedTree extends SingleRel {
  private final Rows rows;

  /** The rows of all these places. */
  public static final class Rows {
    private final RelNode tree;
    private final BitSet read = new BitSet();

    Rows(RelNode tree) {
      this.tree = tree;
    }

    /** What has them, its joins in no order yet. */
    public RelNode tree() {
      return tree;
    }

    /** The fields that any of the places reads, as far as the tree says. */
    public BitSet read() {
      return (BitSet) read.clone();
    }

    void reads(BitSet fields) {
      read.or(fields);
    }
  }

  /**
   * @param place equal to the tree of the rows, but for the names of fields
   */
  SharedTree(RelNode place, Rows rows) {
    super(place.getCluster(), place.getTraitSet(), place);
    this.rows = rows;
    rowType = place.getRowType();
  }

  public Rows rows() {
    return rows;
  }

  /** What a tree and its subqueries of one value share, in the order of places. */
  public static Set<Rows> in(RelNode tree) {
    Set<Rows> found = new LinkedHashSet<>();
    find(tree, found);
    return found;
  }

  static boolean isIn(RelNode tree) {
    return tree instanceof SharedTree || below(tree).stream().anyMatch(SharedTree::isIn);
  }

  private static void find(RelNode tree, Set<Rows> found) {
    if (tree instanceof SharedTree shared) {
      found.add(shared.rows);
    } else {
      below(tree).forEach(input -> find(input, found));
    }
  }

  /** The inputs of a node and its subqueries of one value; of what is shared, none. */
  static List<RelNode> below(RelNode node) {
    if (node instanceof SharedTree) {
      return List.of();
    }
    List<SubQueryFunction> functions = ofOneValue(node);
    if (functions.isEmpty()) {
      return node.getInputs();
    }
    List<RelNode> all = new ArrayList<>(node.getInputs());
    functions.forEach(function -> all.add(function.query()));
    return all;
  }

  /** The subqueries of one value that a node's expressions call. */
  static List<SubQueryFunction> ofOneValue(RelNode node) {
    if (!(node instanceof DependentCalc calc)) {
      return List.of();
    }
    RexNode condition = calc.condition();
    return HiddenQueries.functions(condition == null ? calc.outputs() : List.of(condition)).stream()
        .filter(SubQueryFunction::isOfOneValue)
        .toList();
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new SharedTree(inputs.getFirst(), rows);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("rows", System.identityHashCode(rows));
  }
}
