package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.run.RepeatedRowsSource;
import io.gpdb.planner.run.UnionSource;
import io.gpdb.planner.run.group.AggregatePlan.AggregateCallSpec;
import io.gpdb.planner.run.group.AggregatePlan.Function;
import io.gpdb.planner.run.group.GroupSource;
import io.gpdb.sql.type.SqlTypeSpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Maps set operations, for which NULLs are equal. UNION groups the rows of all inputs. INTERSECT
 * and EXCEPT do too, and count how often each row is in each input: that decides whether it comes
 * out, and with ALL how often.
 *
 * <pre>
 *   before   a EXCEPT ALL b
 *   after    repeat ← (row, n0 - n1) where n0 > n1 ← row, count where input = 0 as n0,
 *            count where input = 1 as n1 ← (a, 0) union all (b, 1)
 * </pre>
 */
final class SetMapping {
  private final TreeMapper mapper;
  private final SetOp set;
  private final RexBuilder rexBuilder;

  SetMapping(TreeMapper mapper, SetOp set) {
    this.mapper = mapper;
    this.set = set;
    this.rexBuilder = mapper.rexBuilder();
  }

  Pipeline mapped() throws NotCovered {
    if (set instanceof Union) {
      Source all = inputs(false);
      return mapper.identity(
          set.all ? all : group(all, mapper.fields(all), List.of(), all.columns(), "union"));
    }
    Pipeline counted = mapper.identity(counted());
    int width = set.getRowType().getFieldCount();
    List<RexNode> counts = mapper.fields(counted.source()).subList(width, counted.columns().size());
    List<RexNode> fields = new ArrayList<>(mapper.fields(counted.source()).subList(0, width));
    List<SourceColumn> columns = new ArrayList<>(counted.columns().subList(0, width));
    Pipeline chosen = counted.filtered(chosen(counts), rexBuilder);
    if (!set.all) {
      return chosen.projected(fields, columns);
    }
    fields.add(copies(counts));
    columns.add(new SourceColumn("copies", SqlTypeSpec.BIGINT, false));
    Source rows = mapper.dense(chosen.projected(fields, columns));
    return mapper.identity(new RepeatedRowsSource(mapper.device(), rows));
  }

  /** The distinct rows of all inputs, each with the number of times that each input has it. */
  private Source counted() throws NotCovered {
    Source all = inputs(true);
    int width = set.getRowType().getFieldCount();
    RexNode input = mapper.ref(all.columns().get(width), width);
    List<SourceColumn> columns = new ArrayList<>(all.columns().subList(0, width));
    List<AggregateCallSpec> counts = new ArrayList<>();
    for (int i = 0; i < set.getInputs().size(); i++) {
      RexNode own = call(SqlStdOperatorTable.EQUALS, input, number(i));
      String text = "rows of input " + i;
      counts.add(new AggregateCallSpec(Function.COUNT, null, false, own, SqlTypeSpec.BIGINT, text));
      columns.add(new SourceColumn(text, SqlTypeSpec.BIGINT, false));
    }
    String name = set instanceof Intersect ? "intersect" : "except";
    return group(all, mapper.fields(all).subList(0, width), counts, columns, name);
  }

  private Source group(
      Source rows,
      List<RexNode> keys,
      List<AggregateCallSpec> calls,
      List<SourceColumn> columns,
      String name)
      throws NotCovered {
    return new GroupSource(
        mapper.device(), rexBuilder, rows, null, keys, calls, columns, name, mapper.hostRows(rows));
  }

  /** Whether a row comes out at all. */
  private RexNode chosen(List<RexNode> counts) {
    if (set.all && !(set instanceof Intersect)) {
      return call(SqlStdOperatorTable.GREATER_THAN, counts.getFirst(), ofOthers(counts));
    }
    SqlOperator inOthers =
        set instanceof Intersect ? SqlStdOperatorTable.GREATER_THAN : SqlStdOperatorTable.EQUALS;
    List<RexNode> conditions = new ArrayList<>();
    for (RexNode count : counts) {
      boolean first = conditions.isEmpty();
      SqlOperator comparison = first ? SqlStdOperatorTable.GREATER_THAN : inOthers;
      conditions.add(call(comparison, count, number(0)));
    }
    return RexUtil.composeConjunction(rexBuilder, conditions);
  }

  /** How often a row comes out that does. */
  private RexNode copies(List<RexNode> counts) {
    if (!(set instanceof Intersect)) {
      return call(SqlStdOperatorTable.MINUS, counts.getFirst(), ofOthers(counts));
    }
    RexNode least = counts.getFirst();
    for (RexNode count : counts.subList(1, counts.size())) {
      RexNode less = call(SqlStdOperatorTable.LESS_THAN, count, least);
      least = call(SqlStdOperatorTable.CASE, less, count, least);
    }
    return least;
  }

  private RexNode ofOthers(List<RexNode> counts) {
    return counts.subList(1, counts.size()).stream()
        .reduce((a, b) -> call(SqlStdOperatorTable.PLUS, a, b))
        .orElseThrow();
  }

  private RexNode call(SqlOperator operator, RexNode... operands) {
    return rexBuilder.makeCall(operator, operands);
  }

  private RexNode number(int value) {
    return rexBuilder.makeExactLiteral(BigDecimal.valueOf(value));
  }

  /**
   * The rows of all inputs with the types of the result.
   *
   * @param numbered whether the number of the row's input is a field more
   */
  private Source inputs(boolean numbered) throws NotCovered {
    List<SourceColumn> columns = TreeMapper.columns(set);
    if (numbered) {
      columns.add(new SourceColumn("input", SqlTypeSpec.INTEGER, false));
    }
    List<Source> inputs = new ArrayList<>();
    for (RelNode input : set.getInputs()) {
      Pipeline rows = cast(mapper, mapper.pipeline(input), set.getRowType());
      if (numbered) {
        List<RexNode> fields = new ArrayList<>();
        for (int i = 0; i < rows.columns().size(); i++) {
          fields.add(mapper.ref(rows.columns().get(i), i));
        }
        fields.add(number(inputs.size()));
        rows = rows.projected(fields, columns);
      }
      inputs.add(mapper.dense(rows));
    }
    return new UnionSource(columns, inputs);
  }

  /** The pipeline with fields of the given types. */
  static Pipeline cast(TreeMapper mapper, Pipeline pipeline, RelDataType rowType)
      throws NotCovered {
    List<RexNode> fields = new ArrayList<>();
    List<SourceColumn> names = TreeMapper.columns(rowType);
    for (int i = 0; i < names.size(); i++) {
      SourceColumn column = pipeline.columns().get(i);
      RexNode field = mapper.ref(column, i);
      SqlTypeSpec from = column.type();
      SqlTypeSpec to = names.get(i).type();
      boolean same =
          from.kind() == to.kind()
              && (!from.kind().isDecimal() || from.scale() == to.scale())
              && (from.kind() != SqlTypeSpec.Kind.CHAR || from.precision() == to.precision());
      boolean text = from.kind().isCharacter() && to.kind() == SqlTypeSpec.Kind.VARCHAR;
      fields.add(
          same || text
              ? field
              : mapper
                  .rexBuilder()
                  .makeAbstractCast(rowType.getFieldList().get(i).getType(), field, false));
    }
    return pipeline.projected(fields, names);
  }
}
