package io.gpdb.planner.rewrite;

import io.gpdb.planner.order.JoinGraph;
import io.gpdb.planner.order.JoinKind;
import io.gpdb.planner.order.JoinLink;
import io.gpdb.planner.order.JoinOrder;
import io.gpdb.planner.order.JoinTree;
import io.gpdb.planner.order.Relation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * Joins next to each other in the cheapest order, with the fields of the tree that they replace.
 *
 * <pre>
 *   Join(b.y = c.y)  Join(a.x = b.x)  A, B, C(one row)
 *     =&gt;  Project(a, b, c)  Join(a.x = b.x)  Join(b.y = c.y)  C, B, A
 * </pre>
 */
final class OrderedJoins {
  private final JoinRegion region;
  private final Estimates estimates;
  private final RexBuilder builder;
  private final EqualFields equal;
  private final LinkShares shares;
  private final IdentityHashMap<JoinLink, RexNode> conditionOf = new IdentityHashMap<>();
  private final List<JoinRegion.Condition> late = new ArrayList<>();

  private OrderedJoins(JoinRegion region, Estimates estimates) {
    this.region = region;
    // two inputs have no order that matters
    this.estimates = region.inputs.size() > 2 ? estimates : new Estimates(TableFacts.UNKNOWN);
    builder = region.inputs.getFirst().getCluster().getRexBuilder();
    equal = EqualFields.of(region);
    shares = new LinkShares(region, this.estimates);
  }

  /** The joins of a region, or null where they are to stay as they are. */
  static @Nullable RelNode of(JoinRegion region, RelDataType type, Estimates estimates) {
    return new OrderedJoins(region, estimates).ordered(type);
  }

  private @Nullable RelNode ordered(RelDataType type) {
    List<Set<RexNode>> implied = ImpliedConditions.of(region, equal);
    for (int i = 0; i < implied.size(); i++) {
      List<RexNode> conditions = List.copyOf(implied.get(i));
      if (!conditions.isEmpty()) {
        region.inputs.set(i, ConditionPushDown.under(region.inputs.get(i), conditions));
      }
    }
    List<JoinLink> links = links();
    List<Relation> relations = new ArrayList<>();
    for (int i = 0; i < region.inputs.size(); i++) {
      relations.add(new RelationFacts(region, i, estimates).relation(conditionsOf(links)));
    }
    JoinTree order = JoinOrder.of(new JoinGraph(relations, links));
    return order == null ? null : result(built(order), type);
  }

  private List<RexNode> conditionsOf(List<JoinLink> links) {
    return links.stream().map(conditionOf::get).toList();
  }

  // Links

  private List<JoinLink> links() {
    List<JoinLink> links = new ArrayList<>();
    for (JoinRegion.Condition c : region.conditions) {
      if (!c.isLink()) {
        late.add(c);
        continue;
      }
      add(links, c, shares.of(c.condition()), equal.indexOf(c.condition()), false);
    }
    for (int i = 0; i < equal.classes().size(); i++) {
      addInferred(links, equal.classes().get(i), i);
    }
    return links;
  }

  private void add(
      List<JoinLink> links, JoinRegion.Condition c, double share, int group, boolean inferred) {
    JoinLink link = new JoinLink(c.kind(), c.left(), c.right(), share, group, inferred, c.rules());
    links.add(link);
    conditionOf.put(link, c.condition());
  }

  private void addInferred(List<JoinLink> links, List<RexInputRef> fields, int group) {
    for (int a = 0; a < fields.size(); a++) {
      for (int b = a + 1; b < fields.size(); b++) {
        long left = 1L << region.inputOf(fields.get(a).getIndex());
        long right = 1L << region.inputOf(fields.get(b).getIndex());
        if (left != right && links.stream().noneMatch(l -> isSame(l, group, left, right))) {
          RexNode condition =
              builder.makeCall(
                  org.apache.calcite.sql.fun.SqlStdOperatorTable.EQUALS,
                  fields.get(a),
                  fields.get(b));
          add(
              links,
              new JoinRegion.Condition(condition, JoinKind.INNER, left, right, List.of()),
              shares.of(condition),
              group,
              true);
        }
      }
    }
  }

  private static boolean isSame(JoinLink link, int group, long left, long right) {
    return link.group() == group && (link.left() | link.right()) == (left | right);
  }

  // The tree

