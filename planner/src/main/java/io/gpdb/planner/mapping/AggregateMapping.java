package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.rewrite.Estimates;
import io.gpdb.planner.rewrite.SumParts;
import io.gpdb.planner.run.HeldSource;
import io.gpdb.planner.run.SideBySideSource;
import io.gpdb.planner.run.group.AggregatePlan.AggregateCallSpec;
import io.gpdb.planner.run.group.AggregatePlan.Function;
import io.gpdb.planner.run.group.GroupSource;
import io.gpdb.planner.run.group.ReduceSource;
import io.gpdb.planner.run.table.TableSource;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Maps an aggregation. Without groups, each DISTINCT argument has a scan of its own; with groups,
 * one DISTINCT argument becomes a further key of an inner grouping whose results the outer one
 * combines.
 */
final class AggregateMapping {
  /** Rows of tables for each part of sums from which on one more scan costs more than parts. */
  private static final int ROWS_PER_PART_MIN = 8;

  private final QueryMapper mapper;
  private final Aggregate aggregate;
  private final RexBuilder rexBuilder;

  AggregateMapping(QueryMapper mapper, Aggregate aggregate) {
    this.mapper = mapper;
    this.aggregate = aggregate;
    this.rexBuilder = mapper.rexBuilder();
  }

  Pipeline mapped() throws NotCovered {
    Pipeline input = mapper.input(aggregate);
    return GroupingSetsMapping.isNeeded(aggregate) ? ofSets(input) : of(input);
  }

  private Pipeline of(Pipeline input) throws NotCovered {
    try {
      return byKernel(input);
    } catch (NotCovered e) {
      SortedGroupMapping sorted = new SortedGroupMapping(rexBuilder, aggregate, input);
      Source below = mapper.dense(sorted.below());
      List<SourceColumn> columns = TreeMapper.columns(aggregate);
      return mapper.identity(sorted.above(mapper.device(), below, columns));
    }
  }

  /** Each set by itself, over groups by all keys where these can be put together, or all rows. */
  private Pipeline ofSets(Pipeline input) throws NotCovered {
    GroupingSetsMapping sets = new GroupingSetsMapping(aggregate);
    List<SourceColumn> columns = TreeMapper.columns(aggregate);
    if (sets.hasAll()) {
      AggregateMapping all = new AggregateMapping(mapper, sets.byAll());
      try {
        return mapper.identity(all.putTogether(input, sets, columns));
      } catch (NotCovered e) {
        // from all rows
      }
    }
    HeldSource rows = new HeldSource(mapper.dense(input));
    Pipeline held = mapper.identity(rows);
    List<Source> groups = new ArrayList<>();
    for (ImmutableBitSet set : sets.sets()) {
      Aggregate own = sets.by(set);
      Pipeline grouped = new AggregateMapping(mapper, own).of(held);
      groups.add(mapper.dense(mapper.model().expecting(own, grouped)));
    }
    return mapper.identity(sets.together(rows, sets.read(), groups, columns));
  }

