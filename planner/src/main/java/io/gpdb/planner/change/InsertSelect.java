package io.gpdb.planner.change;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.change.GridInsert;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowFault;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.run.GatheredRows;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.ConflictAction;
import io.gpdb.sql.statement.NumberedColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.jspecify.annotations.Nullable;

/**
 * INSERT … SELECT: each batch of the source is assigned to columns and appended. A column whose
 * values are stored as they are, none of them NULL, goes to the table as the query has left it, on
 * the device; others are assigned by the host. When the query reads the table itself, all rows are
 * gathered before the first is appended.
 */
public final class InsertSelect implements Change {
  private final TableDef table;
  private final int[] columns;
  private final List<NumberedColumn> numbered;
  private final GeneratedColumns generated;
  private final Source source;
  private final boolean readsTarget;
  private final ColumnTarget[] targets;
  private final NewRows sink;

  public InsertSelect(
      TableDef table,
      int[] columns,
      List<NumberedColumn> numbered,
      GeneratedColumns generated,
      Source source,
      boolean readsTarget,
      NewRows sink) {
    this.table = table;
    this.numbered = numbered;
    this.sink = sink;
    this.generated = generated;
    this.columns = columns;
    this.source = source;
    this.readsTarget = readsTarget;
    targets = new ColumnTarget[table.columns().size()];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = new ColumnTarget(table, i);
    }
  }

  /** The INSERT of a query; {@code action} is null where a key that exists is an error. */
  public static InsertSelect of(
      TableDef table,
      int[] columns,
      List<NumberedColumn> numbered,
      GeneratedColumns generated,
      Source source,
      boolean readsTarget,
      RexBuilder rexBuilder,
      @Nullable ConflictAction action) {
    NewRows sink = UpsertedRows.sink(table, action, rexBuilder);
    return new InsertSelect(table, columns, numbered, generated, source, readsTarget, sink);
  }

  /**
   * An assigned batch.
   *
   * @param buffer has the values that the host has assigned
   * @param columns all of the table's
   */
  private record Assigned(RowBuffer buffer, List<ColumnView> columns, int rows) {}

  @Override
  public long apply(Execution x) {
    try {
      return insert(x);
    } catch (GpdbException e) {
      throw RowFault.assigned(e, table, columns, 0);
    }
  }

  private long insert(Execution x) {
    TableReader reader = x.transaction().reader(table.tableId());
    SourceChange.Strings[] strings = new SourceChange.Strings[columns.length];
    for (int i = 0; i < strings.length; i++) {
      strings[i] = new SourceChange.Strings();
    }
    long count = 0;
    long touched = 0;
    try (Batches batches = opened(x)) {
      for (Batch batch = batches.next(); batch != null; batch = batches.next()) {
        Assigned rows;
        boolean kept = isKept(batch);
        try (Batch open = batch) {
          rows = assigned(x, open, kept, reader, strings, count);
          touched += kept ? add(x, rows, count) : 0;
        }
        if (!kept) {
          touched += add(x, rows, count);
        }
        count += rows.rows;
      }
    }
    return touched;
  }

  /** The rows of the source; where it reads the table, after all of them were read. */
  private Batches opened(Execution x) {
    return readsTarget ? GatheredRows.of(source, x).piecesAndEnd() : source.open(x);
  }

  /**
   * Whether the batch may be open while its rows are appended. One of a table's rows may not: of
   * two statements that copy tables to each other, each would wait for the other's latches.
   */
  private boolean isKept(Batch batch) {
    return !readsTarget
        && batch.ownsColumns()
        && batch.live() == null
        && generated.isEmpty()
        && !sink.readsValues();
  }

  /** Whether the i-th column of the batch is stored as it is. */
  private boolean isStored(Batch batch, int i) {
    SqlTypeSpec from = source.columns().get(i).type();
    return !from.kind().isString()
        && targets[columns[i]].takesUnchanged(from)
        && batch.validity(i) == null;
  }

  private Assigned assigned(
      Execution x,
      Batch batch,
      boolean kept,
      TableReader reader,
      SourceChange.Strings[] strings,
      long before) {
    int rows = SourceColumns.liveRows(batch);
    ElementType[] elements = StoredColumns.elements(table);
    ColumnView[] whole = new ColumnView[targets.length];
    BitSet elsewhere = new BitSet();
    for (int i = 0; kept && i < columns.length; i++) {
      if (isStored(batch, i)) {
        whole[columns[i]] = new ColumnView(elements[columns[i]], batch.values(i), null);
        elsewhere.set(columns[i]);
      }
    }
    RowBuffer buffer = new RowBuffer(elements, rows, elsewhere);
    fill(x, batch, buffer, elsewhere, reader, strings, rows, before);
    ColumnView[] assigned = buffer.columns();
    for (int column = 0; column < whole.length; column++) {
      whole[column] = elsewhere.get(column) ? whole[column] : assigned[column];
    }
    return new Assigned(buffer, List.of(whole), rows);
  }

  /** The columns that are not elsewhere. */
  private void fill(
      Execution x,
      Batch batch,
      RowBuffer buffer,
      BitSet elsewhere,
      TableReader reader,
      SourceChange.Strings[] strings,
      int rows,
      long before) {
    boolean[] given = new boolean[targets.length];
    for (int i = 0; i < columns.length; i++) {
      int column = columns[i];
      given[column] = true;
      if (elsewhere.get(column)) {
        continue;
      }
      SourceColumns.convert(
          batch,
          i,
          source.columns().get(i).type(),
          targets[column],
          buffer,
          column,
          strings[i],
          reader.strings(column),
          before);
    }
    for (NumberedColumn each : numbered) {
      int column = each.column();
      given[column] = true;
      NumberedColumns.fill(
          x.parameters().numbers(), each.sequence(), targets[column], buffer, column, rows, before);
    }
    for (int column = 0; column < targets.length; column++) {
      boolean missing = !given[column] && !generated.computes(column);
      for (int row = 0; missing && row < rows; row++) {
        targets[column].requireNullable(before + row + 1);
        buffer.setNull(column, row);
      }
    }
    if (!generated.isEmpty()) {
      generated.fill(
          x.parameters(), reader, buffer.columns(), buffer, rows, row -> before + row + 1);
    }
  }

  private long add(Execution x, Assigned rows, long before) {
    try (RowBuffer _ = rows.buffer) {
      return rows.rows == 0
          ? 0
          : sink.add(x, rows.columns.toArray(ColumnView[]::new), rows.rows, before, null);
    }
  }

  @Override
  public List<String> explain(Execution x) {
    Outline outline = new Outline(x);
    outline.line(sink.text() + " [host assignment, kernel " + GridInsert.kernel().name() + "]");
    outline.below(source);
    return outline.lines();
  }

  @Override
  public List<Kernel> kernels() {
    List<Kernel> kernels = new ArrayList<>();
    kernels.add(GridInsert.kernel());
    source.kernels(kernels);
    return kernels;
  }
}