  /**
   * A part of the new tree.
   *
   * @param fields those of the tree
   * @param at by field of the region, its place among the fields of the tree; -1 where it has none
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Built(RelNode tree, List<RexNode> fields, int[] at) {
    boolean has(RexNode condition) {
      for (int field : RelOptUtil.InputFinder.bits(condition)) {
        if (at[field] < 0) {
          return false;
        }
      }
      return true;
    }
  }

  private Built built(JoinTree order) {
    return switch (order) {
      case JoinTree.Leaf leaf -> input(leaf.relation());
      case JoinTree.Join join -> join(join);
    };
  }

  private Built input(int input) {
    int[] at = new int[region.width()];
    Arrays.fill(at, -1);
    RelNode tree = region.leaf(input);
    for (int i = 0; i < tree.getRowType().getFieldCount(); i++) {
      at[region.first.get(input) + i] = i;
    }
    return new Built(tree, fields(tree), at);
  }

  private Built join(JoinTree.Join join) {
    Built left = built(join.left());
    Built right = built(join.right());
    List<RexNode> conditions = new ArrayList<>();
    List<Integer> groups = new ArrayList<>();
    for (JoinLink link : join.links()) {
      RexNode condition = conditionOf.get(link);
      if (condition != null && (link.group() < 0 || !groups.contains(link.group()))) {
        groups.add(link.group());
        conditions.addAll(RelOptUtil.conjunctions(condition));
      }
    }
    if (join.kind() == JoinKind.INNER) {
      late.removeIf(
          c -> {
            boolean there = (c.inputs() & ~join.relations()) == 0;
            if (there) {
              conditions.add(c.condition());
            }
            return there;
          });
    }
    return joined(join.kind(), left, right, conditions);
  }

  private Built joined(JoinKind kind, Built left, Built right, List<RexNode> conditions) {
    List<RexNode> leftFields = new ArrayList<>(left.fields);
    List<RexNode> rightFields = new ArrayList<>(right.fields);
    List<RexNode[]> keys = new ArrayList<>();
    List<RexNode> others = new ArrayList<>();
    for (RexNode condition : conditions) {
      RexNode[] key = condition.getKind() == SqlKind.EQUALS ? key(condition, left, right) : null;
      if (key == null) {
        others.add(condition);
      } else {
        keys.add(new RexNode[] {keyField(key[0], leftFields), keyField(key[1], rightFields)});
      }
    }
    RelNode a = widened(left.tree, leftFields);
    RelNode b = widened(right.tree, rightFields);
    int width = leftFields.size();
    int[] at = new int[region.width()];
    for (int i = 0; i < at.length; i++) {
      at[i] = left.at[i] >= 0 ? left.at[i] : right.at[i] >= 0 ? width + right.at[i] : -1;
    }
    List<RexNode> all = new ArrayList<>();
    leftFields.forEach(field -> all.add(new RexInputRef(all.size(), field.getType())));
    rightFields.forEach(field -> all.add(new RexInputRef(all.size(), field.getType())));
    List<RexNode> on = new ArrayList<>();
    for (RexNode[] key : keys) {
      on.add(
          builder.makeCall(
              org.apache.calcite.sql.fun.SqlStdOperatorTable.EQUALS,
              key[0],
              RexUtil.shift(key[1], width)));
    }
    others.forEach(condition -> on.add(over(condition, at, all)));
    JoinRelType type = JoinRelType.valueOf(kind.name());
    RelNode tree =
        LogicalJoin.create(
            a, b, List.of(), RexUtil.composeConjunction(builder, on), Set.of(), type);
    if (!type.projectsRight()) {
      for (int i = 0; i < at.length; i++) {
        at[i] = at[i] < width ? at[i] : -1;
      }
    }
    return new Built(tree, type == JoinRelType.INNER ? all : fields(tree), at);
  }

  /** The sides of an equality over the fields of the trees, that of the left tree first. */
  private RexNode @Nullable [] key(RexNode equality, Built left, Built right) {
    RexNode a = ((RexCall) equality).getOperands().get(0);
    RexNode b = ((RexCall) equality).getOperands().get(1);
    if (left.has(a) && right.has(b)) {
      return new RexNode[] {over(a, left.at, left.fields), over(b, right.at, right.fields)};
    }
    return left.has(b) && right.has(a)
        ? new RexNode[] {over(b, left.at, left.fields), over(a, right.at, right.fields)}
        : null;
  }

  /** The field that has the value, which is added where there is none. */
  private static RexNode keyField(RexNode value, List<RexNode> fields) {
    int known = fields.indexOf(value);
    if (known < 0) {
      known = fields.size();
      fields.add(value);
    }
    return new RexInputRef(known, value.getType());
  }

  private List<RexNode> fields(RelNode tree) {
    return new ArrayList<>(builder.identityProjects(tree.getRowType()));
  }

  private static RelNode widened(RelNode tree, List<RexNode> fields) {
    List<String> names = new ArrayList<>(tree.getRowType().getFieldNames());
    if (fields.size() == names.size()) {
      return tree;
    }
    for (int i = names.size(); i < fields.size(); i++) {
      names.add("$KEY" + i);
    }
    return LogicalProject.create(tree, List.of(), fields, names, Set.of());
  }

  /** An expression over the region's fields as one over those of a tree, typed as they are. */
  private RexNode over(RexNode node, int[] at, List<RexNode> fields) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef field) {
            return fields.get(at[field.getIndex()]);
          }

          @Override
          public RexNode visitCall(RexCall call) {
            RexNode moved = super.visitCall(call);
            boolean nullable =
                moved instanceof RexCall known
                    && !known.getType().isNullable()
                    && known.getOperands().stream().anyMatch(o -> o.getType().isNullable())
                    && call.getOperands().stream().noneMatch(o -> o.getType().isNullable());
            return nullable ? OrderedJoins.this.nullable((RexCall) moved) : moved;
          }
        });
  }

  private RexNode nullable(RexCall call) {
    RelDataType type = builder.getTypeFactory().createTypeWithNullability(call.getType(), true);
    return call.clone(type, call.getOperands());
  }

  private RelNode result(Built built, RelDataType type) {
    RelNode tree = built.tree;
    List<RexNode> rest = new ArrayList<>();
    late.forEach(c -> rest.add(over(c.condition(), built.at, built.fields)));
    RelNode rows =
        rest.isEmpty()
            ? tree
            : LogicalFilter.create(tree, RexUtil.composeConjunction(builder, rest));
    List<RexNode> outputs = new ArrayList<>();
    for (int i = 0; i < type.getFieldCount(); i++) {
      RexNode field = over(region.outputs.get(i), built.at, built.fields);
      RelDataType wanted = type.getFieldList().get(i).getType();
      outputs.add(
          field.getType().equals(wanted) ? field : builder.makeAbstractCast(wanted, field, false));
    }
    return LogicalProject.create(rows, List.of(), outputs, type.getFieldNames(), Set.of());
  }
}