  /** The sets from the groups of this aggregation, which is by all keys. */
  private Source putTogether(Pipeline input, GroupingSetsMapping sets, List<SourceColumn> columns)
      throws NotCovered {
    HeldSource rows =
        new HeldSource(mapper.dense(mapper.model().expecting(aggregate, byKernel(input))));
    Pipeline held = mapper.identity(rows);
    List<Integer> keys = aggregate.getGroupSet().asList();
    List<AggregateCallSpec> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      AggregateCallSpec spec = spec(call, input);
      if (spec.distinct()) {
        throw new NotCovered("distinct values of several groups");
      }
      Function function =
          spec.function() == Function.COUNT ? Function.SUM_OR_ZERO : spec.function();
      RexNode part = held.outputs().get(keys.size() + calls.size());
      calls.add(new AggregateCallSpec(function, part, false, null, spec.type(), spec.text()));
    }
    List<Source> groups = new ArrayList<>();
    for (ImmutableBitSet set : sets.sets()) {
      if (set.equals(aggregate.getGroupSet())) {
        groups.add(rows);
        continue;
      }
      Aggregate bySet = sets.by(set);
      List<SourceColumn> own = columns(bySet, calls);
      List<RexNode> nodes =
          set.asList().stream().map(key -> held.outputs().get(keys.indexOf(key))).toList();
      Source grouped = set.isEmpty() ? reduce(held, calls, own) : group(held, nodes, calls, own);
      groups.add(mapper.dense(mapper.model().expecting(bySet, mapper.identity(grouped))));
    }
    BitSet read = new BitSet();
    read.set(0, keys.size() + calls.size());
    return sets.together(rows, read, groups, columns);
  }

  private Pipeline byKernel(Pipeline input) throws NotCovered {
    List<AggregateCallSpec> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      calls.add(spec(call, input));
    }
    List<SourceColumn> columns = columns(aggregate, calls);
    boolean distinct = calls.stream().anyMatch(AggregateCallSpec::distinct);
    if (aggregate.getGroupSet().isEmpty()) {
      return mapper.identity(
          !distinct
              ? reduce(input, calls, columns)
              : readsOnce(input, calls)
                  ? twoLevels(input, List.of(), calls, columns)
                  : sideBySide(input, calls));
    }
    List<RexNode> keys = new ArrayList<>();
    for (int key : aggregate.getGroupSet()) {
      keys.add(input.outputs().get(key));
    }
    return mapper.identity(
        distinct ? twoLevels(input, keys, calls, columns) : group(input, keys, calls, columns));
  }

  /** The aggregate's columns, which are called by what they compute where they have no name. */
  private static List<SourceColumn> columns(Aggregate aggregate, List<AggregateCallSpec> calls)
      throws NotCovered {
    List<SourceColumn> columns = TreeMapper.columns(aggregate);
    int groups = columns.size() - calls.size();
    for (int i = 0; i < calls.size(); i++) {
      columns.set(groups + i, columns.get(groups + i).told(calls.get(i)::text));
    }
    return columns;
  }

  private AggregateCallSpec spec(AggregateCall call, Pipeline input) throws NotCovered {
    Function function = function(call);
    if (call.getArgList().size() > 1 || call.isApproximate() || !call.rexList.isEmpty()) {
      throw new NotCovered("aggregate " + call);
    }
    RexNode argument =
        call.getArgList().isEmpty() ? null : input.outputs().get(call.getArgList().getFirst());
    RexNode filter = call.filterArg < 0 ? null : input.outputs().get(call.filterArg);
    boolean distinct = call.isDistinct() && function != Function.MIN && function != Function.MAX;
    SqlTypeSpec type = RexValues.spec(call.getType());
    List<String> names = input.source().columns().stream().map(SourceColumn::name).toList();
    String text =
        call.getAggregation().getName()
            + (call.isDistinct() ? "(distinct " : "(")
            + (argument == null ? "*" : RexText.of(argument, names))
            + ")";
    return new AggregateCallSpec(function, argument, distinct, filter, type, text);
  }

  private static Function function(AggregateCall call) throws NotCovered {
    return switch (call.getAggregation().getKind()) {
      case COUNT -> Function.COUNT;
      case SUM -> Function.SUM;
      case SUM0 -> Function.SUM_OR_ZERO;
      case MIN -> Function.MIN;
      case MAX, ANY_VALUE -> Function.MAX;
      case SINGLE_VALUE -> Function.SINGLE;
      default -> throw new NotCovered("aggregate " + call.getAggregation().getName());
    };
  }

  private Source reduce(Pipeline input, List<AggregateCallSpec> calls, List<SourceColumn> columns)
      throws NotCovered {
    try {
      return new ReduceSource(
          mapper.device(),
          rexBuilder,
          input.source(),
          input.filter(),
          calls,
          columns,
          "reduce",
          mapper.hostRows(input.source()));
    } catch (NotCovered e) {
      Pipeline applied = mapper.identity(mapper.dense(input));
      return new ReduceSource(
          mapper.device(),
          rexBuilder,
          applied.source(),
          null,
          over(applied, input, calls),
          columns,
          "reduce",
          mapper.hostRows(input.source()));
    }
  }

  private Source group(
      Pipeline input, List<RexNode> keys, List<AggregateCallSpec> calls, List<SourceColumn> columns)
      throws NotCovered {
    try {
      return new GroupSource(
          mapper.device(),
          rexBuilder,
          input.source(),
          input.filter(),
          keys,
          calls,
          columns,
          "group",
          mapper.hostRows(input.source()));
    } catch (NotCovered e) {
      Pipeline applied = mapper.identity(mapper.dense(input));
      return new GroupSource(
          mapper.device(),
          rexBuilder,
          applied.source(),
          null,
          keys.stream().map(key -> output(applied, input, key)).toList(),
          over(applied, input, calls),
          columns,
          "group",
          mapper.hostRows(input.source()));
    }
  }

  /** Calls over the outputs of a pipeline that has been applied. */
  private static List<AggregateCallSpec> over(
      Pipeline applied, Pipeline input, List<AggregateCallSpec> calls) {
    List<AggregateCallSpec> moved = new ArrayList<>();
    for (AggregateCallSpec call : calls) {
      RexNode argument = call.argument();
      RexNode filter = call.filter();
      moved.add(
          new AggregateCallSpec(
              call.function(),
              argument == null ? null : output(applied, input, argument),
              call.distinct(),
              filter == null ? null : output(applied, input, filter),
              call.type(),
              call.text()));
    }
    return moved;
  }

  private static RexNode output(Pipeline applied, Pipeline input, RexNode node) {
    return applied.outputs().get(input.outputs().indexOf(node));
  }

  /** Without groups: a reduction for all plain calls and one for each distinct argument. */
  private Source sideBySide(Pipeline input, List<AggregateCallSpec> calls) throws NotCovered {
    Map<List<Object>, List<Integer>> scans = new LinkedHashMap<>();
    for (int i = 0; i < calls.size(); i++) {
      AggregateCallSpec call = calls.get(i);
      RexNode argument = call.argument();
      List<Object> scan =
          call.distinct() && argument != null
              ? List.of(argument, java.util.Optional.ofNullable(call.filter()))
              : List.of();
      scans.computeIfAbsent(scan, s -> new ArrayList<>()).add(i);
    }
    List<SourceColumn> columns = columns(aggregate, calls);
    List<Source> sources = new ArrayList<>();
    int[] sourceOf = new int[calls.size()];
    int[] fieldOf = new int[calls.size()];
    for (Map.Entry<List<Object>, List<Integer>> scan : scans.entrySet()) {
      List<AggregateCallSpec> own = scan.getValue().stream().map(calls::get).toList();
      List<SourceColumn> ownColumns = scan.getValue().stream().map(columns::get).toList();
      for (int k = 0; k < own.size(); k++) {
        sourceOf[scan.getValue().get(k)] = sources.size();
        fieldOf[scan.getValue().get(k)] = k;
      }
      sources.add(
          scan.getKey().isEmpty()
              ? reduce(input, own, ownColumns)
              : reduceDistinct(input, own, ownColumns));
    }
    return new SideBySideSource(columns, sources, sourceOf, fieldOf);
  }

  /**
   * Whether a grouping by the only distinct argument, in one scan, replaces those of all calls:
   * where rows cost more than reading a table does, where what it adds up in parts is the same, and
   * where there are few parts.
   */
  private boolean readsOnce(Pipeline input, List<AggregateCallSpec> calls) throws NotCovered {
    if (input.source() instanceof TableSource) {
      return false;
    }
    Set<RexNode> distinct = new HashSet<>();
    int argument = -1;
    for (int i = 0; i < calls.size(); i++) {
      AggregateCallSpec call = calls.get(i);
      if (call.distinct() ? call.filter() != null : !addsUp(call)) {
        return false;
      }
      if (call.distinct()) {
        distinct.add(required(call.argument()));
        argument = aggregate.getAggCallList().get(i).getArgList().getFirst();
      }
    }
    boolean others = calls.stream().anyMatch(call -> !call.distinct());
    return others && distinct.size() == 1 && hasFewValues(argument);
  }

  /** Whether a field of the input has few values for the rows that its tables have. */
  private boolean hasFewValues(int field) {
    Estimates estimates = mapper.estimates();
    RelNode values =
        LogicalAggregate.create(
            aggregate.getInput(), List.of(), ImmutableBitSet.of(field), null, List.of());
    return estimates.rows(values) * ROWS_PER_PART_MIN <= leaves(estimates, aggregate.getInput());
  }

  private static double leaves(Estimates estimates, RelNode tree) {
    return tree.getInputs().isEmpty()
        ? estimates.rows(tree)
        : tree.getInputs().stream().mapToDouble(input -> leaves(estimates, input)).sum();
  }

  /** No part of a sum may leave its type where the sum does not; floats have their order. */
  private static boolean addsUp(AggregateCallSpec call) throws NotCovered {
    return switch (call.function()) {
      case COUNT, MIN, MAX -> true;
      case SUM, SUM_OR_ZERO -> SumParts.addUp(required(call.argument()).getType());
      case SINGLE -> false;
    };
  }

  private Source reduceDistinct(
      Pipeline input, List<AggregateCallSpec> calls, List<SourceColumn> columns) throws NotCovered {
    AggregateCallSpec first = calls.getFirst();
    RexNode argument = required(first.argument());
    RexNode filter = first.filter();
    Pipeline selected = filter == null ? input : also(input, filter);
    SqlTypeSpec type = RexValues.spec(argument.getType());
    SourceColumn column = new SourceColumn("distinct", type, argument.getType().isNullable());
    Source values = group(selected, List.of(argument), List.of(), List.of(column));
    List<AggregateCallSpec> over = new ArrayList<>();
    for (AggregateCallSpec call : calls) {
      over.add(
          new AggregateCallSpec(
              call.function(), mapper.ref(column, 0), false, null, call.type(), call.text()));
    }
    return reduce(mapper.identity(values), over, columns);
  }

  private Pipeline also(Pipeline input, RexNode condition) {
    RexNode filter = input.filter();
    RexNode all =
        filter == null
            ? condition
            : RexUtil.composeConjunction(rexBuilder, List.of(filter, condition));
    return new Pipeline(input.source(), all, input.outputs(), input.columns());
  }

  /** With groups: the distinct argument is a key below; above, partial results are combined. */
  private Source twoLevels(
      Pipeline input, List<RexNode> keys, List<AggregateCallSpec> calls, List<SourceColumn> columns)
      throws NotCovered {
    RexNode argument = null;
    for (AggregateCallSpec call : calls) {
      if (call.distinct()) {
        if (call.filter() != null || (argument != null && !argument.equals(call.argument()))) {
          throw new NotCovered("several distinct arguments by group");
        }
        argument = required(call.argument());
      }
    }
    RexNode distinct = required(argument);
    List<RexNode> innerKeys = new ArrayList<>(keys);
    innerKeys.add(distinct);
    List<SourceColumn> innerColumns = new ArrayList<>(columns.subList(0, keys.size()));
    SqlTypeSpec type = RexValues.spec(distinct.getType());
    innerColumns.add(new SourceColumn("distinct", type, distinct.getType().isNullable()));
    List<AggregateCallSpec> partial = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      if (!calls.get(i).distinct()) {
        partial.add(calls.get(i));
        innerColumns.add(columns.get(keys.size() + i));
      }
    }
    Source inner = group(input, innerKeys, partial, innerColumns);
    List<RexNode> fields = mapper.fields(inner);
    List<AggregateCallSpec> outer = new ArrayList<>();
    int next = innerKeys.size();
    for (AggregateCallSpec call : calls) {
      RexNode over = call.distinct() ? fields.get(keys.size()) : fields.get(next++);
      Function function =
          call.distinct() || call.function() != Function.COUNT
              ? call.function()
              : Function.SUM_OR_ZERO;
      outer.add(new AggregateCallSpec(function, over, false, null, call.type(), call.text()));
    }
    Pipeline groups = mapper.identity(inner);
    return keys.isEmpty()
        ? reduce(groups, outer, columns)
        : group(groups, fields.subList(0, keys.size()), outer, columns);
  }

  private static RexNode required(@Nullable RexNode node) throws NotCovered {
    if (node == null) {
      throw new NotCovered("distinct without an argument");
    }
    return node;
  }
}
