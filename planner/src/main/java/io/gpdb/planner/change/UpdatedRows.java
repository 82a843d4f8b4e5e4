package io.gpdb.planner.change;

import io.gpdb.planner.batch.ChangedRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.query.RowValues;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.ConflictAction;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * New rows update the row that has their key, where there is one.
 *
 * <p>Where no column of a unique index is set, rows with different keys have nothing to do with
 * each other: those whose key is new are appended together, all others are updates. Where several
 * name one row, each computes from what the one before has left, and the last values are stored.
 * Otherwise the rows are taken one after the other.
 */
final class UpdatedRows extends UpsertedRows {
  private final KeyDef key;
  private final int[] columns;
  private final ColumnTarget[] targets;
  private final HostExpression[] values;
  private final SqlTypeSpec[] types;
  private final @Nullable HostExpression where;
  private final int[] columnsRead;
  private final boolean inOrder;

  private UpdatedRows(TableDef table, ConflictAction.Update update, RexBuilder rexBuilder)
      throws NotCovered {
    super(table, update.keys());
    key = update.key();
    columns = update.columns();
    inOrder = Arrays.stream(columns).anyMatch(table::isUnique);
    HostCompiler compiler = new HostCompiler(rexBuilder);
    targets = new ColumnTarget[columns.length];
    values = new HostExpression[columns.length];
    types = new SqlTypeSpec[columns.length];
    List<RexNode> read = new ArrayList<>(update.values());
    for (int i = 0; i < columns.length; i++) {
      targets[i] = new ColumnTarget(table, columns[i]);
      values[i] = compiler.compile(update.values().get(i));
      types[i] = RexValues.spec(update.values().get(i).getType());
    }
    RexNode condition = update.where();
    where = condition == null ? null : compiler.condition(condition);
    if (condition != null) {
      read.add(condition);
    }
    columnsRead = PointQuery.columnsRead(read, table.columns().size());
  }

  static UpdatedRows of(TableDef table, ConflictAction.Update update, RexBuilder rexBuilder)
      throws NotCovered {
    return new UpdatedRows(table, update, rexBuilder);
  }

  @Override
  public long add(Execution x, ColumnView[] data, int n, long first, long @Nullable [] counts) {
    long[] touched = counts == null ? new long[n] : counts;
    Run run = new Run(x, data, n, first, touched, counts == null ? 0 : (int) first);
    if (inOrder || x.changed() != null) {
      run.oneByOne();
    } else {
      run.together();
    }
    long sum = 0;
    for (int i = 0; i < n; i++) {
      sum += touched[run.firstCount + i];
    }
    return sum;
  }

  @Override
  public String text() {
    return appended.text()
        + ", or update by "
        + key.name()
        + (inOrder ? " row by row" : ", values on the host");
  }

  /** One batch. */
  private final class Run {
    private final Execution x;
    private final ColumnView[] data;
    private final int n;
    private final long first;
    private final long[] counts;
    private final int firstCount;
    private final TableWriter writer;
    private final TableReader reader;
    private final NewKeys own;
    private final ConflictRow row;
    private final long[] raw = new long[columns.length];
    private final boolean[] nulls = new boolean[columns.length];

    Run(Execution x, ColumnView[] data, int n, long first, long[] counts, int firstCount) {
      this.x = x;
      this.data = data;
      this.n = n;
      this.first = first;
      this.counts = counts;
      this.firstCount = firstCount;
      this.writer = writer(x);
      this.reader = reader(x);
      this.own = new NewKeys(key, data, n);
      this.row = new ConflictRow(new RowValues(table, reader, columnsRead, x.parameters()), data);
    }

    void oneByOne() {
      for (int i = 0; i < n; i++) {
        StopSignal.poll();
        long there = own.isAbsent(i) ? -1 : writer.findByKey(key.indexId(), own.key(i));
        if (there < 0) {
          append(x, data, new int[] {i}, 1, first);
          counts[firstCount + i] = 1;
        } else if (row.moveTo(there) && compute(i)) {
          update(there);
          counts[firstCount + i] = 1;
        }
      }
    }

    private void update(long there) {
      try {
        ChangedRows changed = x.changed();
        if (changed != null) {
          changed.replacing(there);
        }
        writer.updateRow(there, columns, raw, nulls);
        if (changed != null) {
          changed.stored(there, 1);
        }
      } catch (KeyViolation violation) {
        throw KeyMessages.translate(violation, table, null);
      }
    }

