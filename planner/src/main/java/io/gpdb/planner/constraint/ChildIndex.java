package io.gpdb.planner.constraint;

import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.index.KeyRange;
import io.gpdb.txn.api.RowCursor;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An index of a child table that finds rows by a foreign key: an ordered one that begins with the
 * key's columns in any order, or one of just these columns.
 *
 * @param ordinal of the stored index
 * @param columns the first columns of the index
 * @param order for each of them, which of the foreign key's columns it is
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ChildIndex(int ordinal, int[] columns, int[] order) {

  /** The index that the child has as it is stored for those columns, or null. */
  static @Nullable ChildIndex of(TableDef child, int[] columns, TableReader reader) {
    for (IndexDef index : child.indexes()) {
      ChildIndex found = of(index.indexId(), index.columns(), columns, reader);
      if (found != null) {
        return found;
      }
    }
    for (KeyDef key : child.keys()) {
      ChildIndex found = of(key.indexId(), key.columns(), columns, reader);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable ChildIndex of(
      int ordinal, int[] indexed, int[] wanted, TableReader reader) {
    boolean serves =
        indexed.length == wanted.length
            || (indexed.length > wanted.length && reader.indexKind(ordinal) == IndexKind.ORDERED);
    if (!serves) {
      return null;
    }
    int[] columns = java.util.Arrays.copyOf(indexed, wanted.length);
    int[] order = new int[columns.length];
    for (int i = 0; i < columns.length; i++) {
      int at = -1;
      for (int w = 0; w < wanted.length; w++) {
        at = wanted[w] == columns[i] ? w : at;
      }
      if (at < 0) {
        return null;
      }
      order[i] = at;
    }
    return new ChildIndex(ordinal, columns, order);
  }

  /**
   * The rows that have the foreign key whose raw values begin at {@code from}, and with a string of
   * more than the index keeps of it some others.
   */
  RowCursor rows(TableReader reader, long[] values, int from) {
    List<KeyRange.Value> key = new ArrayList<>(columns.length);
    for (int i = 0; i < columns.length; i++) {
      long raw = values[from + order[i]];
      CodedStrings strings = reader.strings(columns[i]);
      key.add(
          strings == null ? KeyRange.Value.of(raw) : KeyRange.Value.of(strings.bytes((int) raw)));
    }
    return reader.scan(ordinal, KeyRange.of(key), false);
  }

  /** Whether the row has that key. */
  boolean hasKey(TableReader reader, long row, long[] values, int from) {
    long[] own = new long[columns.length];
    boolean[] nulls = new boolean[columns.length];
    if (!reader.read(row, columns, own, nulls)) {
      return false;
    }
    for (int i = 0; i < columns.length; i++) {
      if (nulls[i] || own[i] != values[from + order[i]]) {
        return false;
      }
    }
    return true;
  }
}
