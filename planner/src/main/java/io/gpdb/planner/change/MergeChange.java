package io.gpdb.planner.change;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.change.GridInsert;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.run.GatheredRows;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.MergeBranch;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;

/**
 * MERGE: a query whose rows say which branch takes them. All rows are gathered first, then rows are
 * deleted, updated and inserted, each kind together: the query never sees its own effects, and a
 * key that a row gives up may be taken by another.
 */
public final class MergeChange implements Change {
  private final TableDef table;
  private final Source source;
  private final List<MergeBranch> branches;
  private final MergedRows merged;

  /**
   * @param generated the generated columns of the rows that it inserts
   */
  public MergeChange(
      TableDef table, Source source, List<MergeBranch> branches, GeneratedColumns generated) {
    this.table = table;
    this.source = source;
    this.branches = branches;
    this.merged = new MergedRows(table, branches, generated);
  }

  @Override
  public long apply(Execution x) {
    TableReader reader = x.transaction().reader(table.tableId());
    SourceChange.Strings[] strings = new SourceChange.Strings[source.columns().size()];
    Arrays.setAll(strings, f -> new SourceChange.Strings());
    try (GatheredRows rows = GatheredRows.of(source, x)) {
      requireDistinct(rows);
      return merged.change(
          x,
          (branch, use) ->
              forEach(
                  rows, (batch, before) -> take(x, batch, branch, before, reader, strings, use)));
    }
  }

  /** Does something with pieces of the gathered rows, and the number of those before. */
  private static void forEach(GatheredRows rows, ObjIntConsumer<Batch> use) {
    int before = 0;
    try (Batches pieces = rows.pieces()) {
      for (Batch batch = pieces.next(); batch != null; batch = pieces.next()) {
        try (Batch open = batch) {
          use.accept(open, before);
          before += open.rows();
        }
      }
    }
  }

  private void take(
      Execution x,
      Batch batch,
      int b,
      int before,
      TableReader reader,
      SourceChange.Strings[] strings,
      Consumer<MergedRows.Taken> use) {
    int[] chosen = new int[batch.rows()];
    int n = 0;
    ElementType branchType = source.columns().get(1).type().element();
    for (int row = 0; row < chosen.length; row++) {
      StopSignal.poll(row);
      if (branchType.rawAt(batch.hostValues(1), row) == b) {
        chosen[n++] = row;
      }
    }
    if (n == 0) {
      return;
    }
    MergeBranch branch = branches.get(b);
    boolean insert = branch.kind() == MergeBranch.Kind.INSERT;
    long[] rows = new long[insert ? 0 : n];
    Arrays.setAll(rows, i -> batch.hostValues(0).longAt(chosen[i]));
    int[] numbers = new int[n];
    int first = before + 1;
    Arrays.setAll(numbers, i -> first + chosen[i]);
    try (RowBuffer values = merged.buffer(branch, n)) {
      for (int i = 0; i < branch.columns().length; i++) {
        int column = branch.columns()[i];
        int field = branch.firstField() + i;
        SourceColumns.convertChosen(
            batch,
            chosen,
            numbers,
            field,
            source.columns().get(field).type(),
            merged.target(column),
            values,
            insert ? column : i,
            strings[field],
            reader.strings(column));
      }
      merged.complete(x, branch, numbers, values, before);
      use.accept(new MergedRows.Taken(rows, numbers, values));
    }
  }

  /** A row of the table is changed once at most. */
  private void requireDistinct(GatheredRows rows) {
    ElementType branchType = source.columns().get(1).type().element();
    try (RowMarks changed = new RowMarks()) {
      forEach(
          rows,
          (batch, before) -> {
            HostBuffer ids = batch.hostValues(0);
            HostBuffer taken = batch.hostValues(1);
            for (int row = 0; row < batch.rows(); row++) {
              StopSignal.poll(row);
              int branch = (int) branchType.rawAt(taken, row);
              if (changes(branch) && !changed.add(ids.longAt(row))) {
                throw new GpdbException(
                    SqlCondition.CARDINALITY,
                    "MERGE changes a row of table "
                        + table.name()
                        + " more than once: row "
                        + (before + row + 1)
                        + " of its join");
              }
            }
          });
    }
  }

  private boolean changes(int branch) {
    return branch >= 0
        && switch (branches.get(branch).kind()) {
          case UPDATE, DELETE -> true;
          case INSERT, NOTHING -> false;
        };
  }

  @Override
  public List<String> explain(Execution x) {
    Outline outline = new Outline(x);
    outline.line("merge " + table.name() + " [apply and insert kernels, after all rows]");
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
