package io.gpdb.planner.change;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.change.GridInsert;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.NoRow;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.planner.statement.ParameterColumn;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.dialect.SequenceFunction;
import io.gpdb.sql.direct.DirectStatement;
import io.gpdb.sql.statement.ConflictAction;
import io.gpdb.sql.statement.GeneratedColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * INSERT … VALUES: values evaluated on the host into columns, appended by one call. Parameters of a
 * batch that are stored as they come are taken from where they were bound.
 */
public final class InsertValues implements Change {
  private static final int BATCH_ROWS_MAX = 1 << 20;

  private final TableDef table;
  private final ElementType[] elements;
  private final ColumnTarget[] targets;
  private final Value[][] rows;
  private final NewRows sink;
  private final GeneratedColumns generated;

  /**
   * One value: a parameter as it is bound, an expression, or a number of a sequence; none of them
   * for a missing column.
   */
  private record Value(
      int parameter,
      @Nullable HostExpression expression,
      @Nullable SequenceDef sequence,
      SqlTypeSpec type) {
    static final Value MISSING = new Value(-1, null, null, SqlTypeSpec.VARCHAR);
  }

  /**
   * @param oneRow plans the query of one row whose field is the value: for what the host lacks
   * @param action what becomes of a row whose key exists; null for an error
   */
  public InsertValues(
      TableDef table,
      int[] columns,
      List<List<RexNode>> source,
      List<GeneratedColumn> generated,
      RexBuilder rexBuilder,
      Function<RexNode, Source> oneRow,
      @Nullable ConflictAction action) {
    this.table = table;
    sink = UpsertedRows.sink(table, action, rexBuilder);
    this.generated = new GeneratedColumns(table, generated, rexBuilder);
    elements = StoredColumns.elements(table);
    targets = targets(table);
    HostCompiler compiler = new HostCompiler(rexBuilder);
    rows = new Value[source.size()][targets.length];
    for (int row = 0; row < rows.length; row++) {
      StopSignal.poll(row);
      Arrays.fill(rows[row], Value.MISSING);
      for (int i = 0; i < columns.length; i++) {
        rows[row][columns[i]] = value(source.get(row).get(i), compiler, oneRow);
      }
    }
  }

  /** Rows of parameters and NULLs. */
  public InsertValues(DirectStatement.Insert insert) {
    table = insert.table();
    sink = new AppendedRows(table);
    generated = GeneratedColumns.none(table);
    elements = StoredColumns.elements(table);
    targets = targets(table);
    rows = new Value[insert.rows().size()][targets.length];
    for (int row = 0; row < rows.length; row++) {
      Arrays.fill(rows[row], Value.MISSING);
      for (int i = 0; i < insert.columns().size(); i++) {
        int parameter = insert.rows().get(row).get(i);
        if (parameter >= 0) {
          SqlTypeSpec type = insert.params().get(parameter).type();
          rows[row][insert.columns().get(i)] = new Value(parameter, null, null, type);
        }
      }
    }
  }