    void together() {
      long[] rows = find(writer, key, own, n);
      appendNew(rows);
      RowRepeats.Lists lists = RowRepeats.Lists.of(rows, n);
      try (PendingRows pending = new PendingRows(writer, reader, table, columns, false, n)) {
        int[] firsts = new int[n];
        int count = 0;
        for (int i = 0; i < n; i++) {
          if (rows[i] >= 0 && lists.isFirst(i)) {
            firsts[count++] = i;
          }
        }
        RowsAhead ahead = new RowsAhead(reader, columnsRead, rows, firsts, count, false);
        for (int k = 0; k < count; k++) {
          int i = firsts[k];
          if (ahead.move(row.old, k) && computeInOrder(lists, i)) {
            int at = pending.add(rows[i]);
            for (int c = 0; c < columns.length; c++) {
              pending.set(at, c, raw[c], !nulls[c]);
            }
          }
        }
        pending.flush();
      }
    }

    /** Appends rows whose keys are new, which stay -1; the others get the rows with their keys. */
    private void appendNew(long[] rows) {
      int[] fresh = new int[n];
      int[] numbers = new int[n];
      int count = 0;
      for (int i = 0; i < n; i++) {
        StopSignal.poll(i);
        if (rows[i] >= 0) {
          continue;
        }
        int before = own.noted(i);
        if (before < 0) {
          own.note(i);
          numbers[i] = count;
          fresh[count++] = i;
          counts[firstCount + i] = 1;
        } else {
          numbers[i] = numbers[before];
        }
      }
      long start =
          count == n ? appended.append(x, data, n, first) : append(x, data, fresh, count, first);
      int skipped = 0;
      for (int i = 0; i < n; i++) {
        if (skipped < count && fresh[skipped] == i) {
          skipped++;
        } else if (rows[i] < 0) {
          rows[i] = start + numbers[i];
        }
      }
    }

    /** Each of a row's positions computes from what the one before has left; whether any did. */
    private boolean computeInOrder(RowRepeats.Lists lists, int from) {
      boolean changed = false;
      int i = from;
      do {
        StopSignal.poll(i);
        if (compute(i)) {
          for (int c = 0; c < columns.length; c++) {
            row.old.put(columns[c], raw[c], nulls[c]);
          }
          counts[firstCount + i] = 1;
          changed = true;
        }
        i = lists.next(i);
      } while (i > 0);
      return changed;
    }

    /** The new values of the current row for new row i; false where the condition fails. */
    private boolean compute(int i) {
      row.position = i;
      if (where != null && !Boolean.TRUE.equals(where.evaluate(row))) {
        return false;
      }
      for (int c = 0; c < columns.length; c++) {
        ColumnTarget target = targets[c];
        Object value = target.computed(values[c], row, first + i + 1);
        nulls[c] = value == null;
        raw[c] = 0;
        if (value == null) {
          target.requireNullable(first + i + 1);
        } else if (target.type().kind().isString()) {
          byte[] stored = target.assigned(HostValue.bytes(target.type(), value), first + i + 1);
          raw[c] = StoredColumns.dictionary(reader, columns[c]).intern(stored, 0, stored.length);
        } else {
          raw[c] = target.assignedObject(types[c], value, first + i + 1);
        }
      }
      return true;
    }

    /** A row that exists, its id, and behind them the new row with its key. */
    private final class ConflictRow implements HostRow {
      private final RowValues old;
      private final ColumnView[] fresh;
      private int position;

      ConflictRow(RowValues old, ColumnView[] data) {
        this.old = old;
        this.fresh = new ColumnView[data.length];
        Arrays.setAll(fresh, c -> data[c].onHost());
      }

      boolean moveTo(long there) {
        return old.moveTo(reader, there);
      }

      @Override
      public ParameterValues parameters() {
        return old.parameters();
      }

      @Override
      public @Nullable Object column(int index) {
        int column = index - fresh.length - 1;
        if (column < 0) {
          return old.column(index);
        }
        if (fresh[column].isNull(position)) {
          return null;
        }
        SqlTypeSpec type = table.column(column).type();
        long bits = fresh[column].raw(position);
        return type.kind().isString()
            ? HostValue.ofBytes(type, StoredColumns.dictionary(reader, column).bytes((int) bits))
            : HostValue.ofRaw(type, bits);
      }
    }
  }
}
