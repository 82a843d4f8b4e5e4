package io.gpdb.planner.mapping;

import io.gpdb.exec.library.join.GridHashJoin;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.planner.query.IndexLookup;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.run.table.IndexJoinSource;
import io.gpdb.planner.run.table.IndexSource;
import io.gpdb.planner.run.table.TableSource;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.tree.Raising;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.jspecify.annotations.Nullable;

/** Joins of few rows with the rows of a stored table that an index leads to. For one plan. */
final class IndexJoins {
  private final QueryMapper mapper;
  private final IndexMapping indexes;
  private final RexBuilder rexBuilder;

  IndexJoins(QueryMapper mapper, IndexMapping indexes) {
    this.mapper = mapper;
    this.indexes = indexes;
    this.rexBuilder = mapper.rexBuilder();
  }

  /** The equalities of a join: pairs of fields of two inputs. */
  record Keys(List<Integer> outer, List<Integer> inner) {
    Keys exchanged() {
      return new Keys(/* outer= */ inner, /* inner= */ outer);
    }
  }

  /** A table's rows, and what is asked of them. */
  private record Inner(
      Pipeline pipeline, TableDef table, boolean withRowId, List<RexNode> conditions) {}

  /** An inner join that looks up the rows of one side, or null where none has such an index. */
  @Nullable Pipeline inner(Pipeline left, Pipeline right, Keys keys) throws NotCovered {
    Pipeline joined = inner(left, right, keys, true);
    return joined != null ? joined : inner(right, left, keys.exchanged(), false);
  }

  private @Nullable Pipeline inner(
      Pipeline outer, Pipeline innerInput, Keys keys, boolean outerFirst) throws NotCovered {
    Inner inner = inner(innerInput);
    IndexLookup lookup = inner == null ? null : lookup(outer, inner, keys);
    if (inner == null || lookup == null) {
      return null;
    }
    Source held = mapper.dense(outer);
    IndexJoinSource source =
        new IndexJoinSource(
            GridHashJoin.Kind.INNER,
            held,
            inner.table,
            inner.withRowId,
            lookup,
            IndexJoinSource.Match.ALL);
    indexes.joins(source, innerInput.source());
    int outerFields = held.columns().size();
    List<RexNode> all = mapper.fields(source);
    List<RexNode> outputs = new ArrayList<>(all.subList(0, outerFields));
    List<RexNode> filters = pairConditions(all, outerFields, inner, keys, lookup);
    List<SourceColumn> columns = new ArrayList<>(source.columns().subList(0, outerFields));
    outputs.addAll(outerFirst ? outputs.size() : 0, shifted(innerInput.outputs(), outerFields));
    columns.addAll(outerFirst ? columns.size() : 0, innerInput.columns());
    RexNode filter = filters.isEmpty() ? null : RexUtil.composeConjunction(rexBuilder, filters);
    return new Pipeline(source, filter, outputs, columns);
  }

  /**
   * A left outer, semi- or antijoin, or null where no index leads from the first input to rows of
   * the second one.
   *
   * @param others further conditions, over the fields of both inputs
   */
  @Nullable Pipeline outer(
      GridHashJoin.Kind kind, Pipeline outer, Pipeline second, Keys keys, List<RexNode> others)
      throws NotCovered {
    Inner inner = inner(second);
    IndexLookup lookup = inner == null ? null : lookup(outer, inner, keys);
    if (inner == null || lookup == null || (kind == GridHashJoin.Kind.LEFT && !isPlain(inner))) {
      return null;
    }
    Source held = mapper.dense(outer);
    int outerFields = held.columns().size();
    List<RexNode> pair = new ArrayList<>(mapper.fields(held));
    List<SourceColumn> stored = TableSource.columns(inner.table, inner.withRowId);
    for (int i = 0; i < stored.size(); i++) {
      pair.add(mapper.ref(stored.get(i), outerFields + i));
    }
    List<RexNode> conditions = pairConditions(pair, outerFields, inner, keys, lookup);
    List<RexNode> outputs = new ArrayList<>(pair.subList(0, outerFields));
    outputs.addAll(shifted(second.outputs(), outerFields));
    others.forEach(other -> conditions.add(inlined(other, outputs)));
    IndexJoinSource.Match match = match(conditions);
    if (match == null) {
      return null;
    }
    IndexJoinSource source =
        new IndexJoinSource(kind, held, inner.table, inner.withRowId, lookup, match);
    indexes.joins(source, second.source());
    return kind == GridHashJoin.Kind.LEFT
        ? withNulls(source, outerFields, second)
        : mapper.identity(source);
  }

