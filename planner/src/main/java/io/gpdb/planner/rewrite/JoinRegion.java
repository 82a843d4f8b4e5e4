package io.gpdb.planner.rewrite;

import io.gpdb.planner.order.JoinGraph;
import io.gpdb.planner.order.JoinKind;
import io.gpdb.planner.order.JoinLink;
import io.gpdb.sql.tree.NotInKeys;
import io.gpdb.sql.tree.Raising;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * Joins next to each other: their inputs, numbered from left to right, and the conditions between
 * them, over the fields of all inputs in a row. Projections that only pick fields are seen through.
 */
final class JoinRegion {
  /** Inputs, with what is already rewritten below them. */
  final List<RelNode> inputs = new ArrayList<>();

  /** The first field of each input. */
  final List<Integer> first = new ArrayList<>();

  final List<Condition> conditions = new ArrayList<>();

  /** The fields of the root. */
  final List<RexNode> outputs;

  private final List<Operator> operators = new ArrayList<>();
  private final Movable movable;
  private final UnaryOperator<RelNode> askedBy;

  /** Left inputs of semi and anti joins, by the number of the right one, which may raise errors. */
  private final Map<Integer, RelNode> askedFor = new HashMap<>();

  private int width;

  /**
   * A condition of a join.
   *
   * @param left inputs that the left side of an equality reads, or of a join other than inner
   * @param right as {@code left}; 0 where the condition links no inputs
   */
  record Condition(
      RexNode condition, JoinKind kind, long left, long right, List<JoinLink.Rule> rules) {
    long inputs() {
      return left | right;
    }

    boolean isLink() {
      return left != 0 && right != 0;
    }
  }

  /** A join of the tree, with the inputs below it. */
  private record Operator(JoinKind kind, long left, long right) {}

  /** A part of the tree: its inputs and its fields. */
  private record Part(long inputs, List<RexNode> fields) {}

  /** Which joins other than inner ones are part of a region. */
  private enum Movable {
    NONE,
    /** Those whose right input raises no error, and left joins. */
    SAFE,
    ALL
  }

  private JoinRegion(RelNode root, Movable movable, UnaryOperator<RelNode> askedBy) {
    this.movable = movable;
    this.askedBy = askedBy;
    outputs = flattened(root).fields;
  }

  /**
   * The region at the top of a tree, or null where there is none or it has too many inputs. Other
   * joins than inner ones are part of it only where all conditions link inputs; those with an input
   * that may raise errors only where there are others, for they are run as they are then.
   *
   * @param below rewrites an input, whose fields stay
   * @param askedBy rewrites the left input of a join whose right one may raise errors; null where
   *     such joins stay where they are
   */
  static @Nullable JoinRegion of(
      RelNode root, UnaryOperator<RelNode> below, @Nullable UnaryOperator<RelNode> askedBy) {
    JoinRegion all =
        askedBy == null
            ? new JoinRegion(root, Movable.SAFE, tree -> tree)
            : new JoinRegion(root, Movable.ALL, askedBy);
    if (!all.askedFor.isEmpty() && (all.inputs.size() == 2 || !all.isOfLinks())) {
      all = new JoinRegion(root, Movable.SAFE, tree -> tree);
    }
    if (!all.isInner() && !all.isOfLinks()) {
      all = new JoinRegion(root, Movable.NONE, tree -> tree);
    }
    if (all.operators.isEmpty() || all.inputs.size() > JoinGraph.RELATIONS_MAX) {
      return null;
    }
    all.inputs.replaceAll(below);
    return all;
  }

  /** Whether a tree is one that a region begins with. */
  static boolean isRoot(RelNode tree) {
    return tree instanceof Join join && (isInner(join) || isMovable(join));
  }

  private boolean isOfLinks() {
    return conditions.stream().allMatch(Condition::isLink);
  }

  /** An input as a leaf of the joins in their new order. */
  RelNode leaf(int input) {
    RelNode left = askedFor.get(input);
    RelNode tree = inputs.get(input);
    return left == null ? tree : new AskedForTree(tree, askedBy.apply(left));
  }

  boolean isInner() {
    return operators.stream().allMatch(operator -> operator.kind == JoinKind.INNER);
  }

  private static boolean isInner(Join join) {
    return join.getJoinType() == JoinRelType.INNER && join.getVariablesSet().isEmpty();
  }

  /** Whether the join is not inner, and may change its place among others. */
  private static boolean isMovable(Join join) {
    JoinRelType type = join.getJoinType();
    boolean kind = type == JoinRelType.LEFT || type == JoinRelType.SEMI || type == JoinRelType.ANTI;
    return kind
        && join.getVariablesSet().isEmpty()
        && NotInKeys.of(join) == null
        && !Raising.mayRaise(join.getCondition())
        && RelOptUtil.conjunctions(join.getCondition()).stream()
            .allMatch(part -> isAcross(part, join.getLeft().getRowType().getFieldCount()));
  }

  /** Whether the right input may raise an error that the left one has to ask for. */
  private static boolean asksForErrors(Join join) {
    return !isInner(join)
        && join.getJoinType() != JoinRelType.LEFT
        && Raising.mayRaise(join.getRight());
  }

  private boolean isPart(Join join) {
    return isInner(join)
        || (movable != Movable.NONE
            && isMovable(join)
            && (movable == Movable.ALL || !asksForErrors(join)));
  }

