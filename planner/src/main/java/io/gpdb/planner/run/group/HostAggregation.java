package io.gpdb.planner.run.group;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Bytes;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.FailingRow;
import io.gpdb.planner.batch.RowsBuilder;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.run.FewRows;
import io.gpdb.planner.run.group.AggregatePlan.AggregateCallSpec;
import io.gpdb.planner.run.group.AggregatePlan.Function;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * Filter, groups and aggregates of few rows, row by row on the host: what {@link ReduceSource} and
 * {@link GroupSource} do by kernels for many. Sums, extremes and keys of floats are left to these,
 * which say in which order floats are added and which of equal ones is kept. Immutable.
 */
final class HostAggregation {
  private final List<SqlTypeSpec> inputTypes;
  private final FailingRow failingRow;
  private final @Nullable HostExpression condition;
  private final List<Value> keys = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private final BitSet read = new BitSet();

  /** An expression; {@code column} is the field that it is, or -1. */
  private record Value(int column, HostExpression expression, SqlTypeSpec type) {}

  /** A call; without an argument it counts rows. */
  private record Call(
      AggregateCallSpec spec, @Nullable Value argument, @Nullable HostExpression filter) {}

  private HostAggregation(
      RexBuilder rexBuilder,
      List<SqlTypeSpec> inputTypes,
      FailingRow failingRow,
      @Nullable RexNode filter,
      List<RexNode> keyNodes,
      List<AggregateCallSpec> specs)
      throws NotCovered {
    this.inputTypes = inputTypes;
    this.failingRow = failingRow;
    HostCompiler compiler = new HostCompiler(rexBuilder);
    condition = filter == null ? null : condition(compiler, rexBuilder, filter);
    for (RexNode key : keyNodes) {
      Value value = value(compiler, key);
      requireNoFloat(value.type);
      keys.add(value);
    }
    for (AggregateCallSpec spec : specs) {
      RexNode argument = spec.argument();
      Value value = argument == null ? null : value(compiler, argument);
      if (value != null && spec.function() != Function.COUNT) {
        requireNoFloat(value.type);
        requireSummable(spec, value.type);
      }
      RexNode only = spec.filter();
      calls.add(new Call(spec, value, only == null ? null : condition(compiler, rexBuilder, only)));
    }
  }

  /** For these operators, or null where the host does not do the same as kernels. */
  static @Nullable HostAggregation of(
      RexBuilder rexBuilder,
      List<SqlTypeSpec> inputTypes,
      FailingRow failingRow,
      @Nullable RexNode filter,
      List<RexNode> keys,
      List<AggregateCallSpec> calls) {
    try {
      return new HostAggregation(rexBuilder, inputTypes, failingRow, filter, keys, calls);
    } catch (NotCovered e) {
      return null;
    }
  }

  /** All expressions that such operators compute. */
  static List<RexNode> nodes(
      @Nullable RexNode filter, List<RexNode> keys, List<AggregateCallSpec> calls) {
    List<RexNode> nodes = new ArrayList<>(keys);
    for (AggregateCallSpec call : calls) {
      Stream.of(call.argument(), call.filter()).filter(Objects::nonNull).forEach(nodes::add);
    }
    if (filter != null) {
      nodes.add(filter);
    }
    return nodes;
  }

  private HostExpression condition(HostCompiler compiler, RexBuilder rexBuilder, RexNode node)
      throws NotCovered {
    read.or(RelOptUtil.InputFinder.bits(node).toBitSet());
    RexNode plain = RexUtil.expandSearch(rexBuilder, null, node);
    HostExpression all = PointQuery.conjunction(compiler, RelOptUtil.conjunctions(plain));
    return all == null ? row -> true : all;
  }

  private Value value(HostCompiler compiler, RexNode node) throws NotCovered {
    read.or(RelOptUtil.InputFinder.bits(node).toBitSet());
    int column = node instanceof RexInputRef input ? input.getIndex() : -1;
    SqlTypeSpec type = column < 0 ? RexValues.spec(node.getType()) : inputTypes.get(column);
    return new Value(column, compiler.compile(node), type);
  }

  private static void requireNoFloat(SqlTypeSpec type) throws NotCovered {
    if (type.kind() == SqlTypeSpec.Kind.REAL || type.kind() == SqlTypeSpec.Kind.DOUBLE) {
      throw new NotCovered("floats on the host");
    }
  }

  private static void requireSummable(AggregateCallSpec spec, SqlTypeSpec type) throws NotCovered {
    if (spec.function() == Function.SUM || spec.function() == Function.SUM_OR_ZERO) {
      switch (type.kind()) {
        case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> {}
        default -> throw new NotCovered("sum of " + type);
      }
    }
  }

  /** The input's fields that are read. */
  BitSet read() {
    return read;
  }

  /** The groups' rows; one row where there are no keys. */
  Batches run(FewRows rows, Execution x, List<SqlTypeSpec> types) {
    Map<List<@Nullable Object>, HostAccumulator[]> groups = new LinkedHashMap<>();
    if (keys.isEmpty()) {
      groups.put(List.of(), accumulators());
    }
    FewRows.Row row = new FewRows.Row(inputTypes, x.parameters());
    for (Batch batch : rows.all()) {
      for (int r = 0; r < batch.rows(); r++) {
        if (row.moveTo(batch, r)) {
          try {
            add(row, groups);
          } catch (GpdbException e) {
            throw failingRow.explained(e, x, batch, r);
          }
        }
      }
    }
    return Batches.of(groups.isEmpty() ? null : result(groups, types));
  }

  private HostAccumulator[] accumulators() {
    return calls.stream()
        .map(call -> new HostAccumulator(call.spec.function()))
        .toArray(HostAccumulator[]::new);
  }

  private void add(FewRows.Row row, Map<List<@Nullable Object>, HostAccumulator[]> groups) {
    if (condition != null && !Boolean.TRUE.equals(condition.evaluate(row))) {
      return;
    }
    @Nullable Object[] key = new @Nullable Object[keys.size()];
    for (int i = 0; i < key.length; i++) {
      Value value = keys.get(i);
      key[i] = row.encoded(value.column, value.expression, value.type);
    }
    HostAccumulator[] group = groups.computeIfAbsent(Arrays.asList(key), _ -> accumulators());
    for (int i = 0; i < group.length; i++) {
      Call call = calls.get(i);
      group[i].addRow();
      if (call.filter == null || Boolean.TRUE.equals(call.filter.evaluate(row))) {
        Value value = call.argument;
        group[i].add(value == null ? 0L : row.encoded(value.column, value.expression, value.type));
      }
    }
  }

  private Batch result(
      Map<List<@Nullable Object>, HostAccumulator[]> groups, List<SqlTypeSpec> types) {
    RowsBuilder builder = new RowsBuilder(types, groups.size());
    groups.forEach(
        (key, group) -> {
          for (int i = 0; i < key.size(); i++) {
            set(builder, i, key.get(i));
          }
          for (int i = 0; i < group.length; i++) {
            Object value = group[i].result();
            if (value instanceof Long raw) {
              ReduceSource.fitting(raw, calls.get(i).spec);
            }
            set(builder, key.size() + i, value);
          }
          builder.endRow();
        });
    return builder.batch();
  }

  private static void set(RowsBuilder builder, int field, @Nullable Object encoded) {
    switch (encoded) {
      case null -> builder.set(field, null);
      case Bytes text -> builder.setRaw(field, builder.intern(field, text.bytes()));
      default -> builder.setRaw(field, (Long) encoded);
    }
  }
}
