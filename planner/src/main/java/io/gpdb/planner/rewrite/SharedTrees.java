package io.gpdb.planner.rewrite;

import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.tree.Raising;
import io.gpdb.sql.tree.SubQueryFunction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.plan.RelDigest;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Finds parts of a tree that are equal, as names of WITH that are used several times become, and
 * whose rows are worth to be found once: after conditions went down, so that a part that one place
 * restricts and another does not is not equal any more. Subqueries of one value are parts of the
 * tree here; when the plan of one is made, what it shares with others is a leaf of its tree.
 *
 * <pre>
 *   Join  A, Aggregate(T)  B, Aggregate(T)   =>   Join  A, Shared 1  B, Shared 1
 * </pre>
 *
 * A part is an aggregation, a set operation other than UNION ALL, windows, or the first rows of an
 * order, with what filters and projects its rows. All need their input before they return a row, so
 * nothing is lost by keeping theirs. Joins are a part only if one of the places needs all of their
 * rows; other places could join them with something first that leaves few.
 */
final class SharedTrees {
  private final Map<RelDigest, Found> found = new HashMap<>();
  private final IdentityHashMap<RelNode, Boolean> plain = new IdentityHashMap<>();
  private final IdentityHashMap<SubQueryFunction, RelNode> queries = new IdentityHashMap<>();
  private final Set<SharedTree.Rows> own = new HashSet<>();
  private final List<SharedTree.Rows> shared = new ArrayList<>();

  /** Equal parts. */
  private static final class Found {
    final SharedTree.Rows rows;
    int places;
    boolean isNeededWhole;

    Found(RelNode tree) {
      rows = new SharedTree.Rows(tree);
    }
  }

  private SharedTrees() {}

  /** The tree with what is shared in it; itself where nothing is. */
  static RelNode in(RelNode tree) {
    if (!readsATableTwice(tree, new HashSet<>())) {
      return tree;
    }
    SharedTrees trees = new SharedTrees();
    trees.count(tree, true);
    RelNode all = trees.replaced(tree);
    Map<SharedTree.Rows, Integer> places = new HashMap<>();
    countPlaces(all, places);
    RelNode several = trees.withoutSingle(all, places);
    if (trees.shared.isEmpty()) {
      return tree;
    }
    trees.read(several, every(several));
    return several;
  }

  private static boolean readsATableTwice(RelNode tree, Set<List<String>> tables) {
    if (tree instanceof TableScan scan) {
      return !tables.add(scan.getTable().getQualifiedName());
    }
    for (RelNode input : SharedTree.below(tree)) {
      if (readsATableTwice(input, tables)) {
        return true;
      }
    }
    return false;
  }

  /** A subquery as it is when its plan is made, but for what it shares. */
  private RelNode query(SubQueryFunction function) {
    return queries.computeIfAbsent(
        function,
        f -> LimitPushDown.applied(ConditionPushDown.applied(Averages.replaced(f.query()))));
  }

  /**
   * @param whole whether all rows of the node are needed, whatever is joined with them
   */
  private void count(RelNode node, boolean whole) {
    if (node instanceof RepeatUnion || node instanceof SharedTree) {
      return;
    }
    for (SubQueryFunction function : SharedTree.ofOneValue(node)) {
      count(query(function), function.answer() != SubQueryFunction.Kind.EXISTS);
    }
    if (isPlain(node) && !raisesAbove(node) && (isBreaker(node) || base(node) instanceof Join)) {
      Found known = found.computeIfAbsent(node.getRelDigest(), _ -> new Found(node));
      known.places++;
      known.isNeededWhole |= whole || isBreaker(node);
    }
    for (int i = 0; i < node.getInputs().size(); i++) {
      boolean ofInput =
          switch (node) {
            case Filter _ -> whole;
            case Project project -> whole || project.containsOver();
            case Join join ->
                i == 1
                    && (join.getJoinType() == JoinRelType.SEMI
                        || join.getJoinType() == JoinRelType.ANTI);
            case Sort sort -> sort.fetch == null;
            default -> true;
          };
      count(node.getInput(i), ofInput);
    }
  }

  /** Whether it has the same rows wherever it is run in one execution of the tree. */
  private boolean isPlain(RelNode node) {
    Boolean known = plain.get(node);
    if (known == null) {
      known = isPlainNode(node) && node.getInputs().stream().allMatch(this::isPlain);
      plain.put(node, known);
    }
    return known;
  }

  private static boolean isPlainNode(RelNode node) {
    return switch (node) {
      case TableScan scan -> {
        GpTable table = scan.getTable().unwrap(GpTable.class);
        yield table != null && !table.isHostTable() && !table.hasRowId();
      }
      case Filter filter ->
          filter.getVariablesSet().isEmpty() && RexUtil.isDeterministic(filter.getCondition());
      case Project project ->
          project.getVariablesSet().isEmpty()
              && project.getProjects().stream().allMatch(RexUtil::isDeterministic);
      case Join join ->
          join.getVariablesSet().isEmpty() && RexUtil.isDeterministic(join.getCondition());
      case Aggregate _, SetOp _, Sort _, Values _ -> true;
      default -> false;
    };
  }

  private static boolean isBreaker(RelNode node) {
    return switch (base(node)) {
      case Aggregate _, Project _ -> true;
      case SetOp set -> !(set.all && set instanceof Union);
      case Sort sort -> sort.fetch != null;
      default -> false;
    };
  }

