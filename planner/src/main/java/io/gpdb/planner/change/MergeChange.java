package io.gpdb.planner.change;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.change.GridInsert;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.ChangedRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.MergeBranch;
import io.gpdb.sql.statement.NumberedColumn;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * MERGE: a query whose rows say which branch takes them. All rows are gathered first, then rows are
 * deleted, updated and inserted, each kind together: the query never sees its own effects, and a
 * key that a row gives up may be taken by another.
 */
public final class MergeChange implements Change {
  private final TableDef table;
  private final Source source;
  private final List<MergeBranch> branches;
  private final ColumnTarget[] targets;
  private final AppendedRows appended;
  private final GeneratedColumns generated;

  /**
   * @param generated the generated columns of the rows that it inserts
   */
  public MergeChange(
      TableDef table, Source source, List<MergeBranch> branches, GeneratedColumns generated) {
    this.table = table;
    this.source = source;
    this.branches = branches;
    this.generated = generated;
    this.appended = new AppendedRows(table);
    targets = new ColumnTarget[table.columns().size()];
    Arrays.setAll(targets, c -> new ColumnTarget(table, c));
  }

  /** Rows of one batch that one branch takes, with the values of its columns. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Taken(long[] rows, int[] numbers, RowBuffer values) {}

  @Override
  public long apply(Execution x) {
    TableReader reader = x.transaction().reader(table.tableId());
    List<List<Taken>> taken = new ArrayList<>();
    branches.forEach(branch -> taken.add(new ArrayList<>()));
    try {
      gather(x, reader, taken);
      requireDistinct(taken);
      long count = changeRows(x, taken, MergeBranch.Kind.DELETE);
      count += changeRows(x, taken, MergeBranch.Kind.UPDATE);
      return count + insert(x, taken);
    } finally {
      taken.forEach(all -> all.forEach(part -> part.values.close()));
    }
  }

  private void gather(Execution x, TableReader reader, List<List<Taken>> taken) {
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
      List<Taken> taken) {
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
    RowBuffer values = new RowBuffer(elements(branch), n);
    taken.add(new Taken(rows, numbers, values));
    for (int i = 0; i < branch.columns().length; i++) {
      int column = branch.columns()[i];
      int field = branch.firstField() + i;
      SourceColumns.convertChosen(
          batch,
          chosen,
          numbers,
          field,
          source.columns().get(field).type(),
          targets[column],
          values,
          insert ? column : i,
          strings[field],
          reader.strings(column));
    }
    for (NumberedColumn each : branch.numbered()) {
      int column = each.column();
      NumberedColumns.fill(
          x.parameters().numbers(), each.sequence(), targets[column], values, column, n, before);
    }
    if (insert) {
      setOthersNull(branch, numbers, values);
      generated.fill(x.parameters(), reader, values.columns(), values, n, i -> numbers[i]);
    }
  }

  private void setOthersNull(MergeBranch branch, int[] numbers, RowBuffer values) {
    for (int column = 0; column < targets.length; column++) {
      int c = column;
      if (!generated.computes(c)
          && IntStream.of(branch.columns()).noneMatch(given -> given == c)
          && branch.numbered().stream().noneMatch(each -> each.column() == c)) {
        for (int i = 0; i < numbers.length; i++) {
          targets[column].requireNullable(numbers[i]);
          values.setNull(column, i);
        }
      }
    }
  }

  private ElementType[] elements(MergeBranch branch) {
    return switch (branch.kind()) {
      case INSERT -> StoredColumns.elements(table);
      case UPDATE, DELETE, NOTHING ->
          IntStream.of(branch.columns())
              .mapToObj(c -> table.column(c).type().element())
              .toArray(ElementType[]::new);
    };
  }

  /** A row of the table is changed once at most. */
  private void requireDistinct(List<List<Taken>> taken) {
    int count = 0;
    for (List<Taken> all : taken) {
      for (Taken part : all) {
        count += part.rows.length;
      }
    }
    RowRepeats changed = new RowRepeats(count);
    for (List<Taken> all : taken) {
      for (Taken part : all) {
        for (int i = 0; i < part.rows.length; i++) {
          if (changed.note(part.rows[i], 0) > 0) {
            throw new GpdbException(
                SqlCondition.CARDINALITY,
                "MERGE changes a row of table "
                    + table.name()
                    + " more than once: row "
                    + part.numbers[i]
                    + " of its join");
          }
        }
      }
    }
  }

  private long changeRows(Execution x, List<List<Taken>> taken, MergeBranch.Kind kind) {
    TableWriter writer = x.transaction().writer(table.tableId());
    TableReader reader = x.transaction().reader(table.tableId());
    long count = 0;
    for (int b = 0; b < branches.size(); b++) {
      int[] columns = branches.get(b).columns();
      if (branches.get(b).kind() == kind) {
        for (Taken part : taken.get(b)) {
          report(x.changed(), part, kind == MergeBranch.Kind.DELETE);
          change(writer, reader, part, columns, kind == MergeBranch.Kind.DELETE);
          count += part.rows.length;
        }
      }
    }
    if (kind == MergeBranch.Kind.UPDATE && count > 0) {
      try {
        writer.finishStatement();
      } catch (KeyViolation violation) {
        throw KeyMessages.translate(violation, table, null);
      }
    }
    return count;
  }

  private static void report(@Nullable ChangedRows changed, Taken part, boolean delete) {
    for (int i = 0; changed != null && i < part.rows.length; i++) {
      if (delete) {
        changed.deleting(part.rows[i]);
      } else {
        changed.stored(part.rows[i], 1);
      }
    }
  }

  private void change(
      TableWriter writer, TableReader reader, Taken part, int[] columns, boolean delete) {
    int n = part.rows.length;
    try (PendingRows pending = new PendingRows(writer, reader, table, columns, delete, n)) {
      for (int i = 0; i < n; i++) {
        int at = pending.add(part.rows[i]);
        for (int c = 0; c < columns.length; c++) {
          pending.set(at, c, part.values.raw(c, i), !part.values.isNull(c, i));
        }
      }
      pending.flush();
    }
  }

  private long insert(Execution x, List<List<Taken>> taken) {
    long count = 0;
    for (int b = 0; b < branches.size(); b++) {
      if (branches.get(b).kind() == MergeBranch.Kind.INSERT) {
        for (Taken part : taken.get(b)) {
          int n = part.numbers.length;
          count += appended.add(x, part.values.columns(), n, count, null);
        }
      }
    }
    return count;
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