  /** The outputs of a left join; those of the table are its columns, or NULL. */
  private Pipeline withNulls(IndexJoinSource source, int outerFields, Pipeline inner) {
    List<RexNode> all = mapper.fields(source);
    List<RexNode> outputs = new ArrayList<>(all.subList(0, outerFields));
    List<SourceColumn> columns = new ArrayList<>(source.columns().subList(0, outerFields));
    for (int i = 0; i < inner.outputs().size(); i++) {
      int column = ((RexInputRef) inner.outputs().get(i)).getIndex();
      SourceColumn named = inner.columns().get(i);
      outputs.add(all.get(outerFields + column));
      columns.add(new SourceColumn(named.name(), named.type(), true));
    }
    return new Pipeline(source, null, outputs, columns);
  }

  private static boolean isPlain(Inner inner) {
    return !inner.withRowId
        && inner.pipeline.outputs().stream().allMatch(RexInputRef.class::isInstance);
  }

  /** The conditions on the host; null where they may raise an error or the host lacks one. */
  private IndexJoinSource.@Nullable Match match(List<RexNode> conditions) {
    BitSet read = new BitSet();
    for (RexNode condition : conditions) {
      if (Raising.mayRaise(condition)) {
        return null;
      }
      read.or(RelOptUtil.InputFinder.bits(condition).toBitSet());
    }
    try {
      HostExpression all = PointQuery.conjunction(new HostCompiler(rexBuilder), conditions);
      return new IndexJoinSource.Match(all, read);
    } catch (NotCovered e) {
      return null;
    }
  }

  /** What is asked of pairs and does not follow from the look-up. */
  private List<RexNode> pairConditions(
      List<RexNode> pair, int outerFields, Inner inner, Keys keys, IndexLookup lookup) {
    List<RexNode> conditions = new ArrayList<>();
    for (RexNode condition : inner.conditions) {
      if (!lookup.covers(condition)) {
        conditions.add(RexUtil.shift(condition, outerFields));
      }
    }
    List<RexNode> outputs = inner.pipeline.outputs();
    for (int i = 0; i < keys.outer.size(); i++) {
      RexNode other = outputs.get(keys.inner.get(i));
      int field = keys.outer.get(i);
      if (!(other instanceof RexInputRef column && lookup.covers(column.getIndex(), field))) {
        RexNode shifted = RexUtil.shift(other, outerFields);
        conditions.add(rexBuilder.makeCall(SqlStdOperatorTable.EQUALS, pair.get(field), shifted));
      }
    }
    return conditions;
  }

  private static List<RexNode> shifted(List<RexNode> nodes, int by) {
    return nodes.stream().map(node -> RexUtil.shift(node, by)).toList();
  }

  private static RexNode inlined(RexNode node, List<RexNode> outputs) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            return outputs.get(ref.getIndex());
          }
        });
  }

  private static @Nullable IndexLookup lookup(Pipeline outer, Inner inner, Keys keys) {
    if (!IndexMapping.isDriven(outer.source())) {
      return null;
    }
    TableDef table = inner.table;
    Map<Integer, Integer> fields = new HashMap<>();
    for (int i = 0; i < keys.outer.size(); i++) {
      SqlTypeSpec given = outer.columns().get(keys.outer.get(i)).type();
      if (inner.pipeline.outputs().get(keys.inner.get(i)) instanceof RexInputRef column
          && column.getIndex() < table.columns().size()
          && canLookUp(given, table.column(column.getIndex()).type())) {
        fields.putIfAbsent(column.getIndex(), keys.outer.get(i));
      }
    }
    return IndexLookup.of(table, inner.conditions, fields);
  }

  private @Nullable Inner inner(Pipeline pipeline) {
    RexNode filter = pipeline.filter();
    List<RexNode> own = filter == null ? List.of() : IndexMapping.conditions(filter, rexBuilder);
    return switch (pipeline.source()) {
      case TableSource stored -> new Inner(pipeline, stored.table(), stored.hasRowId(), own);
      case IndexSource index -> {
        List<RexNode> both = new ArrayList<>(index.conditions());
        own.stream().filter(c -> !both.contains(c)).forEach(both::add);
        yield new Inner(pipeline, index.table(), index.hasRowId(), both);
      }
      default -> null;
    };
  }

  /** Whether a value of one type is looked up as it is among those of the other. */
  private static boolean canLookUp(SqlTypeSpec given, SqlTypeSpec column) {
    return switch (column.kind()) {
      case REAL, DOUBLE, CHAR -> false;
      case VARCHAR -> given.kind() == SqlTypeSpec.Kind.VARCHAR;
      default -> given.kind() == column.kind() && given.scale() == column.scale();
    };
  }
}
