package io.gpdb.planner.change;

import io.gpdb.planner.batch.ChangedRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.MergeBranch;
import io.gpdb.sql.statement.NumberedColumn;
import io.gpdb.storage.column.ElementType;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the branches of a MERGE do with the rows that they have taken. */
public final class MergedRows {
  private final TableDef table;
  private final List<MergeBranch> branches;
  private final ColumnTarget[] targets;
  private final AppendedRows appended;
  private final GeneratedColumns generated;

  /**
   * Rows that one branch takes, with the values of its columns.
   *
   * @param rows those of the table, none of a branch that inserts
   * @param numbers of the rows in the statement, for messages
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Taken(long[] rows, int[] numbers, RowBuffer values) {}

  /** What branches have taken. */
  public interface ByBranch {
    /** Does something with the rows of a branch, some of them at a time. */
    void forEach(int branch, Consumer<Taken> use);
  }

  public MergedRows(TableDef table, List<MergeBranch> branches, GeneratedColumns generated) {
    this.table = table;
    this.branches = branches;
    this.generated = generated;
    this.appended = new AppendedRows(table);
    targets = new ColumnTarget[table.columns().size()];
    Arrays.setAll(targets, c -> new ColumnTarget(table, c));
  }

  public ColumnTarget target(int column) {
    return targets[column];
  }

  /** For the values of n rows: all columns of a branch that inserts, else those that it sets. */
  public RowBuffer buffer(MergeBranch branch, int n) {
    return new RowBuffer(elements(branch), n);
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

  /** Fills what the source of the MERGE has no values for. */
  public void complete(
      Execution x, MergeBranch branch, int[] numbers, RowBuffer values, long before) {
    int n = numbers.length;
    for (NumberedColumn each : branch.numbered()) {
      int column = each.column();
      NumberedColumns.fill(
          x.parameters().numbers(), each.sequence(), targets[column], values, column, n, before);
    }
    if (branch.kind() == MergeBranch.Kind.INSERT) {
      TableReader reader = x.transaction().reader(table.tableId());
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

  /** Deletes, updates and inserts, each kind together. */
  public long change(Execution x, ByBranch taken) {
    long count = changeRows(x, taken, MergeBranch.Kind.DELETE);
    count += changeRows(x, taken, MergeBranch.Kind.UPDATE);
    return count + insert(x, taken);
  }

  private long changeRows(Execution x, ByBranch taken, MergeBranch.Kind kind) {
    TableWriter writer = x.transaction().writer(table.tableId());
    TableReader reader = x.transaction().reader(table.tableId());
    AtomicLong changed = new AtomicLong();
    for (int b = 0; b < branches.size(); b++) {
      int[] columns = branches.get(b).columns();
      if (branches.get(b).kind() == kind) {
        taken.forEach(
            b,
            part -> {
              report(x.changed(), part, kind == MergeBranch.Kind.DELETE);
              change(writer, reader, part, columns, kind == MergeBranch.Kind.DELETE);
              changed.addAndGet(part.rows.length);
            });
      }
    }
    long count = changed.get();
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

  private long insert(Execution x, ByBranch taken) {
    AtomicLong count = new AtomicLong();
    for (int b = 0; b < branches.size(); b++) {
      if (branches.get(b).kind() == MergeBranch.Kind.INSERT) {
        taken.forEach(
            b,
            part -> {
              int n = part.numbers.length;
              long before = count.get();
              count.set(before + appended.add(x, part.values.columns(), n, before, null));
            });
      }
    }
    return count.get();
  }
}
