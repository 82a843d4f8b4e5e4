package io.gpdb.sql.tree;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.dialect.TypeMark;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;

/**
 * Finds which fields of a tree are of distinct types, and refuses what these do not take part in:
 * values of a distinct type compare with each other alone, and only a cast makes them others.
 */
public final class DistinctTypes {
  private final CatalogSnapshot catalog;
  private final Map<CorrelationId, List<ValueType>> variables = new HashMap<>();
  private final DistinctExpressions expressions = new DistinctExpressions(this);

  private DistinctTypes(CatalogSnapshot catalog) {
    this.catalog = catalog;
  }

  /** The types of the fields of a tree with marks; throws 42804 where types do not fit. */
  public static List<ValueType> of(RelNode tree, CatalogSnapshot catalog) {
    return new DistinctTypes(catalog).fields(tree);
  }

  /** The type of an expression without columns; throws 42804 where types do not fit. */
  public static ValueType of(RexNode expression, CatalogSnapshot catalog) {
    return new DistinctTypes(catalog).expressions.type(expression, List.of());
  }

  /** The tree without marks. */
  public static RelNode unmarked(RelNode tree) {
    return new Unmarking().replaced(tree);
  }

  /** The expression without marks. */
  public static RexNode unmarked(RexNode expression) {
    return expression.accept(new Unmarking());
  }

  List<ValueType> fields(RelNode node) {
    return switch (node) {
      case TableScan scan -> columns(scan);
      case Values values -> values(values);
      case Filter filter -> {
        List<ValueType> input = input(filter.getInput(), filter.getVariablesSet());
        expressions.type(filter.getCondition(), input);
        yield input;
      }
      case Project project -> {
        List<ValueType> input = input(project.getInput(), project.getVariablesSet());
        yield project.getProjects().stream().map(e -> expressions.type(e, input)).toList();
      }
      case Sort sort -> fields(sort.getInput());
      case Aggregate aggregate -> groups(aggregate);
      case Join join -> joined(join);
      case Correlate correlate -> {
        List<ValueType> left = fields(correlate.getLeft());
        variables.put(correlate.getCorrelationId(), left);
        yield correlate.getJoinType().projectsRight()
            ? concatenated(left, fields(correlate.getRight()))
            : left;
      }
      case SetOp set -> union(set);
      default -> others(node);
    };
  }

  /** The fields of the row that a variable is. */
  List<ValueType> row(CorrelationId variable) {
    return variables.getOrDefault(variable, List.of());
  }

  private List<ValueType> input(RelNode input, Iterable<CorrelationId> own) {
    List<ValueType> fields = fields(input);
    own.forEach(variable -> variables.put(variable, fields));
    return fields;
  }

  private List<ValueType> columns(TableScan scan) {
    List<ValueType> types = new ArrayList<>(plain(scan));
    GpTable table = scan.getTable().unwrap(GpTable.class);
    if (table != null && !table.isHostTable()) {
      List<ColumnDef> columns = table.table().columns();
      for (int c = 0; c < columns.size(); c++) {
        ObjectName name = columns.get(c).domain();
        if (name != null && catalog.isDistinct(name)) {
          types.set(c, ValueType.of(name));
        }
      }
    }
    return types;
  }

  private static List<ValueType> plain(RelNode node) {
    return Collections.nCopies(node.getRowType().getFieldCount(), ValueType.PLAIN);
  }

  private List<ValueType> values(Values values) {
    List<ValueType> types = new ArrayList<>();
    for (int i = 0; i < values.getRowType().getFieldCount(); i++) {
      int field = i;
      types.add(
          ValueType.common(
              values.getTuples().stream()
                  .map(row -> expressions.type(row.get(field), List.of()))
                  .toList()));
    }
    return types;
  }

  private List<ValueType> groups(Aggregate aggregate) {
    List<ValueType> input = fields(aggregate.getInput());
    List<ValueType> types = new ArrayList<>();
    aggregate.getGroupSet().forEach(key -> types.add(input.get(key)));
    for (AggregateCall call : aggregate.getAggCallList()) {
      types.add(
          DistinctExpressions.aggregate(
              call.getAggregation(), call.getArgList().stream().map(input::get).toList()));
    }
    return types;
  }

  private List<ValueType> joined(Join join) {
    List<ValueType> left = fields(join.getLeft());
    List<ValueType> both = concatenated(left, fields(join.getRight()));
    join.getVariablesSet().forEach(variable -> variables.put(variable, both));
    expressions.type(join.getCondition(), both);
    return join.getJoinType().projectsRight() ? both : left;
  }

  private static List<ValueType> concatenated(List<ValueType> left, List<ValueType> right) {
    List<ValueType> both = new ArrayList<>(left);
    both.addAll(right);
    return both;
  }

  private List<ValueType> union(SetOp set) {
    List<List<ValueType>> inputs = set.getInputs().stream().map(this::fields).toList();
    List<ValueType> types = new ArrayList<>();
    for (int i = 0; i < set.getRowType().getFieldCount(); i++) {
      int field = i;
      types.add(ValueType.common(inputs.stream().map(input -> input.get(field)).toList()));
    }
    return types;
  }

  /** Recursive queries and functions in FROM, which do without distinct types. */
  private List<ValueType> others(RelNode node) {
    for (RelNode input : node.getInputs()) {
      if (fields(input).stream().anyMatch(type -> type.distinct() != null)) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED,
            "a value of a distinct type in a recursive query or a function of rows");
      }
    }
    return plain(node);
  }

  /** Puts the values of marks in their places. */
  private static final class Unmarking extends QueryShuttle {
    @Override
    public RexNode visitCall(RexCall call) {
      return call.getOperator() instanceof TypeMark
          ? call.getOperands().getFirst().accept(this)
          : super.visitCall(call);
    }
  }
}