  /** Whether it is an equality of fields of both sides. */
  private static boolean isAcross(RexNode condition, int width) {
    return condition.getKind() == SqlKind.EQUALS
        && ((RexCall) condition).getOperands().get(0) instanceof RexInputRef a
        && ((RexCall) condition).getOperands().get(1) instanceof RexInputRef b
        && (a.getIndex() < width) != (b.getIndex() < width);
  }

  private Part flattened(RelNode tree) {
    return switch (tree) {
      case Join join when isPart(join) -> join(join);
      case Project project when isPick(project) -> {
        Part part = flattened(project.getInput());
        List<RexNode> fields = new ArrayList<>();
        for (RexNode field : project.getProjects()) {
          RexInputRef picked = picked(field);
          if (picked != null) {
            fields.add(part.fields.get(picked.getIndex()));
          }
        }
        yield new Part(part.inputs, fields);
      }
      default -> input(tree);
    };
  }

  /** Whether a projection of joins only picks fields, and says at most that they may be NULL. */
  private static boolean isPick(Project project) {
    return (project.getInput() instanceof Join
            || (project.getInput() instanceof Project below && isPick(below)))
        && project.getProjects().stream().allMatch(field -> picked(field) != null);
  }

  private static @Nullable RexInputRef picked(RexNode field) {
    if (field instanceof RexCall cast
        && cast.getKind() == SqlKind.CAST
        && cast.getOperands().getFirst() instanceof RexInputRef inner
        && org.apache.calcite.sql.type.SqlTypeUtil.equalSansNullability(
            cast.getType(), inner.getType())) {
      return inner;
    }
    return field instanceof RexInputRef ref ? ref : null;
  }

  private Part input(RelNode tree) {
    List<RexNode> fields = new ArrayList<>();
    for (int i = 0; i < tree.getRowType().getFieldCount(); i++) {
      fields.add(new RexInputRef(width + i, tree.getRowType().getFieldList().get(i).getType()));
    }
    inputs.add(tree);
    first.add(width);
    width += fields.size();
    return new Part(1L << Math.min(inputs.size() - 1, Long.SIZE - 1), fields);
  }

  private Part join(Join join) {
    int known = operators.size();
    Part left = flattened(join.getLeft());
    int middle = operators.size();
    Part right = right(join);
    JoinKind kind = JoinKind.valueOf(join.getJoinType().name());
    List<JoinLink.Rule> rules = new ArrayList<>();
    for (int i = known; i < operators.size(); i++) {
      if (i < middle) {
        Operator lower = operators.get(i);
        if (!lower.kind.isAssociative(kind)) {
          rules.add(new JoinLink.Rule(lower.right, lower.left));
        }
      } else {
        Operator lower = operators.get(i);
        if (!kind.isAssociative(lower.kind)) {
          rules.add(new JoinLink.Rule(lower.left, lower.right));
        }
        if (!kind.isRightExchangeable(lower.kind)) {
          rules.add(new JoinLink.Rule(lower.right, lower.left));
        }
      }
    }
    operators.add(new Operator(kind, left.inputs, right.inputs));
    List<RexNode> both = new ArrayList<>(left.fields);
    both.addAll(right.fields);
    RexNode condition = over(join.getCondition(), both);
    if (kind == JoinKind.INNER) {
      for (RexNode part : RelOptUtil.conjunctions(condition)) {
        conditions.add(linked(part, rules));
      }
    } else {
      long read = inputsOf(condition);
      conditions.add(
          new Condition(condition, kind, read & left.inputs, read & right.inputs, rules));
    }
    return new Part(
        left.inputs | right.inputs, join.getJoinType().projectsRight() ? both : left.fields);
  }

  /** Inputs that ask for their errors together stay together. */
  private Part right(Join join) {
    if (!asksForErrors(join)) {
      return flattened(join.getRight());
    }
    askedFor.put(inputs.size(), join.getLeft());
    return input(join.getRight());
  }

  private static RexNode over(RexNode condition, List<RexNode> fields) {
    return condition.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef field) {
            return fields.get(field.getIndex());
          }
        });
  }

  private Condition linked(RexNode part, List<JoinLink.Rule> rules) {
    long all = inputsOf(part);
    if (part.getKind() == SqlKind.EQUALS) {
      long a = inputsOf(((RexCall) part).getOperands().get(0));
      long b = inputsOf(((RexCall) part).getOperands().get(1));
      if (a != 0 && b != 0 && (a & b) == 0) {
        return new Condition(part, JoinKind.INNER, a, b, rules);
      }
    }
    if (Long.bitCount(all) == 2) {
      long a = Long.lowestOneBit(all);
      return new Condition(part, JoinKind.INNER, a, all ^ a, rules);
    }
    return new Condition(part, JoinKind.INNER, all, 0, rules);
  }

  /** The inputs that an expression reads. */
  long inputsOf(RexNode node) {
    long found = 0;
    for (int field : RelOptUtil.InputFinder.bits(node)) {
      found |= 1L << inputOf(field);
    }
    return found;
  }

  /** The parts of a conjunction that read one input, and nothing else. */
  List<RexNode> partsOf(RexNode conjunction, int input) {
    List<RexNode> parts = new ArrayList<>(RelOptUtil.conjunctions(conjunction));
    parts.removeIf(part -> inputsOf(part) != 1L << input);
    return parts;
  }

  /** The input that has a field. */
  int inputOf(int field) {
    int input = inputs.size() - 1;
    while (first.get(input) > field) {
      input--;
    }
    return input;
  }

  int width() {
    return width;
  }
}
