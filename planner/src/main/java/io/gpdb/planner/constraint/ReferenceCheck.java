package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.RowBlock;
import io.gpdb.txn.api.RowTest;
import io.gpdb.txn.api.TableReader;
import java.util.Arrays;

/**
 * Whether a foreign key holds for some keys: each is a parent's, or no child has it. Keys are the
 * child's, in the order of the foreign key's columns.
 */
final class ReferenceCheck {
  /** Rows that are read together: a device of its own memory is waited for once. */
  static final int BLOCK_ROWS = 1 << 14;

  private final Reference reference;
  private final Transaction transaction;
  private final TableReader child;
  private final TableReader parent;

  ReferenceCheck(Reference reference, Transaction transaction) {
    this.reference = reference;
    this.transaction = transaction;
    this.child = transaction.reader(reference.child().tableId());
    this.parent = transaction.reader(reference.parent().tableId());
  }

  /** For children that are new or have changed. */
  void ofRows(ChosenRows rows) {
    KeyTable keys = keys(rows);
    if (keys.count() > 0) {
      ofChildren(keys);
    }
  }

  /** The foreign key's values in those rows, as far as none is NULL. */
  KeyTable keys(ChosenRows rows) {
    KeyTable keys = new KeyTable(reference.width());
    long[] values = new long[reference.width()];
    boolean[] nulls = new boolean[reference.width()];
    rows.forEachBlock(
        BLOCK_ROWS,
        (numbers, n) -> {
          RowBlock block = child.read(numbers, n, reference.columns());
          for (int i = 0; i < n; i++) {
            if (block.read(i, values, nulls)) {
              if (!NullFlags.isAny(nulls)) {
                keys.add(values);
              } else if (reference.key().matchesFull() && !NullFlags.isAll(nulls)) {
                throw ReferenceCheck.nullInPart(reference, child, numbers[i]);
              }
            }
          }
        });
    return keys;
  }

  /** For keys of children that are new or have changed. */
  void ofChildren(KeyTable keys) {
    KeyTable missing = missing(keys);
    ChildRows orphans = ChildRows.any(reference, missing, transaction);
    if (orphans.count() > 0) {
      throw new GpdbException(
          SqlCondition.FOREIGN_KEY_VIOLATION,
          "foreign key "
              + reference.key().name()
              + " of table "
              + reference.child().name()
              + " is violated by the row "
              + RowText.of(reference.child(), child, orphans.row(0))
              + ": table "
              + reference.parent().name()
              + " has no row "
              + parentText(missing.key(orphans.keyNumber(0))));
    }
  }

  /** The error of a row that is NULL in part where MATCH FULL does not allow it. */
  static GpdbException nullInPart(Reference reference, TableReader child, long row) {
    return new GpdbException(
        SqlCondition.FOREIGN_KEY_VIOLATION,
        "foreign key "
            + reference.key().name()
            + " of table "
            + reference.child().name()
            + ", which is MATCH FULL, is violated by the row "
            + RowText.of(reference.child(), child, row)
            + ": all of its columns are NULL or none");
  }

  /** For keys that parents had and may have no more. */
  void ofParents(KeyTable keys) {
    KeyTable missing = missing(keys);
    refuseChildren(missing, "NO ACTION");
    requireNoneUnseen(missing);
  }

  /** Refuses rows of children that have one of the keys, whether or not a parent has it. */
  void refuseChildren(KeyTable keys, String rule) {
    ChildRows children = ChildRows.any(reference, keys, transaction);
    if (children.count() > 0) {
      throw new GpdbException(
          SqlCondition.FOREIGN_KEY_VIOLATION,
          "foreign key "
              + reference.key().name()
              + " of table "
              + reference.child().name()
              + " ("
              + rule
              + ") keeps the row "
              + parentText(keys.key(children.keyNumber(0)))
              + " of table "
              + reference.parent().name()
              + ": the row "
              + RowText.of(reference.child(), child, children.row(0))
              + " refers to it");
    }
  }

  /** No other transaction is adding a child with one of the keys. */
  void requireNoneUnseen(KeyTable keys) {
    if (keys.count() == 0) {
      return;
    }
    RowTest test = (values, nulls) -> !NullFlags.isAny(nulls) && keys.find(values) >= 0;
    child.requireNoneUnseen(reference.columns(), test);
  }

  /**
   * The keys that no parent has. Of those that one has, nobody else is taking the parent away or
   * giving it another key.
   */
  private KeyTable missing(KeyTable keys) {
    KeyTable missing = new KeyTable(reference.width());
    KeyTranslation translation = new KeyTranslation(reference, transaction);
    int[] order = reference.referenced().order();
    int width = reference.width();
    long[] wanted = new long[keys.count() * width];
    int[] numbers = new int[keys.count()];
    int n = 0;
    long[] parentKey = new long[width];
    for (int k = 0; k < keys.count(); k++) {
      StopSignal.poll(k);
      long[] key = keys.key(k);
      if (translation.toParent(key, parentKey)) {
        for (int i = 0; i < width; i++) {
          wanted[n * width + i] = parentKey[order[i]];
        }
        numbers[n++] = k;
      } else {
        parent.noteMissing(reference.referenced().key().indexId());
        missing.add(key);
      }
    }
    long[] rows = new long[n];
    find(wanted, n, rows);
    int found = 0;
    for (int i = 0; i < n; i++) {
      if (rows[i] < 0) {
        missing.add(keys.key(numbers[i]));
      } else {
        rows[found++] = rows[i];
      }
    }
    parent.requireUnchanged(rows, found, reference.parentColumns());
    return missing;
  }

  private void find(long[] keys, int n, long[] rows) {
    int ordinal = reference.referenced().key().indexId();
    if (n == 1) {
      rows[0] = parent.findByKey(ordinal, Arrays.copyOf(keys, reference.width()));
    } else if (n > 1) {
      transaction.writer(reference.parent().tableId()).findByKeys(ordinal, keys, n, rows);
    }
  }

  /** The key, which the child has stored, as one of the parent. */
  private String parentText(long[] childKey) {
    return RowText.key(
        reference.child(), reference.columns(), reference.key().parentColumns(), child, childKey);
  }
}
