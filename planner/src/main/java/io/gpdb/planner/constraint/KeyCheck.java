package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.RowBlock;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import java.util.Arrays;

/**
 * Whether no two rows have one key of a DEFERRABLE PRIMARY KEY or UNIQUE constraint. It is judged
 * after the writes: of two transactions that write one key at least one finds the other's, as for
 * foreign keys.
 */
final class KeyCheck {
  private final TableDef table;
  private final IndexDef key;
  private final int[] columns;
  private final Transaction transaction;
  private final TableReader reader;

  KeyCheck(TableDef table, IndexDef key, Transaction transaction) {
    this.table = table;
    this.key = key;
    this.columns = key.columns();
    this.transaction = transaction;
    this.reader = transaction.reader(table.tableId());
  }

  /** Refuses a key of one of these rows that another row has too. */
  void ofRows(ChosenRows rows) {
    KeyTable keys = new KeyTable(columns.length);
    long[] values = new long[columns.length];
    boolean[] nulls = new boolean[columns.length];
    rows.forEachBlock(
        ReferenceCheck.BLOCK_ROWS,
        (numbers, n) -> {
          RowBlock block = reader.read(numbers, n, columns);
          for (int i = 0; i < n; i++) {
            if (block.read(i, values, nulls) && !NullFlags.isAny(nulls)) {
              keys.add(values);
            }
          }
        });
    if (keys.count() == 0) {
      return;
    }
    ChildRows found = ChildRows.of(table, columns, keys, transaction);
    long[] first = new long[keys.count()];
    Arrays.fill(first, -1);
    for (int i = 0; i < found.count(); i++) {
      int number = found.keyNumber(i);
      if (first[number] >= 0) {
        reader.requireUnchanged(new long[] {first[number], found.row(i)}, 2, columns);
        throw violation(keys.key(number));
      }
      first[number] = found.row(i);
    }
    reader.requireNoneUnseen(
        columns, (v, missing) -> !NullFlags.isAny(missing) && keys.find(v) >= 0);
  }

  /** Refuses a key that two rows of the table have. */
  void ofAll() {
    KeyTable keys = new KeyTable(columns.length);
    long[] values = new long[columns.length];
    for (int t = 0; t < reader.tabletCount(); t++) {
      try (TabletView view = reader.open(t, columns)) {
        for (int r = 0; r < view.rowCount(); r++) {
          StopSignal.poll(r);
          if (ChildRows.isLive(view, r) && ChildRows.read(view, r, values)) {
            if (keys.add(values) < 0) {
              throw violation(values);
            }
          }
        }
      }
    }
  }

  private GpdbException violation(long[] values) {
    return new GpdbException(
        SqlCondition.DUPLICATE_KEY,
        (key.asKey().primary() ? "primary key " : "unique key ")
            + key.name()
            + " of table "
            + table.name()
            + " would be duplicated: several rows have "
            + RowText.key(
                table,
                columns,
                Arrays.stream(columns).mapToObj(c -> table.column(c).name()).toList(),
                reader,
                values));
  }
}
