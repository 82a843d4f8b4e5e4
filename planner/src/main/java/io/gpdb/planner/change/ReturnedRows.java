package io.gpdb.planner.change;

import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.ChangedRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.query.RowValues;
import io.gpdb.planner.query.ScanShape;
import io.gpdb.planner.run.GatheredValues;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  /**
   * The rows of one execution, in the order of its changes. Of each row its number is in memory,
   * and of one that was stored again, what it was before; the values of others may be in a file.
   */
  public final class Taken implements ChangedRows, AutoCloseable {
    /** In place of a row's number: the next of {@code deleted}. */
    private static final long DELETED = -1;

    /** In place of a row's number: what {@code replaced} has for the place. */
    private static final long REPLACED = -2;

    private static final int CHUNK = 1 << 12;

    /** Of a place by its row, and of values, in the heap. */
    private static final int PLACE_BYTES = 72;

    private static final int VALUE_BYTES = 24;

    private final Execution x;
    private final List<long[]> numbers = new ArrayList<>();
    private long[] last = new long[1];
    private int count;
    private final GatheredValues deleted = new GatheredValues(types);
    private final Map<Integer, @Nullable Object[]> replaced = new HashMap<>();
    private @Nullable Map<Long, Integer> places;

    private Taken(Execution x) {
      this.x = x;
    }

    @Override
    public void stored(long first, int n) {
      for (int i = 0; i < n; i++) {
        if (places != null) {
          note(places, first + i, count);
        }
        add(first + i);
      }
    }

    private void add(long number) {
      int at = count & (CHUNK - 1);
      if (at == 0 && count > 0) {
        MemoryAccount.current().charge((long) CHUNK * Long.BYTES);
        numbers.add(last);
        last = new long[CHUNK];
      } else if (at == last.length) {
        last = Arrays.copyOf(last, Math.min(CHUNK, 2 * at));
      }
      last[at] = number;
      count = Math.incrementExact(count);
    }

    private long number(int place) {
      int chunk = place / CHUNK;
      return (chunk < numbers.size() ? numbers.get(chunk) : last)[place & (CHUNK - 1)];
    }

    private void setNumber(int place, long number) {
      int chunk = place / CHUNK;
      (chunk < numbers.size() ? numbers.get(chunk) : last)[place & (CHUNK - 1)] = number;
    }

    private static void note(Map<Long, Integer> places, long row, int place) {
      MemoryAccount.current().charge(PLACE_BYTES);
      places.put(row, place);
    }

    @Override
    public void replacing(long row) {
      if (places == null) {
        places = new HashMap<>();
        for (int i = 0; i < count; i++) {
          if (number(i) >= 0) {
            note(places, number(i), i);
          }
        }
      }
      Integer place = places.remove(row);
      if (place != null) {
        @Nullable Object[] before = now(row);
        MemoryAccount.current().charge(PLACE_BYTES + (long) before.length * VALUE_BYTES);
        replaced.put(place, before);
        setNumber(place, REPLACED);
      }
    }

    @Override
    public void deleting(long row) {
      deleted.add(now(row));
      add(DELETED);
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
      Iterator<@Nullable Object[]> before = deleted.rows();
      GatheredValues all = new GatheredValues(types);
      try {
        for (int i = 0; i < count; i++) {
          StopSignal.poll(i);
          long number = number(i);
          if (number == DELETED) {
            all.add(before.next());
          } else if (number == REPLACED) {
            all.add(Objects.requireNonNull(replaced.get(i)));
          } else if (row.moveTo(reader, number)) {
            all.add(computed(row));
          }
        }
        return all.batches();
      } catch (RuntimeException | Error e) {
        all.close();
        throw e;
      }
    }

    @Override
    public void close() {
      deleted.close();
    }
  }
}
