package io.gpdb.txn;

import io.gpdb.txn.version.TableVersions;
import java.util.IdentityHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one transaction has opened of each table, which is mostly few tables. */
final class HandlesByTable<T> {
  private static final int TABLES_LIKELY = 2;

  private final Function<TableVersions, T> opener;
  private @Nullable IdentityHashMap<TableVersions, T> opened;

  HandlesByTable(Function<TableVersions, T> opener) {
    this.opener = opener;
  }

  T open(TableVersions table) {
    IdentityHashMap<TableVersions, T> known = opened;
    if (known == null) {
      known = new IdentityHashMap<>(TABLES_LIKELY);
      opened = known;
    }
    return known.computeIfAbsent(table, opener);
  }

  void forgetAll() {
    opened = null;
  }

  void forget(int tableId) {
    if (opened != null) {
      opened.keySet().removeIf(table -> table.tableId() == tableId);
    }
  }

  void forEach(Consumer<T> action) {
    if (opened != null) {
      opened.values().forEach(action);
    }
  }
}
