package io.gpdb.planner.bridge;

import io.gpdb.sql.tree.SubQueryFunction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.adapter.enumerable.EnumerableInterpretable;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.runtime.Bindable;
import org.jspecify.annotations.Nullable;

/**
 * A relational tree compiled by Calcite's enumerable convention. Compiling takes about 5 ms and the
 * first time 250 ms; running may be repeated, also by several threads.
 */
public final class BridgeQuery {
  private final RelNode tree;
  private final List<RelNode> leaves;
  private final Bindable<?> compiled;
  private final Map<String, Object> stashed;
  private final int fields;
  private final String plan;
  private final List<SubQueryFunction> functions;

  private BridgeQuery(
      RelNode tree,
      List<RelNode> leaves,
      Bindable<?> compiled,
      Map<String, Object> stashed,
      int fields,
      String plan,
      List<SubQueryFunction> functions) {
    this.tree = tree;
    this.leaves = leaves;
    this.compiled = compiled;
    this.stashed = stashed;
    this.fields = fields;
    this.plan = plan;
    this.functions = List.copyOf(functions);
  }

  /**
   * Compiles a tree as the front end makes it: logical operators over tables. The fields of the
   * rows are those of the tree.
   */
  public static BridgeQuery compile(RelNode tree, LeafChoice choice) {
    try {
      BridgePlan plan = BridgePlan.of(tree, choice);
      EnumerableRel root = plan.root();
      Map<String, Object> stashed = new HashMap<>();
      Bindable<?> compiled =
          EnumerableInterpretable.toBindable(
              stashed, null, BridgeStop.everywhere(root), EnumerableRel.Prefer.ARRAY);
      return new BridgeQuery(
          plan.logical(),
          plan.leaves(),
          compiled,
          stashed,
          tree.getRowType().getFieldCount(),
          RelOptUtil.toString(root),
          plan.functions());
    } catch (Exception | StackOverflowError | AssertionError | LinkageError e) {
      throw BridgeErrors.whileCompiling(e);
    }
  }

  /** What Calcite runs, with the expressions of the query, above the planner's leaves. */
  public RelNode tree() {
    return tree;
  }

  /** The subtrees whose rows come from the planner. */
  public List<RelNode> leaves() {
    return leaves;
  }

  /** The subqueries that expressions call. */
  public List<SubQueryFunction> functions() {
    return functions;
  }

  /** Calcite's operators, for EXPLAIN. */
  public String plan() {
    return plan;
  }

  /**
   * Starts a run. Parameters are values as {@link BridgeValues} describes them, null for NULL;
   * {@code nowMicros} is the time of the statement in microseconds since 1970-01-01 00:00:00 of the
   * session's clock.
   */
  public BridgeRows run(
      LeafSource source, SubQueryValues subQueries, @Nullable Object[] parameters, long nowMicros) {
    BridgeContext context =
        new BridgeContext(
            leaves,
            source,
            new SubQueryValues.Run(functions, subQueries),
            parameters,
            nowMicros,
            stashed);
    try {
      return new BridgeRows(rows(context).enumerator(), fields);
    } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
      throw BridgeErrors.whileRunning(e);
    }
  }

  /**
   * What is stashed is the table of a recursive query. It belongs to the compiled code, so such a
   * query runs to its end before another run of it begins.
   */
  private Enumerable<?> rows(BridgeContext context) {
    if (stashed.isEmpty()) {
      return compiled.bind(context);
    }
    synchronized (stashed) {
      return Linq4j.asEnumerable(compiled.bind(context).toList());
    }
  }
}
