package io.gpdb.txn;

import io.gpdb.txn.version.TableVersions;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one transaction has opened of each table, which is mostly few tables. */
final class HandlesByTable<T> {
  private static final int TABLES_LIKELY = 2;
  private static final TableVersions[] NONE = {};
  private static final Object[] NOTHING = {};

  private @Nullable TableVersions[] tables = NONE;
  private @Nullable Object[] handles = NOTHING;
  private int count;

  /** What was opened of a table, or is by the opener now. */
  @SuppressWarnings("unchecked")
  T open(TableVersions table, Function<TableVersions, T> opener) {
    for (int i = 0; i < count; i++) {
      if (tables[i] == table) {
        return (T) Objects.requireNonNull(handles[i]);
      }
    }
    T opened = opener.apply(table);
    if (count == tables.length) {
      int room = Math.max(TABLES_LIKELY, count * 2);
      tables = Arrays.copyOf(tables, room);
      handles = Arrays.copyOf(handles, room);
    }
    tables[count] = table;
    handles[count++] = opened;
    return opened;
  }

  void forgetAll() {
    Arrays.fill(tables, 0, count, null);
    Arrays.fill(handles, 0, count, null);
    count = 0;
  }

  void forget(int tableId) {
    int left = 0;
    for (int i = 0; i < count; i++) {
      TableVersions table = tables[i];
      if (table != null && table.tableId() != tableId) {
        tables[left] = table;
        handles[left++] = handles[i];
      }
    }
    Arrays.fill(tables, left, count, null);
    Arrays.fill(handles, left, count, null);
    count = left;
  }

  @SuppressWarnings("unchecked")
  void forEach(Consumer<T> action) {
    for (int i = 0; i < count; i++) {
      action.accept((T) handles[i]);
    }
  }
}
