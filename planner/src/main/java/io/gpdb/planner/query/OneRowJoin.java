package io.gpdb.planner.query;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * A tree that joins one row of constants and parameters with a stored table: the rows of the table
 * that fit, and outputs in which the constants and parameters have taken the place of the one row.
 *
 * @param matched what of the table fits; its outputs are its columns and its row id
 * @param outer whether there is a row, with NULLs for the table's columns, where nothing fits
 * @param outputs over the fields of the table
 */
public record OneRowJoin(ScanShape matched, boolean outer, List<RexNode> outputs) {

  /** The shape of a tree, or null when it is another. */
  public static @Nullable OneRowJoin of(RelNode tree) {
    return switch (tree) {
      case Project project when !RexOver.containsOver(project.getProjects(), null) -> {
        OneRowJoin below = of(project.getInput());
        yield below == null ? null : below.projected(project.getProjects());
      }
      case Filter filter when !filter.containsOver() -> {
        OneRowJoin below = of(filter.getInput());
        yield below == null || below.outer ? null : below.filtered(filter.getCondition());
      }
      case Join join -> ofJoin(join);
      default -> null;
    };
  }

  private static @Nullable OneRowJoin ofJoin(Join join) {
    boolean outer = join.getJoinType() == JoinRelType.LEFT;
    if (!outer && join.getJoinType() != JoinRelType.INNER) {
      return null;
    }
    List<RexNode> row = constants(join.getLeft());
    ScanShape table = ScanShape.of(row == null ? join.getLeft() : join.getRight());
    boolean rowFirst = row != null;
    if (row == null) {
      row = outer ? null : constants(join.getRight());
    }
    if (row == null || table == null) {
      return null;
    }
    OneRowJoin fitting =
        new OneRowJoin(table, false, both(row, table.outputs(), rowFirst))
            .filtered(join.getCondition());
    if (!outer) {
      return fitting;
    }
    List<RexNode> fields = new ArrayList<>();
    for (RexNode output : table.outputs()) {
      RexNode field = nullable(output, table.rexBuilder());
      if (field == null) {
        return null;
      }
      fields.add(field);
    }
    return new OneRowJoin(fitting.matched, true, both(row, fields, true));
  }

  private static List<RexNode> both(List<RexNode> row, List<RexNode> table, boolean rowFirst) {
    List<RexNode> fields = new ArrayList<>(rowFirst ? row : table);
    fields.addAll(rowFirst ? table : row);
    return fields;
  }

  /** A field that is NULL where the table has no row; null for what might be something else. */
  private static @Nullable RexNode nullable(RexNode output, RexBuilder builder) {
    RelDataType type = builder.getTypeFactory().createTypeWithNullability(output.getType(), true);
    if (output instanceof RexInputRef field) {
      return new RexInputRef(field.getIndex(), type);
    }
    if (output.getKind() != SqlKind.CAST) {
      return null;
    }
    RexCall cast = (RexCall) output;
    RexNode operand = nullable(cast.getOperands().getFirst(), builder);
    return operand == null ? null : cast.clone(type, List.of(operand));
  }

  /** The one row of a tree, of constants and parameters alone; null for any other tree. */
  private static @Nullable List<RexNode> constants(RelNode tree) {
    if (tree instanceof Values values) {
      return values.getTuples().size() == 1 ? List.copyOf(values.getTuples().getFirst()) : null;
    }
    if (!(tree instanceof Project project)
        || !project.getProjects().stream().allMatch(OneRowJoin::isConstant)) {
      return null;
    }
    List<RexNode> below = constants(project.getInput());
    return below == null ? null : replaced(project.getProjects(), below);
  }

  private static boolean isConstant(RexNode node) {
    return node instanceof RexLiteral
        || node instanceof RexDynamicParam
        || node instanceof RexInputRef
        || (node.getKind() == SqlKind.CAST
            && isConstant(((RexCall) node).getOperands().getFirst()));
  }

  private static List<RexNode> replaced(List<RexNode> nodes, List<RexNode> fields) {
    return nodes.stream().map(node -> replaced(node, fields)).toList();
  }

  private static RexNode replaced(RexNode node, List<RexNode> fields) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef field) {
            return fields.get(field.getIndex());
          }
        });
  }

  private OneRowJoin projected(List<RexNode> expressions) {
    return new OneRowJoin(matched, outer, replaced(expressions, outputs));
  }

  private OneRowJoin filtered(RexNode condition) {
    RexNode more = replaced(condition, outputs);
    RexNode before = matched.filter();
    RexNode both =
        before == null
            ? more
            : RexUtil.composeConjunction(matched.rexBuilder(), List.of(before, more));
    ScanShape table = new ScanShape(matched.table(), both, matched.outputs(), matched.rexBuilder());
    return new OneRowJoin(table, outer, outputs);
  }

  /** The rows that fit as a scan of the table. */
  public ScanShape asScan() {
    return new ScanShape(matched.table(), matched.filter(), outputs, matched.rexBuilder());
  }
}
