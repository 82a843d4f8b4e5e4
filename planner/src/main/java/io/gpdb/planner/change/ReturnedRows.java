package io.gpdb.planner.change;

import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.ChangedRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.RowBatches;
import io.gpdb.planner.expression.HostCompiler;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.query.RowValues;
import io.gpdb.planner.query.ScanShape;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * What a change returns of its rows: expressions of RETURNING, or columns as generated keys. They
 * are computed on the host, of stored rows after the change and of deleted ones before.
 */
public final class ReturnedRows {
  private final TableDef table;
  private final List<OutputColumn> output;
  private final List<SqlTypeSpec> types;
  private final HostExpression[] expressions;
  private final int[] columnsRead;

  private ReturnedRows(
      TableDef table, List<OutputColumn> output, HostExpression[] expressions, int[] columnsRead) {
    this.table = table;
    this.output = List.copyOf(output);
    this.types = output.stream().map(OutputColumn::type).toList();
    this.expressions = expressions;
    this.columnsRead = columnsRead;
  }

  /** The list of a RETURNING clause, whose shape is null where it is no list of expressions. */
  public static ReturnedRows of(@Nullable ScanShape shape, List<OutputColumn> output) {
    if (shape == null || shape.filter() != null) {
      throw refused("a query, an aggregate or a window", null);
    }
    try {
      HostCompiler compiler = new HostCompiler(shape.rexBuilder());
      HostExpression[] expressions = new HostExpression[output.size()];
      for (int i = 0; i < expressions.length; i++) {
        RexNode node = shape.outputs().get(i);
        var _ = RexValues.spec(node.getType());
        expressions[i] = compiler.compile(node);
      }
      TableDef table = shape.table();
      int[] read = PointQuery.columnsRead(shape.outputs(), table.columns().size());
      return new ReturnedRows(table, output, expressions, read);
    } catch (NotCovered e) {
      throw refused(String.valueOf(e.getMessage()), e);
    }
  }

  private static GpdbException refused(String what, @Nullable Throwable cause) {
    return new GpdbException(ErrorCode.NOT_SUPPORTED, "RETURNING of " + what, cause);
  }

  /** Columns of the table, ascending or not. */
  public static ReturnedRows ofColumns(TableDef table, int[] columns) {
    List<OutputColumn> output = new ArrayList<>();
    HostExpression[] expressions = new HostExpression[columns.length];
    for (int i = 0; i < columns.length; i++) {
      int column = columns[i];
      output.add(
          new OutputColumn(
              table.column(column).name(),
              table.column(column).type(),
              table.column(column).nullable(),
              table.schema(),
              table.name(),
              table.column(column).name(),
              true,
              table.column(column).identity() != null));
      expressions[i] = row -> row.column(column);
    }
    int[] read = Arrays.stream(columns).sorted().distinct().toArray();
    return new ReturnedRows(table, output, expressions, read);
  }

  public List<OutputColumn> output() {
    return output;
  }

  /** Begins to take the rows of one execution. */
  public Taken take(Execution x) {
    return new Taken(x);
  }

  /** The rows of one execution, in the order of its changes. */
  public final class Taken implements ChangedRows {
    private final Execution x;
    private final List<@Nullable Object @Nullable []> values = new ArrayList<>();

    /** By place in {@code values}: the row to be looked at, where there are no values yet. */
    private long[] stored = new long[1];

    private @Nullable Map<Long, Integer> places;

    private Taken(Execution x) {
      this.x = x;
    }

    @Override
    public void stored(long first, int n) {
      int count = values.size();
      if (count + n > stored.length) {
        stored = Arrays.copyOf(stored, Math.max(count + n, 2 * count));
      }
      for (int i = 0; i < n; i++) {
        stored[count + i] = first + i;
        values.add(null);
        if (places != null) {
          places.put(first + i, count + i);
        }
      }
    }

    @Override
    public void replacing(long row) {
      if (places == null) {
        places = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
          places.put(stored[i], i);
        }
      }
      Integer place = places.remove(row);
      if (place != null) {
        values.set(place, now(row));
      }
    }

    @Override
    public void deleting(long row) {
      @Nullable Object[] old = now(row);
      stored(row, 1);
      values.set(values.size() - 1, old);
    }

    private RowValues rowValues(TableReader reader) {
      return new RowValues(table, reader, columnsRead, x.parameters());
    }

    private @Nullable Object[] now(long number) {
      TableReader reader = x.transaction().reader(table.tableId());
      RowValues row = rowValues(reader);
      if (!row.moveTo(reader, number)) {
        throw new GpdbException(ErrorCode.INTERNAL, "a changed row cannot be seen: row=" + number);
      }
      return computed(row);
    }

    private @Nullable Object[] computed(RowValues row) {
      @Nullable Object[] computed = new @Nullable Object[expressions.length];
      for (int i = 0; i < computed.length; i++) {
        computed[i] = expressions[i].evaluate(row);
      }
      return computed;
    }

    /** The rows, after the change; not those that a foreign key's action has deleted since. */
    public Batches batches() {
      TableReader reader = x.transaction().reader(table.tableId());
      RowValues row = rowValues(reader);
      List<@Nullable Object[]> all = new ArrayList<>(values.size());
      for (int i = 0; i < values.size(); i++) {
        StopSignal.poll(i);
        @Nullable Object[] known = values.get(i);
        if (known != null) {
          all.add(known);
        } else if (row.moveTo(reader, stored[i])) {
          all.add(computed(row));
        }
      }
      return new RowBatches(types, all.iterator());
    }
  }
}
