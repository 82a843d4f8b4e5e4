package io.gpdb.planner.rewrite;

import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.tree.DependentCalc;
import java.util.IdentityHashMap;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/**
 * How many rows trees return, and how many different values their fields have. Constants are not
 * looked at, as texts that differ in them share a plan. For the making of one plan.
 */
public final class Estimates {
  private static final double RANGE = 0.3;
  private static final double PATTERN = 0.1;
  private static final double OTHER = 0.5;
  private static final double FIELDS_OF_GROUPS = 0.75;

  private final TableFacts facts;
  private final IdentityHashMap<RelNode, Double> known = new IdentityHashMap<>();

  public Estimates(TableFacts facts) {
    this.facts = facts;
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
      case DependentCalc calc -> rows(calc.getInput()) * (calc.condition() == null ? 1 : RANGE);
      case Project project -> rows(project.getInput());
      case Aggregate aggregate -> groups(aggregate);
      case Join join -> joined(join);
      case Sort sort when sort.fetch instanceof RexLiteral limit ->
          Math.min(rows(sort.getInput()), RexLiteral.intValue(limit));
      case Union union -> union.getInputs().stream().mapToDouble(this::rows).sum();
      case Values values -> values.getTuples().size();
      default ->
          tree.getInputs().stream().mapToDouble(this::rows).max().orElse(TableFacts.ROWS_UNKNOWN);
    };
  }

  private double stored(TableScan scan) {
    GpTable table = scan.getTable().unwrap(GpTable.class);
    return table == null || table.isHostTable()
        ? TableFacts.ROWS_UNKNOWN
        : facts.rows(table.table());
  }

  private double groups(Aggregate aggregate) {
    double input = rows(aggregate.getInput());
    double groups = 1;
    for (int key : aggregate.getGroupSet()) {
      groups *= distinct(aggregate.getInput(), key);
    }
    return Math.min(input, groups) * aggregate.getGroupSets().size();
  }

  private double joined(Join join) {
    double left = rows(join.getLeft());
    double right = rows(join.getRight());
    double matched = right * share(join, join.getCondition());
    return switch (join.getJoinType()) {
      case SEMI -> left * Math.min(1, matched);
      case ANTI -> left * Math.max(PATTERN, 1 - matched);
      case LEFT -> left * Math.max(1, matched);
      case RIGHT, FULL -> Math.max(right, left * matched);
      default -> left * matched;
    };
  }

  /** About how many different values a field has. */
  double distinct(RelNode tree, int field) {
    return Math.max(1, values(tree, field));
  }

  private double values(RelNode tree, int field) {
    return switch (tree) {
      case TableScan scan -> {
        GpTable table = scan.getTable().unwrap(GpTable.class);
        boolean stored = table != null && !table.isHostTable();
        yield stored && field < table.table().columns().size()
            ? Math.min(rows(scan), facts.distinct(table.table(), field))
            : rows(scan);
      }
      case Filter filter -> distinct(filter.getInput(), field);
      case Sort sort -> distinct(sort.getInput(), field);
      case DependentCalc calc when calc.condition() != null -> distinct(calc.getInput(), field);
      case Project project when project.getProjects().get(field) instanceof RexInputRef below ->
          distinct(project.getInput(), below.getIndex());
      case Join join -> {
        int width = join.getLeft().getRowType().getFieldCount();
        yield field < width
            ? distinct(join.getLeft(), field)
            : distinct(join.getRight(), field - width);
      }
      case Aggregate aggregate when field < aggregate.getGroupCount() ->
          aggregate.getGroupCount() == 1
              ? rows(aggregate)
              : distinct(aggregate.getInput(), aggregate.getGroupSet().nth(field));
      default -> Math.pow(rows(tree), FIELDS_OF_GROUPS);
    };
  }

  /** The share of rows that fulfil a condition over the fields of the tree. */
  double share(RelNode tree, RexNode condition) {
    double share = 1;
    for (RexNode part : RelOptUtil.conjunctions(condition)) {
      share *= ofPart(tree, part);
    }
    return share;
  }

  private double ofPart(RelNode tree, RexNode part) {
    return switch (part.getKind()) {
      case EQUALS -> equality(tree, (RexCall) part);
      case NOT_EQUALS, IS_NOT_NULL, IS_NOT_FALSE -> 1 - PATTERN;
      case IS_NULL, LIKE -> PATTERN;
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

  private double equality(RelNode tree, RexCall equal) {
    double most = 1;
    for (RexNode side : equal.getOperands()) {
      if (side instanceof RexInputRef field) {
        most = Math.max(most, distinct(tree, field.getIndex()));
      } else if (!RelOptUtil.InputFinder.bits(side).isEmpty()) {
        int first = RelOptUtil.InputFinder.bits(side).nth(0);
        most = Math.max(most, distinct(tree, first));
      }
    }
    return 1 / Math.max(2, most);
  }
}
