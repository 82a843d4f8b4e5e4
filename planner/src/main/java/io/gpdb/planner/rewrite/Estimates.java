package io.gpdb.planner.rewrite;

import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.tree.DependentCalc;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * How many rows trees return, and how many different values their fields have. Of constants only
 * dates and times are looked at, as texts that differ in others share a plan. For the making of one
 * plan.
 */
public final class Estimates {
  private static final double RANGE = 0.3;
  private static final double PATTERN = 0.1;
  private static final double OTHER = 0.5;

  private final TableFacts facts;
  private final IdentityHashMap<RelNode, Double> known = new IdentityHashMap<>();
  private final JoinedColumns columns = new JoinedColumns(this);
  private final ValueCounts values;

  public Estimates(TableFacts facts) {
    this.facts = facts;
    values = new ValueCounts(this, facts);
  }

  /** About how many rows come of a tree. */
  public double rows(RelNode tree) {
    Double rows = known.get(tree);
    if (rows == null) {
      rows = Math.max(1e-3, computed(tree));
      known.put(tree, rows);
    }
    return rows;
  }

  /** Rows that a scan of the table reads. */
  double storedRows(TableDef table) {
    return Math.max(1, facts.rows(table));
  }

  private double computed(RelNode tree) {
    return switch (tree) {
      case TableScan scan -> stored(scan);
      case Filter filter ->
          rows(filter.getInput()) * share(filter.getInput(), filter.getCondition());
      case DependentCalc calc -> rows(calc.getInput()) * ofCalc(calc);
      case Project project -> rows(project.getInput());
      case Aggregate aggregate -> groups(aggregate);
      case Join join -> joined(join);
      case Sort sort when sort.fetch instanceof RexLiteral limit ->
          Math.min(rows(sort.getInput()), RexLiteral.intValue(limit));
      case Union union ->
          union.getInputs().stream().mapToDouble(input -> rowsOf(union, input)).sum();
      case Intersect intersect -> common(intersect);
      case Minus minus -> left(minus);
      case StandIn leaf -> rows(leaf.stoodFor());
      case Values values -> values.getTuples().size();
      default ->
          tree.getInputs().stream().mapToDouble(this::rows).max().orElse(TableFacts.ROWS_UNKNOWN);
    };
  }

  /** The share of rows that conditions with subqueries leave: an equality is the strictest. */
  private double ofCalc(DependentCalc calc) {
    RexNode condition = calc.condition();
    if (condition == null) {
      return 1;
    }
    double share = RANGE;
    for (RexNode part : RelOptUtil.conjunctions(condition)) {
      if (part.getKind() == SqlKind.EQUALS) {
        share = Math.min(share, equality(calc.getInput(), (RexCall) part));
      }
    }
    return share;
  }

  /** Rows of an input, equal ones counted as the set operation does. */
  private double rowsOf(SetOp set, RelNode input) {
    double rows = rows(input);
    ImmutableBitSet fields = ImmutableBitSet.range(set.getRowType().getFieldCount());
    return set.all ? rows : met(new GroupCount(this).of(input, fields), rows);
  }

  /** Rows that are in all inputs: of the first, those that a join by all fields leaves. */
  private double common(Intersect set) {
    RelNode first = set.getInput(0);
    double rows = rowsOf(set, first);
    for (RelNode other : set.getInputs().subList(1, set.getInputs().size())) {
      rows *= Math.min(1, rowsOf(set, other) * ofRow(first, other));
    }
    return rows;
  }

  /** Rows of the first input that none of the others has. */
  private double left(Minus set) {
    RelNode first = set.getInput(0);
    double rows = rowsOf(set, first);
    for (RelNode other : set.getInputs().subList(1, set.getInputs().size())) {
      rows *= Math.max(PATTERN, 1 - Math.min(1, rowsOf(set, other) * ofRow(first, other)));
    }
    return rows;
  }

  /** The share of pairs whose rows are equal. */
  private double ofRow(RelNode a, RelNode b) {
    List<Double> shares = new ArrayList<>();
    for (int field = 0; field < a.getRowType().getFieldCount(); field++) {
      shares.add(1 / Math.max(distinct(a, field), distinct(b, field)));
    }
    return together(shares);
  }

  private double stored(TableScan scan) {
    GpTable table = scan.getTable().unwrap(GpTable.class);
    return table == null || table.isHostTable()
        ? TableFacts.ROWS_UNKNOWN
        : facts.rows(table.table());
  }

