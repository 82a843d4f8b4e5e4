package io.gpdb.sql.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.Pair;

/**
 * Keeps arguments that may raise an error from rows that the FILTER of their aggregate leaves out:
 * the projection below would compute them for all rows.
 *
 * <pre>
 *   SUM($1) FILTER $2  Project(k, 1 / x, x &lt;> 0)
 *      =>   SUM($3) FILTER $2  Project(k, 1 / x, x &lt;> 0, CASE WHEN x &lt;> 0 THEN 1 / x END)
 * </pre>
 */
final class FilteredArguments {
  private final RexBuilder builder;
  private final List<RexNode> fields;
  private final List<String> names;
  private final Map<Pair<Integer, Integer>, Integer> guarded = new HashMap<>();

  private FilteredArguments(RelNode below, List<RexNode> fields) {
    builder = below.getCluster().getRexBuilder();
    this.fields = new ArrayList<>(fields);
    names = new ArrayList<>(below.getRowType().getFieldNames());
  }

  static RelNode guarded(Aggregate aggregate) {
    return switch (aggregate.getInput()) {
      case Project project when !project.containsOver() -> {
        FilteredArguments own = new FilteredArguments(project, project.getProjects());
        List<AggregateCall> calls = own.calls(aggregate);
        yield own.guarded.isEmpty()
            ? aggregate
            : over(
                aggregate,
                LogicalProject.create(
                    project.getInput(), project.getHints(), own.fields, own.names, Set.of()),
                calls);
      }
      case DependentCalc calc when calc.condition() == null -> {
        FilteredArguments own = new FilteredArguments(calc, calc.outputs());
        List<AggregateCall> calls = own.calls(aggregate);
        yield own.guarded.isEmpty()
            ? aggregate
            : over(aggregate, DependentCalc.project(calc.getInput(), own.fields, own.names), calls);
      }
      default -> aggregate;
    };
  }

  private static RelNode over(Aggregate aggregate, RelNode input, List<AggregateCall> calls) {
    return aggregate.copy(
        aggregate.getTraitSet(), input, aggregate.getGroupSet(), aggregate.getGroupSets(), calls);
  }

  private List<AggregateCall> calls(Aggregate aggregate) {
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      calls.add(
          call.hasFilter()
              ? call.withArgList(
                  call.getArgList().stream().map(field -> field(field, call.filterArg)).toList())
              : call);
    }
    return calls;
  }

  private int field(int argument, int filter) {
    if (!Raising.mayRaise(fields.get(argument))) {
      return argument;
    }
    return guarded.computeIfAbsent(Pair.of(argument, filter), ignored -> add(argument, filter));
  }

  private int add(int argument, int filter) {
    RexNode value = fields.get(argument);
    names.add("$FILTERED" + fields.size());
    fields.add(
        builder.makeCall(
            SqlStdOperatorTable.CASE,
            fields.get(filter),
            value,
            builder.makeNullLiteral(value.getType())));
    return fields.size() - 1;
  }
}
