package io.gpdb.planner.change;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.change.GridInsert;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowFault;
import io.gpdb.planner.batch.Source;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.ConflictAction;
import io.gpdb.sql.statement.NumberedColumn;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.jspecify.annotations.Nullable;

/**
 * INSERT … SELECT: each batch of the source is assigned to columns and appended. When the query
 * reads the table itself, all rows are gathered before the first is appended.
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

  /** A gathered batch. */
  private record Gathered(RowBuffer buffer, int rows) {}

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
    List<Gathered> gathered = new ArrayList<>();
    long count = 0;
    long touched = 0;
    try (Batches batches = source.open(x)) {
      for (Batch batch = batches.next(); batch != null; batch = batches.next()) {
        Gathered rows;
        try (Batch open = batch) {
          rows = gather(x, open, reader, strings, count);
        }
        if (readsTarget) {
          gathered.add(rows);
        } else {
          touched += add(x, rows, count);
        }
        count += rows.rows;
      }
    }
    long before = 0;
    for (Gathered rows : gathered) {
      StopSignal.poll();
      touched += add(x, rows, before);
      before += rows.rows;
    }
    return touched;
  }

  private Gathered gather(
      Execution x, Batch batch, TableReader reader, SourceChange.Strings[] strings, long before) {
    int rows = SourceColumns.liveRows(batch);
    RowBuffer buffer = new RowBuffer(StoredColumns.elements(table), rows);
    boolean[] given = new boolean[targets.length];
    for (int i = 0; i < columns.length; i++) {
      int column = columns[i];
      given[column] = true;
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
    return new Gathered(buffer, rows);
  }

  private long add(Execution x, Gathered rows, long before) {
    try (RowBuffer buffer = rows.buffer) {
      return rows.rows == 0 ? 0 : sink.add(x, buffer.columns(), rows.rows, before, null);
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