  private static ColumnTarget[] targets(TableDef table) {
    ColumnTarget[] targets = new ColumnTarget[table.columns().size()];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = new ColumnTarget(table, i);
    }
    return targets;
  }

  private static Value value(
      RexNode node, HostCompiler compiler, Function<RexNode, Source> oneRow) {
    SqlTypeSpec type = type(node);
    if (node instanceof RexDynamicParam parameter) {
      return new Value(parameter.getIndex(), null, null, type);
    }
    SequenceDef sequence =
        SequenceFunction.isNext(node) ? SequenceFunction.of(node).sequence() : null;
    try {
      return new Value(-1, compiler.compile(node), sequence, type);
    } catch (NotCovered e) {
      Source query = oneRow.apply(node);
      HostExpression expression = row -> onlyValue(query, type, ((NoRow) row).execution());
      return new Value(-1, expression, null, type);
    }
  }

  private static SqlTypeSpec type(RexNode node) {
    try {
      return RexValues.spec(node.getType());
    } catch (NotCovered e) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, "not supported in VALUES: " + e.getMessage(), e);
    }
  }

  private static @Nullable Object onlyValue(Source query, SqlTypeSpec type, Execution x) {
    try (Batches batches = query.open(x);
        Batch batch = batches.next()) {
      if (batch == null) {
        throw new IllegalStateException("a value without a row");
      }
      return batch.value(0, type, 0);
    }
  }

  @Override
  public long apply(Execution x) {
    Transaction tx = x.transaction();
    TableReader reader = tx.reader(table.tableId());
    HostRow input = new NoRow(x);
    try (RowBuffer buffer = new RowBuffer(elements, rows.length)) {
      for (int row = 0; row < rows.length; row++) {
        StopSignal.poll(row);
        for (int column = 0; column < targets.length; column++) {
          if (generated.computes(column)) {
            continue;
          }
          assign(buffer, column, reader, column, row, rows[row][column], input);
        }
      }
      if (!generated.isEmpty()) {
        generated.fill(
            x.parameters(), reader, buffer.columns(), buffer, rows.length, row -> row + 1L);
      }
      return sink.add(x, buffer.columns(), rows.length, 0, null);
    }
  }

  /**
   * Computes the columns' defaults and fits them to their columns, in which NULL is always allowed.
   */
  public void tryDefaults(Execution x) {
    HostRow input = new NoRow(x);
    for (int column = 0; column < targets.length; column++) {
      HostExpression expression = rows[0][column].expression;
      if (expression != null && rows[0][column].sequence == null) {
        try {
          tryDefault(targets[column], expression, rows[0][column].type, input);
        } catch (GpdbException e) {
          throw new GpdbException(
              e.code(),
              "DEFAULT of column " + table.column(column).name() + ": " + e.getMessage(),
              e);
        }
      }
    }
  }

  /** The value that the row has in a column, as it is stored. */
  public StoredValue storedValue(Execution x, int column) {
    Value value = rows[0][column];
    ColumnTarget target = targets[column];
    HostExpression expression = value.expression;
    Object object =
        expression == null ? null : target.computed(expression, new NoRow(x), ColumnTarget.NO_ROW);
    if (object == null) {
      return StoredValue.NULL;
    }
    return target.type().kind().isString()
        ? new StoredValue(
            false, 0, target.assigned(HostValue.bytes(target.type(), object), ColumnTarget.NO_ROW))
        : new StoredValue(
            false, target.assignedObject(value.type, object, ColumnTarget.NO_ROW), null);
  }

  private static void tryDefault(
      ColumnTarget target, HostExpression expression, SqlTypeSpec type, HostRow input) {
    Object value = target.computed(expression, input, ColumnTarget.NO_ROW);
    if (value != null && target.type().kind().isString()) {
      var _ = target.assigned(HostValue.bytes(target.type(), value), ColumnTarget.NO_ROW);
    } else if (value != null) {
      var _ = target.assignedObject(type, value, ColumnTarget.NO_ROW);
    }
  }

  private void assign(
      RowBuffer buffer,
      int place,
      TableReader reader,
      int column,
      int row,
      Value value,
      HostRow input) {
    ParameterValues parameters = input.parameters();
    ColumnTarget target = targets[column];
    int parameter = value.parameter;
    if (parameter >= 0 && !parameters.isNull(parameter)) {
      buffer.set(
          place,
          row,
          value.type.kind().isString()
              ? code(reader, column, row, parameters.bytes(parameter))
              : target.assigned(value.type, parameters.raw(parameter), row + 1L));
      return;
    }
    HostExpression expression = value.expression;
    Object object = expression == null ? null : target.computed(expression, input, row + 1L);
    if (object == null) {
      target.requireNullable(row + 1L);
      buffer.setNull(place, row);
    } else if (target.type().kind().isString()) {
      buffer.set(place, row, code(reader, column, row, HostValue.bytes(target.type(), object)));
    } else {
      buffer.set(place, row, target.assignedObject(value.type, object, row + 1L));
    }
  }

  private int code(TableReader reader, int column, int row, byte[] bytes) {
    byte[] stored = targets[column].assigned(bytes, row + 1L);
    return StoredColumns.dictionary(reader, column).intern(stored, 0, stored.length);
  }

  @Override
  public long[] applyBatch(Execution x, ParameterColumns batch) {
    if (rows.length != 1) {
      return Change.super.applyBatch(x, batch);
    }
    TableReader reader = x.transaction().reader(table.tableId());
    int count = batch.rows();
    long[] counts = new long[count];
    int[] places = places(batch);
    int capacity = Math.min(count, BATCH_ROWS_MAX);
    try (RowBuffer buffer = new RowBuffer(bufferElements(places), capacity)) {
      ColumnView[] data = new ColumnView[targets.length];
      for (int first = 0; first < count; first += BATCH_ROWS_MAX) {
        int n = Math.min(BATCH_ROWS_MAX, count - first);
        buffer.clear();
        for (int column = 0; column < targets.length; column++) {
          int place = places[column];
          if (generated.computes(column)) {
            continue;
          }
          if (place < 0) {
            data[column] = batch.column(rows[0][column].parameter).data(first, n);
          } else {
            fill(buffer, place, reader, column, x, batch, first, n);
            data[column] = buffer.column(place);
          }
        }
        complete(batch, reader, data, buffer, places, n, first);
        sink.add(x, data, n, first, counts);
      }
    }
    return counts;
  }

  private void complete(
      ParameterColumns batch,
      TableReader reader,
      ColumnView[] data,
      RowBuffer buffer,
      int[] places,
      int n,
      int first) {
    if (!generated.isEmpty()) {
      GeneratedColumns.NewValues placed =
          new GeneratedColumns.NewValues() {
            @Override
            public void set(int column, int row, long raw) {
              buffer.set(places[column], row, raw);
            }

            @Override
            public void setNull(int column, int row) {
              buffer.setNull(places[column], row);
            }
          };
      generated.fill(batch.row(first), reader, data, placed, n, row -> first + row + 1L);
      for (int column = 0; column < data.length; column++) {
        if (generated.computes(column)) {
          data[column] = buffer.column(places[column]);
        }
      }
    }
  }

  /** By column, its place in the buffer; -1 where the parameter's values are stored as they are. */
  private int[] places(ParameterColumns batch) {
    int[] places = new int[targets.length];
    int next = 0;
    for (int column = 0; column < places.length; column++) {
      places[column] = isStoredAsBound(column, batch) ? -1 : next++;
    }
    return places;
  }

  private boolean isStoredAsBound(int column, ParameterColumns batch) {
    Value value = rows[0][column];
    ColumnTarget target = targets[column];
    return value.parameter >= 0
        && !value.type.kind().isString()
        && target.takesUnchanged(value.type)
        && (target.nullable() || !batch.column(value.parameter).hasNulls());
  }

  private ElementType[] bufferElements(int[] places) {
    List<ElementType> elements = new ArrayList<>();
    for (int column = 0; column < places.length; column++) {
      if (places[column] >= 0) {
        elements.add(targets[column].type().element());
      }
    }
    return elements.toArray(ElementType[]::new);
  }

  /** One column of a batch, at its place in the buffer. */
  private void fill(
      RowBuffer buffer,
      int place,
      TableReader reader,
      int column,
      Execution x,
      ParameterColumns batch,
      int first,
      int n) {
    Value value = rows[0][column];
    SequenceDef sequence = value.sequence;
    if (sequence != null) {
      NumberedColumns.fill(batch.numbers(), sequence, targets[column], buffer, place, n, first);
      return;
    }
    if (value.parameter < 0) {
      for (int row = 0; row < n; row++) {
        StopSignal.poll(row);
        HostRow input = new NoRow(x.with(batch.row(first + row)));
        assign(buffer, place, reader, column, row, value, input);
      }
      return;
    }
    ParameterColumn source = batch.column(value.parameter);
    ColumnTarget target = targets[column];
    if (value.type.kind().isString()) {
      fillText(buffer, place, reader, column, source, first, n);
    } else {
      for (int row = 0; row < n; row++) {
        StopSignal.poll(row);
        if (source.isNull(first + row)) {
          target.requireNullable(first + row + 1L);
          buffer.setNull(place, row);
        } else {
          buffer.set(
              place, row, target.assigned(value.type, source.raw(first + row), first + row + 1L));
        }
      }
    }
  }

  private void fillText(
      RowBuffer buffer,
      int place,
      TableReader reader,
      int column,
      ParameterColumn source,
      int first,
      int n) {
    CodedStrings dictionary = StoredColumns.dictionary(reader, column);
    ColumnTarget target = targets[column];
    boolean unchanged = target.takesUnchanged(source.type());
    int unchangedBytes = target.unchangedBytes();
    byte[] arena = source.arena();
    for (int row = 0; row < n; row++) {
      StopSignal.poll(row);
      int at = first + row;
      if (source.isNull(at)) {
        target.requireNullable(at + 1L);
        buffer.setNull(place, row);
      } else if (unchanged || source.length(at) <= unchangedBytes) {
        buffer.set(place, row, dictionary.intern(arena, source.offset(at), source.length(at)));
      } else {
        byte[] stored = target.assigned(source.bytes(at), at + 1L);
        buffer.set(place, row, dictionary.intern(stored, 0, stored.length));
      }
    }
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of(
        sink.text()
            + ", "
            + rows.length
            + (rows.length == 1 ? " row" : " rows")
            + " of values [host], batches by columns, on a GPU by kernel "
            + GridInsert.kernel().name());
  }

  @Override
  public List<Kernel> kernels() {
    return List.of(GridInsert.kernel());
  }
}
