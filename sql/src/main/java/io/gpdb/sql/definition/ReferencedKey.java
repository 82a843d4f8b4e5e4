package io.gpdb.sql.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key of a parent table that a foreign key refers to, which need not list its columns in the
 * same order.
 *
 * @param order for each column of the key, which of the foreign key's columns has its value
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ReferencedKey(KeyDef key, int[] order) {
  /** The key over just these columns, or null. */
  public static @Nullable ReferencedKey of(TableDef parent, int[] columns) {
    for (KeyDef key : parent.keys()) {
      int[] order = order(key.columns(), columns);
      if (order != null) {
        return new ReferencedKey(key, order);
      }
    }
    return null;
  }

  /** The key that a foreign key refers to, or null where the parent has it no more. */
  public static @Nullable ReferencedKey of(TableDef parent, List<String> columns) {
    return of(parent, columns.stream().mapToInt(parent::indexOf).toArray());
  }

  private static int @Nullable [] order(int[] key, int[] columns) {
    if (key.length != columns.length) {
      return null;
    }
    int[] order = new int[key.length];
    for (int k = 0; k < key.length; k++) {
      int column = key[k];
      int at = -1;
      for (int c = 0; c < columns.length; c++) {
        at = columns[c] == column ? c : at;
      }
      if (at < 0) {
        return null;
      }
      order[k] = at;
    }
    return order;
  }
}