  private double groups(Aggregate aggregate) {
    double input = rows(aggregate.getInput());
    GroupCount counts = new GroupCount(this);
    double all = 0;
    for (ImmutableBitSet set : aggregate.getGroupSets()) {
      all += met(counts.of(aggregate.getInput(), set), input);
    }
    return all;
  }

  /** How many of so many different values rows meet that have each of them equally often. */
  private static double met(double values, double rows) {
    return values <= 1 ? Math.min(values, rows) : -values * Math.expm1(-rows / values);
  }

  /** Of a join with nothing but the equalities of its keys, before other conditions. */
  public double rowsByKeys(Join join) {
    double left = rows(join.getLeft());
    double right = rows(join.getRight());
    return Math.max(1e-3, left * right * ofKeys(join, Math.max(left, right)));
  }

  private double joined(Join join) {
    double left = rows(join.getLeft());
    double right = rows(join.getRight());
    double matched = right * ofPairs(join, Math.max(left, right));
    return switch (join.getJoinType()) {
      case SEMI -> left * Math.min(1, matched);
      case ANTI -> left * Math.max(PATTERN, 1 - matched);
      case LEFT -> left * Math.max(1, matched);
      case RIGHT, FULL -> Math.max(right, left * matched);
      default -> left * matched;
    };
  }

  /**
   * The share of pairs that fulfil a join's condition. Of several equalities the strictest counts
   * fully, the next one by its square root, and so on, as where joins are put in order; together
   * they leave one row of the larger input for each of the other.
   */
  private double ofPairs(Join join, double larger) {
    double others = 1;
    for (RexNode part : RelOptUtil.conjunctions(join.getCondition())) {
      others *= part.getKind() == SqlKind.EQUALS ? 1 : share(join, part);
    }
    return others * ofKeys(join, larger);
  }

  private double ofKeys(Join join, double larger) {
    List<RexCall> equal = new ArrayList<>();
    for (RexNode part : RelOptUtil.conjunctions(join.getCondition())) {
      if (part.getKind() == SqlKind.EQUALS) {
        equal.add((RexCall) part);
      }
    }
    List<Double> shares = new ArrayList<>();
    if (equal.size() > 1) {
      shares.addAll(ofWholeKey(join, equal));
    }
    equal.forEach(each -> shares.add(ofKey(join, each)));
    return shares.size() == 1
        ? shares.getFirst()
        : Math.max(together(shares), 1 / Math.max(1, larger));
  }

  /** The strictest counts fully, the next one by its square root, and so on. */
  private static double together(List<Double> shares) {
    Collections.sort(shares);
    double all = 1;
    double weight = 1;
    for (double share : shares) {
      all *= Math.pow(share, weight);
      weight /= 2;
    }
    return all;
  }

  /**
   * Takes the equalities away that together ask for a key of a table, of which each row of the
   * other input has one at most; returns the share of pairs that they leave, if there are such.
   */
  private List<Double> ofWholeKey(Join join, List<RexCall> equal) {
    int width = join.getLeft().getRowType().getFieldCount();
    for (boolean left : new boolean[] {true, false}) {
      RelNode side = left ? join.getLeft() : join.getRight();
      Map<RexCall, Integer> fields = new LinkedHashMap<>();
      for (RexCall each : equal) {
        for (RexNode operand : each.getOperands()) {
          if (operand instanceof RexInputRef field && field.getIndex() < width == left) {
            fields.put(each, left ? field.getIndex() : field.getIndex() - width);
          }
        }
      }
      for (FieldOrigins.OfScan scan : FieldOrigins.of(side, fields.values())) {
        BitSet key = scan.key();
        if (key.cardinality() > 1) {
          equal.removeIf(each -> key.get(fields.getOrDefault(each, Integer.MAX_VALUE)));
          return List.of(1 / Math.max(1, rows(scan.scan)));
        }
      }
    }
    return List.of();
  }

  private double ofKey(Join join, RexCall equal) {
    int width = join.getLeft().getRowType().getFieldCount();
    if (equal.getOperands().get(0) instanceof RexInputRef a
        && equal.getOperands().get(1) instanceof RexInputRef b
        && (a.getIndex() < width) != (b.getIndex() < width)) {
      return columns.share(side(join, a, width), side(join, b, width));
    }
    return equality(join, equal);
  }

  private static JoinedColumns.Side side(Join join, RexInputRef field, int width) {
    int index = field.getIndex();
    return index < width
        ? new JoinedColumns.Side(join.getLeft(), index)
        : new JoinedColumns.Side(join.getRight(), index - width);
  }

