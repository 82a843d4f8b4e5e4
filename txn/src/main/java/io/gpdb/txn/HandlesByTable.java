package io.gpdb.txn;

import io.gpdb.txn.version.TableVersions;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one transaction has opened of each table, which is mostly one table or a few. */
final class HandlesByTable<T> {
  private @Nullable Handle<T> first;

  /** A table, what was opened of it, and the one that was opened after it. */
  private static final class Handle<T> {
    private final TableVersions table;
    private final T opened;
    private @Nullable Handle<T> next;

    Handle(TableVersions table, T opened) {
      this.table = table;
      this.opened = opened;
    }
  }

  /** What was opened of a table, or is by the opener now. */
  T open(TableVersions table, Function<TableVersions, T> opener) {
    Handle<T> last = null;
    for (Handle<T> handle = first; handle != null; handle = handle.next) {
      if (handle.table == table) {
        return handle.opened;
      }
      last = handle;
    }
    Handle<T> handle = new Handle<>(table, opener.apply(table));
    if (last == null) {
      first = handle;
    } else {
      last.next = handle;
    }
    return handle.opened;
  }

  void forgetAll() {
    first = null;
  }

  void forget(int tableId) {
    Handle<T> before = null;
    for (Handle<T> handle = first; handle != null; handle = handle.next) {
      if (handle.table.tableId() != tableId) {
        before = handle;
      } else if (before == null) {
        first = handle.next;
      } else {
        before.next = handle.next;
      }
    }
  }

  void forEach(Consumer<T> action) {
    for (Handle<T> handle = first; handle != null; handle = handle.next) {
      action.accept(handle.opened);
    }
  }
}
