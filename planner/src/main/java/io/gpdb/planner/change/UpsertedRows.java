package io.gpdb.planner.change;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.ConflictAction;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.jspecify.annotations.Nullable;

/**
 * New rows of which some have keys that exist. It means the same as one row after the other, and
 * takes one look-up for each key, one append, and one change of the rows that exist, wherever rows
 * with different keys have nothing to do with each other.
 */
abstract class UpsertedRows implements NewRows {
  final TableDef table;
  final List<KeyDef> keys;
  final AppendedRows appended;

  UpsertedRows(TableDef table, List<KeyDef> keys) {
    this.table = table;
    this.keys = keys;
    this.appended = new AppendedRows(table);
  }

  static NewRows sink(TableDef table, @Nullable ConflictAction action, RexBuilder rexBuilder) {
    try {
      return switch (action) {
        case null -> new AppendedRows(table);
        case ConflictAction.Nothing nothing -> new OmittedRows(table, nothing.keys());
        case ConflictAction.Replace replace -> new ReplacedRows(table, replace.keys());
        case ConflictAction.Update update -> UpdatedRows.of(table, update, rexBuilder);
      };
    } catch (NotCovered e) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, "not supported in ON CONFLICT DO UPDATE: " + e.getMessage(), e);
    }
  }

  /** The rows that have the keys, -1 where there is none. */
  static long[] find(TableWriter writer, KeyDef key, NewKeys of, int n) {
    int width = of.width();
    long[] wanted = new long[n * width];
    int[] positions = new int[n];
    int count = 0;
    for (int i = 0; i < n; i++) {
      if (!of.isAbsent(i)) {
        System.arraycopy(of.key(i), 0, wanted, count * width, width);
        positions[count++] = i;
      }
    }
    long[] found = new long[count];
    writer.findByKeys(key.indexId(), wanted, count, found);
    long[] rows = new long[n];
    Arrays.fill(rows, -1);
    for (int k = 0; k < count; k++) {
      rows[positions[k]] = found[k];
    }
    return rows;
  }

  final TableWriter writer(Execution x) {
    return x.transaction().writer(table.tableId());
  }

  final TableReader reader(Execution x) {
    return x.transaction().reader(table.tableId());
  }

  /** Appends the first n of the positions; returns the number of the first row. */
  final long append(Execution x, ColumnView[] data, int[] positions, int n, long first) {
    if (n == 0) {
      return -1;
    }
    try (RowBuffer chosen = ChosenRows.of(table, data, positions, n)) {
      return appended.append(x, chosen.columns(), n, first + positions[0]);
    }
  }

  /** Rows of which a key exists are left out. */
  private static final class OmittedRows extends UpsertedRows {
    OmittedRows(TableDef table, List<KeyDef> keys) {
      super(table, keys);
    }

    @Override
    public long add(Execution x, ColumnView[] data, int n, long first, long @Nullable [] counts) {
      NewKeys[] own = new NewKeys[keys.size()];
      long[][] found = new long[own.length][];
      for (int k = 0; k < own.length; k++) {
        own[k] = new NewKeys(keys.get(k), data, n);
        found[k] = find(writer(x), keys.get(k), own[k], n);
      }
      int[] chosen = new int[n];
      int count = 0;
      for (int i = 0; i < n; i++) {
        StopSignal.poll(i);
        if (isFree(own, found, i)) {
          for (NewKeys key : own) {
            key.note(i);
          }
          chosen[count++] = i;
          if (counts != null) {
            counts[(int) first + i] = 1;
          }
        }
      }
      if (count == n) {
        appended.append(x, data, n, first);
      } else {
        append(x, data, chosen, count, first);
      }
      return count;
    }

    private static boolean isFree(NewKeys[] own, long[][] found, int i) {
      for (int k = 0; k < own.length; k++) {
        if (found[k][i] >= 0 || own[k].noted(i) >= 0) {
          return false;
        }
      }
      return true;
    }

    @Override
    public String text() {
      return appended.text() + " unless its key exists";
    }
  }

  /** Rows that have one of the keys are deleted. */
  private static final class ReplacedRows extends UpsertedRows {
    ReplacedRows(TableDef table, List<KeyDef> keys) {
      super(table, keys);
    }

    @Override
    public long add(Execution x, ColumnView[] data, int n, long first, long @Nullable [] counts) {
      if (keys.isEmpty()) {
        return appended.add(x, data, n, first, counts);
      }
      if (keys.size() == 1 && x.changed() == null) {
        replaceByOneKey(x, data, n, first);
      } else {
        replaceInOrder(x, data, n, first);
      }
      if (counts != null) {
        Arrays.fill(counts, (int) first, (int) first + n, 1);
      }
      return n;
    }

    /** Of the rows with one key the last remains. */
    private void replaceByOneKey(Execution x, ColumnView[] data, int n, long first) {
      TableWriter writer = writer(x);
      NewKeys own = new NewKeys(keys.getFirst(), data, n);
      long[] found = find(writer, keys.getFirst(), own, n);
      for (int i = 0; i < n; i++) {
        own.note(i);
      }
      int[] last = new int[n];
      int count = 0;
      try (PendingRows deleted = new PendingRows(writer, reader(x), table, new int[0], true, n)) {
        for (int i = 0; i < n; i++) {
          StopSignal.poll(i);
          if (own.isAbsent(i) || own.noted(i) == i) {
            last[count++] = i;
            if (found[i] >= 0) {
              deleted.add(found[i]);
            }
          }
        }
        deleted.flush();
      }
      append(x, data, last, count, first);
    }

    private void replaceInOrder(Execution x, ColumnView[] data, int n, long first) {
      TableWriter writer = writer(x);
      NewKeys[] own = new NewKeys[keys.size()];
      Arrays.setAll(own, k -> new NewKeys(keys.get(k), data, n));
      for (int i = 0; i < n; i++) {
        StopSignal.poll();
        for (int k = 0; k < own.length; k++) {
          long row =
              own[k].isAbsent(i) ? -1 : writer.findByKey(keys.get(k).indexId(), own[k].key(i));
          if (row >= 0) {
            if (x.changed() != null) {
              x.changed().replacing(row);
            }
            writer.deleteRow(row);
          }
        }
        append(x, data, new int[] {i}, 1, first);
      }
    }

    @Override
    public String text() {
      return appended.text() + " in place of rows with its keys";
    }
  }
}
