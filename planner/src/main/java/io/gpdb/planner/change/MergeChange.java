package io.gpdb.planner.change;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.change.GridInsert;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.MergeBranch;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

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
    List<List<MergedRows.Taken>> taken = new ArrayList<>();
    branches.forEach(branch -> taken.add(new ArrayList<>()));
    try {
      gather(x, reader, taken);
      requireDistinct(taken);
      return merged.change(x, taken);
    } finally {
      taken.forEach(all -> all.forEach(part -> part.values().close()));
    }
  }

  private void gather(Execution x, TableReader reader, List<List<MergedRows.Taken>> taken) {
    SourceChange.Strings[] strings = new SourceChange.Strings[source.columns().size()];
    Arrays.setAll(strings, f -> new SourceChange.Strings());
    int before = 0;
    try (Batches batches = source.open(x)) {
      for (Batch batch = batches.next(); batch != null; batch = batches.next()) {
        try (Batch open = batch) {
          for (int b = 0; b < branches.size(); b++) {
            if (branches.get(b).kind() != MergeBranch.Kind.NOTHING) {
              take(x, open, b, before, reader, strings, taken.get(b));
            }
          }
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
      List<MergedRows.Taken> taken) {
    int[] chosen = new int[batch.rows()];
    int n = 0;
    ElementType branchType = source.columns().get(1).type().element();
    for (int row = 0; row < chosen.length; row++) {
      StopSignal.poll(row);
      if (batch.isLive(row) && branchType.rawAt(batch.hostValues(1), row) == b) {
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
    RowBuffer values = merged.buffer(branch, n);
    taken.add(new MergedRows.Taken(rows, numbers, values));
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
  }

  /** A row of the table is changed once at most. */
  private void requireDistinct(List<List<MergedRows.Taken>> taken) {
    long[] rows =
        taken.stream()
            .flatMap(List::stream)
            .flatMapToLong(part -> LongStream.of(part.rows()))
            .toArray();
    RowRepeats changed = new RowRepeats(rows, rows.length);
    int place = 0;
    for (List<MergedRows.Taken> all : taken) {
      for (MergedRows.Taken part : all) {
        for (int i = 0; i < part.rows().length; i++) {
          if (changed.note(place++) >= 0) {
            throw new GpdbException(
                SqlCondition.CARDINALITY,
                "MERGE changes a row of table "
                    + table.name()
                    + " more than once: row "
                    + part.numbers()[i]
                    + " of its join");
          }
        }
      }
    }
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
