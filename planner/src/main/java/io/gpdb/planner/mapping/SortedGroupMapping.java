package io.gpdb.planner.mapping;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.run.sort.SortedGroupSource;
import io.gpdb.planner.window.WindowCall;
import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.planner.window.WindowFrame;
import io.gpdb.planner.window.WindowGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;

/** Maps an aggregation with functions that have no kernel to a {@link SortedGroupSource}. */
final class SortedGroupMapping {
  private final RexBuilder rexBuilder;
  private final Aggregate aggregate;
  private final List<SourceColumn> input;
  private final ComputedFields fields;
  private final List<WindowCall> calls = new ArrayList<>();

  SortedGroupMapping(RexBuilder rexBuilder, Aggregate aggregate, Pipeline input) throws NotCovered {
    this.rexBuilder = rexBuilder;
    this.aggregate = aggregate;
    this.input = input.columns();
    fields = new ComputedFields(rexBuilder, input);
    for (AggregateCall call : aggregate.getAggCallList()) {
      calls.add(call(call));
    }
  }

  /** What the keys and calls are. */
  Pipeline below() {
    return fields.pipeline();
  }

  /**
   * The aggregation.
   *
   * @param below has the rows of {@link #below()}
   * @param names what its columns are called that have no other name
   */
  Source above(Device device, Source below, List<SourceColumn> names) {
    List<Integer> keys = aggregate.getGroupSet().asList();
    List<SourceColumn> columns = new ArrayList<>(names);
    Map<List<RelFieldCollation>, List<WindowGroup.Placed>> byOrder = new LinkedHashMap<>();
    for (int i = 0; i < calls.size(); i++) {
      int field = keys.size() + i;
      WindowCall call = calls.get(i);
      columns.set(field, columns.get(field).told(call::text));
      RelCollation order = aggregate.getAggCallList().get(i).getCollation();
      byOrder
          .computeIfAbsent(order.getFieldCollations(), _ -> new ArrayList<>())
          .add(new WindowGroup.Placed(call, field));
    }
    List<WindowGroup> groups = new ArrayList<>();
    byOrder.forEach((order, placed) -> groups.add(new WindowGroup(keys, order, placed)));
    return new SortedGroupSource(device, rexBuilder, below, groups, columns);
  }

  private WindowCall call(AggregateCall call) throws NotCovered {
    Function function = HostAggregates.function(call.getAggregation());
    boolean isPlain =
        function.isAggregate()
            && call.rexList.isEmpty()
            && call.distinctKeys == null
            && !call.isApproximate();
    if (!isPlain) {
      throw new NotCovered("aggregate " + call);
    }
    List<RexNode> arguments = new ArrayList<>();
    for (int argument : call.getArgList()) {
      arguments.add(fields.ref(argument));
    }
    List<Integer> read =
        HostAggregates.read(rexBuilder, fields, function, arguments, call.getType());
    return new WindowCall(
        function,
        read,
        call.isDistinct(),
        false,
        null,
        WindowFrame.PARTITION,
        call.filterArg,
        RexValues.spec(call.getType()),
        text(call, arguments));
  }

  private String text(AggregateCall call, List<RexNode> arguments) {
    List<String> names = input.stream().map(SourceColumn::name).toList();
    List<String> texts = arguments.stream().map(node -> RexText.of(node, names)).toList();
    return call.getAggregation().getName()
        + (call.isDistinct() ? "(distinct " : "(")
        + (texts.isEmpty() ? "*" : String.join(", ", texts))
        + ")";
  }
}