  /** What has the rows that filters and projections pass on. */
  private static RelNode base(RelNode node) {
    return switch (node) {
      case Filter filter -> base(filter.getInput());
      case Project project when !project.containsOver() -> base(project.getInput());
      default -> node;
    };
  }

  /**
   * Whether what passes rows on may raise an error: only for rows and fields that the operators
   * above ask for, so it stays with them.
   */
  private static boolean raisesAbove(RelNode node) {
    return switch (node) {
      case Filter filter ->
          Raising.mayRaise(filter.getCondition()) || raisesAbove(filter.getInput());
      case Project project ->
          project.getProjects().stream().anyMatch(Raising::mayRaise)
              || (!project.containsOver() && raisesAbove(project.getInput()));
      default -> false;
    };
  }

  private RelNode replaced(RelNode node) {
    if (node instanceof RepeatUnion || node instanceof SharedTree) {
      return node;
    }
    Found known = isPlain(node) && !raisesAbove(node) ? found.get(node.getRelDigest()) : null;
    if (known != null && known.places > 1 && known.isNeededWhole) {
      own.add(known.rows);
      return new SharedTree(node, known.rows);
    }
    return withQueries(
        withInputs(node, node.getInputs().stream().map(this::replaced).toList()),
        function -> replaced(query(function)));
  }

  /** The node whose subqueries of one value are rewritten where something is shared in them. */
  private static RelNode withQueries(RelNode node, Function<SubQueryFunction, RelNode> rewriting) {
    IdentityHashMap<SubQueryFunction, SubQueryFunction> others = new IdentityHashMap<>();
    for (SubQueryFunction function : SharedTree.ofOneValue(node)) {
      RelNode query = rewriting.apply(function);
      if (SharedTree.isIn(query) || SharedTree.isIn(function.query())) {
        others.put(function, function.rewritten(_ -> query));
      }
    }
    if (others.isEmpty()) {
      return node;
    }
    RexBuilder rexBuilder = node.getCluster().getRexBuilder();
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            RexNode visited = super.visitCall(call);
            SubQueryFunction other =
                call.getOperator() instanceof SubQueryFunction function
                    ? others.get(function)
                    : null;
            return other == null
                ? visited
                : rexBuilder.makeCall(call.getType(), other, ((RexCall) visited).getOperands());
          }
        });
  }

  private static RelNode withInputs(RelNode node, List<RelNode> inputs) {
    return inputs.equals(node.getInputs()) ? node : node.copy(node.getTraitSet(), inputs);
  }

  private static void countPlaces(RelNode node, Map<SharedTree.Rows, Integer> places) {
    if (node instanceof SharedTree tree) {
      places.merge(tree.rows(), 1, Integer::sum);
    } else {
      SharedTree.below(node).forEach(input -> countPlaces(input, places));
    }
  }

  /** Without those whose other places are within larger parts that are shared. */
  private RelNode withoutSingle(RelNode node, Map<SharedTree.Rows, Integer> places) {
    if (node instanceof SharedTree tree) {
      if (!own.contains(tree.rows())) {
        return tree;
      }
      if (places.getOrDefault(tree.rows(), 0) == 1) {
        return tree.getInput();
      }
      shared.add(tree.rows());
      return tree;
    }
    return withQueries(
        withInputs(
            node, node.getInputs().stream().map(input -> withoutSingle(input, places)).toList()),
        function -> withoutSingle(function.query(), places));
  }

  /** Notes which fields are read of what is shared. */
  private void read(RelNode node, BitSet fields) {
    switch (node) {
      case SharedTree tree -> {
        if (own.contains(tree.rows())) {
          tree.rows().reads(fields);
        }
      }
      case Filter filter -> read(filter.getInput(), with(fields, List.of(filter.getCondition())));
      case Project project -> {
        List<RexNode> asked =
            project.containsOver()
                ? project.getProjects()
                : fields.stream().mapToObj(project.getProjects()::get).toList();
        read(project.getInput(), with(new BitSet(), asked));
      }
      case Join join -> {
        BitSet both = with(fields, List.of(join.getCondition()));
        int width = join.getLeft().getRowType().getFieldCount();
        read(join.getLeft(), both.get(0, width));
        read(join.getRight(), both.get(width, Math.max(width, both.length())));
      }
      case Aggregate aggregate -> {
        BitSet below = aggregate.getGroupSet().toBitSet();
        for (AggregateCall call : aggregate.getAggCallList()) {
          call.getArgList().forEach(below::set);
          if (call.filterArg >= 0) {
            below.set(call.filterArg);
          }
        }
        read(aggregate.getInput(), below);
      }
      case Sort sort -> {
        BitSet below = (BitSet) fields.clone();
        for (RelFieldCollation key : sort.getCollation().getFieldCollations()) {
          below.set(key.getFieldIndex());
        }
        read(sort.getInput(), below);
      }
      default -> SharedTree.below(node).forEach(input -> read(input, every(input)));
    }
  }

  private static BitSet with(BitSet fields, List<RexNode> nodes) {
    BitSet all = (BitSet) fields.clone();
    for (RexNode each : nodes) {
      all.or(RelOptUtil.InputFinder.bits(each).toBitSet());
    }
    return all;
  }

  private static BitSet every(RelNode node) {
    return ImmutableBitSet.range(node.getRowType().getFieldCount()).toBitSet();
  }
}
