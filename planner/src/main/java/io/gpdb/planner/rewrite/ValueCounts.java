package io.gpdb.planner.rewrite;

import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.tree.DependentCalc;
import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * How many different values the fields of trees have. What is computed of fields has no more values
 * than these have combinations.
 */
final class ValueCounts {
  /** The power of the rows that a computed field of which no more is known has values. */
  private static final double COMPUTED = 0.75;

  private static final double DAYS_OF_YEAR = 365.25;
  private static final double MICROS_OF_DAY = 86_400e6;

  private final Estimates estimates;
  private final TableFacts facts;

  ValueCounts(Estimates estimates, TableFacts facts) {
    this.estimates = estimates;
    this.facts = facts;
  }

  double of(RelNode tree, int field) {
    return switch (tree) {
      case TableScan scan -> ofScan(scan, field);
      case Filter filter -> {
        RexBuilder builder = filter.getCluster().getRexBuilder();
        double listed = listed(builder, filter.getCondition(), field);
        yield listed <= 1 ? listed : Math.min(listed, of(filter.getInput(), field));
      }
      case Sort sort -> of(sort.getInput(), field);
      case SharedTree shared -> of(shared.getInput(), field);
      case AskedForTree asked -> of(asked.getInput(), field);
      case StandIn leaf -> of(leaf.stoodFor(), field);
      case DependentCalc calc when calc.condition() != null -> of(calc.getInput(), field);
      case Project project -> computed(project.getInput(), project.getProjects().get(field));
      case Join join -> {
        int width = join.getLeft().getRowType().getFieldCount();
        yield field < width ? of(join.getLeft(), field) : of(join.getRight(), field - width);
      }
      case Aggregate aggregate when field < aggregate.getGroupCount() ->
          aggregate.getGroupCount() == 1
              ? estimates.rows(aggregate)
              : of(aggregate.getInput(), aggregate.getGroupSet().nth(field));
      case Union union -> ofUnion(union, field);
      default -> ofRows(tree);
    };
  }

  /** At most how many values of the field fulfil a condition, as it lists them. */
  private static double listed(RexBuilder builder, RexNode condition, int field) {
    double least = Double.POSITIVE_INFINITY;
    for (RexNode part : RelOptUtil.conjunctions(condition)) {
      least = Math.min(least, listedOfPart(builder, part, field));
    }
    return least;
  }

  private static double listedOfPart(RexBuilder builder, RexNode part, int field) {
    return switch (part.getKind()) {
      case EQUALS -> isOne((RexCall) part, field) ? 1 : Double.POSITIVE_INFINITY;
      case OR -> {
        double all = 0;
        for (RexNode each : RelOptUtil.disjunctions(part)) {
          all += listed(builder, each, field);
        }
        yield all;
      }
      case SEARCH -> {
        RexNode plain = RexUtil.expandSearch(builder, null, part);
        yield plain.getKind() == part.getKind()
            ? Double.POSITIVE_INFINITY
            : listed(builder, plain, field);
      }
      default -> Double.POSITIVE_INFINITY;
    };
  }

  /** Whether an equality asks for one value of the field. */
  private static boolean isOne(RexCall equality, int field) {
    List<RexNode> sides = equality.getOperands();
    return isValueOf(field, sides.get(0), sides.get(1))
        || isValueOf(field, sides.get(1), sides.get(0));
  }

  private static boolean isValueOf(int field, RexNode side, RexNode other) {
    return side instanceof RexInputRef known
        && known.getIndex() == field
        && RexUtil.isConstant(other);
  }

  private double ofScan(TableScan scan, int field) {
    GpTable table = scan.getTable().unwrap(GpTable.class);
    boolean stored = table != null && !table.isHostTable();
    return stored && field < table.table().columns().size()
        ? Math.min(estimates.rows(scan), facts.distinct(table.table(), field))
        : estimates.rows(scan);
  }

  private double ofRows(RelNode tree) {
    return Math.pow(estimates.rows(tree), COMPUTED);
  }

  /** Constants say which branch a row is of; other values are taken for those of one domain. */
  private double ofUnion(Union union, int field) {
    double most = 1;
    for (RelNode input : union.getInputs()) {
      most = Math.max(most, estimates.distinct(input, field));
    }
    return most > 1 ? most : union.getInputs().size();
  }

  /** Of an expression over the fields of the tree. */
  double computed(RelNode input, RexNode value) {
    if (value instanceof RexInputRef field) {
      return of(input, field.getIndex());
    }
    if (RexUtil.isConstant(value)) {
      return 1;
    }
    double bound =
        value.getType().getSqlTypeName() == SqlTypeName.BOOLEAN ? 2 : operands(input, value);
    return switch (value.getKind()) {
      case PLUS, MINUS, PLUS_PREFIX, MINUS_PREFIX, CAST -> Math.min(bound, estimates.rows(input));
      case EXTRACT -> Math.min(bound, extracted(input, (RexCall) value));
      case MOD -> Math.min(bound, remainders(input, (RexCall) value));
      default -> Math.min(bound, ofRows(input));
    };
  }

  /** The combinations of what the fields of an expression have. */
  private double operands(RelNode input, RexNode value) {
    double all = 1;
    for (int field : RelOptUtil.InputFinder.bits(value)) {
      all *= estimates.distinct(input, field);
    }
    return all;
  }

  /** Those of a division by a literal; both signs are seldom there. */
  private double remainders(RelNode input, RexCall call) {
    BigDecimal divisor =
        call.getOperands().getLast() instanceof RexLiteral literal
                && SqlTypeUtil.isIntType(literal.getType())
            ? literal.getValueAs(BigDecimal.class)
            : null;
    return divisor == null || divisor.signum() == 0 ? ofRows(input) : divisor.abs().doubleValue();
  }

  /** The values of a part of a date or time: those of a calendar, or the years of the bounds. */
  private double extracted(RelNode input, RexCall call) {
    return call.getOperands().getFirst() instanceof RexLiteral unit
            && unit.getValue() instanceof TimeUnitRange range
        ? switch (range) {
          case YEAR, ISOYEAR -> years(input, call.getOperands().getLast());
          case QUARTER -> 4;
          case MONTH -> 12;
          case WEEK -> 53;
          case DAY -> 31;
          case DOW, ISODOW -> 7;
          case DOY -> 366;
          case HOUR -> 24;
          case MINUTE, SECOND -> 60;
          default -> ofRows(input);
        }
        : ofRows(input);
  }

  private double years(RelNode input, RexNode value) {
    Estimates.StoredColumn column =
        value instanceof RexInputRef field ? estimates.column(input, field.getIndex()) : null;
    if (column == null || !column.facts().isOrdered()) {
      return ofRows(input);
    }
    double range = (double) column.facts().greatest() - column.facts().least();
    double day = value.getType().getSqlTypeName() == SqlTypeName.DATE ? 1 : MICROS_OF_DAY;
    return 1 + range / (day * DAYS_OF_YEAR);
  }
}