  /** About how many different values a field has. */
  double distinct(RelNode tree, int field) {
    return Math.max(1, values.of(tree, field));
  }

  /** The share of rows that fulfil a condition over the fields of the tree. */
  double share(RelNode tree, RexNode condition) {
    double share = 1;
    Map<Integer, ValueRange> ranges = new LinkedHashMap<>();
    for (RexNode part : RelOptUtil.conjunctions(condition)) {
      ValueRange range = ValueRange.of(part);
      if (range == null) {
        share *= ofPart(tree, part);
      } else {
        ranges.merge(range.field(), range, ValueRange::and);
      }
    }
    for (ValueRange range : ranges.values()) {
      share *= ofRange(tree, range);
    }
    return share;
  }

  private double ofRange(RelNode tree, ValueRange range) {
    StoredColumn column = column(tree, range.field());
    return column != null && column.facts.isOrdered() ? range.share(column.facts) : RANGE;
  }

  private double nullShare(RelNode tree, RexNode operand) {
    StoredColumn column =
        operand instanceof RexInputRef field ? column(tree, field.getIndex()) : null;
    return column == null ? PATTERN : column.facts.nullShare();
  }

  /**
   * What is known of a stored column.
   *
   * @param rows of its table
   */
  record StoredColumn(ColumnFacts facts, double rows) {}

  /** What is known of the stored column that a field is; null where it is none, or is padded. */
  @Nullable StoredColumn column(RelNode tree, int field) {
    return switch (tree) {
      case TableScan scan -> {
        GpTable table = scan.getTable().unwrap(GpTable.class);
        boolean stored = table != null && !table.isHostTable();
        yield stored && field < table.table().columns().size()
            ? new StoredColumn(facts.column(table.table(), field), rows(scan))
            : null;
      }
      case Filter filter -> column(filter.getInput(), field);
      case Sort sort -> column(sort.getInput(), field);
      case AskedForTree asked -> column(asked.getInput(), field);
      case StandIn leaf -> column(leaf.stoodFor(), field);
      case DependentCalc calc when calc.condition() != null -> column(calc.getInput(), field);
      case Project project when project.getProjects().get(field) instanceof RexInputRef below ->
          column(project.getInput(), below.getIndex());
      case Join join -> {
        int width = join.getLeft().getRowType().getFieldCount();
        boolean padded =
            field < width
                ? join.getJoinType().generatesNullsOnLeft()
                : join.getJoinType().generatesNullsOnRight();
        yield padded
            ? null
            : field < width
                ? column(join.getLeft(), field)
                : column(join.getRight(), field - width);
      }
      default -> null;
    };
  }

  private double ofPart(RelNode tree, RexNode part) {
    return switch (part.getKind()) {
      case EQUALS -> equality(tree, (RexCall) part);
      case NOT_EQUALS, IS_NOT_FALSE -> 1 - PATTERN;
      case LIKE -> PATTERN;
      case IS_NULL -> nullShare(tree, ((RexCall) part).getOperands().getFirst());
      case IS_NOT_NULL -> 1 - nullShare(tree, ((RexCall) part).getOperands().getFirst());
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> RANGE;
      case SEARCH -> {
        RexNode plain = RexUtil.expandSearch(tree.getCluster().getRexBuilder(), null, part);
        yield plain.getKind() == part.getKind() ? RANGE : share(tree, plain);
      }
      case NOT -> 1 - Math.min(1 - PATTERN, share(tree, ((RexCall) part).getOperands().getFirst()));
      case OR -> {
        double none = 1;
        for (RexNode each : RelOptUtil.disjunctions(part)) {
          none *= 1 - Math.min(1, share(tree, each));
        }
        yield 1 - none;
      }
      case LITERAL -> part.isAlwaysFalse() ? 0 : 1;
      default -> OTHER;
    };
  }

  /**
   * About how many values a side of an equality has; those of a join's rows are asked for these.
   */
  private double compared(RelNode tree, RexNode side) {
    if (!(tree instanceof Join)) {
      return values.computed(tree, side);
    }
    ImmutableBitSet fields = RelOptUtil.InputFinder.bits(side);
    return fields.isEmpty() ? 1 : distinct(tree, fields.nth(0));
  }

  private double equality(RelNode tree, RexCall equal) {
    double most = 1;
    for (RexNode side : equal.getOperands()) {
      most = Math.max(most, compared(tree, side));
    }
    return 1 / Math.max(2, most);
  }
}
