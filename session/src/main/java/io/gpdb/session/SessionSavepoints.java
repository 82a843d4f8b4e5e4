package io.gpdb.session;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Savepoint;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The savepoints of the current transaction, oldest first, whether SQL or JDBC set them. Going back
 * to one, or releasing it, ends all later ones; a name set twice means the later.
 */
public final class SessionSavepoints {
  private final List<Entry> entries = new ArrayList<>();
  private int lastId;

  /** A savepoint by its number or its name. */
  public static final class Entry {
    private final int id;
    private final @Nullable String name;
    private final Savepoint mark;

    private Entry(int id, @Nullable String name, Savepoint mark) {
      this.id = id;
      this.name = name;
      this.mark = mark;
    }

    public int id() {
      return id;
    }

    public @Nullable String name() {
      return name;
    }

    @Override
    public String toString() {
      return name == null ? String.valueOf(id) : name;
    }
  }

  Entry set(Transaction transaction, @Nullable String name) {
    Entry entry = new Entry(++lastId, name, transaction.savepoint());
    entries.add(entry);
    return entry;
  }

  void rollbackTo(Transaction transaction, Entry entry) {
    int index = require(entry);
    transaction.rollbackTo(entry.mark);
    entries.subList(index + 1, entries.size()).clear();
  }

  void release(Entry entry) {
    int index = require(entry);
    entries.subList(index, entries.size()).clear();
  }

  Entry named(String name) {
    for (int i = entries.size() - 1; i >= 0; i--) {
      if (name.equals(entries.get(i).name)) {
        return entries.get(i);
      }
    }
    throw unknown(name);
  }

  private int require(Entry entry) {
    int index = entries.indexOf(entry);
    if (index < 0) {
      throw unknown(entry.toString());
    }
    return index;
  }

  private static GpdbException unknown(String name) {
    return new GpdbException(
        ErrorCode.SAVEPOINT_UNKNOWN, "this transaction has no savepoint " + name);
  }

  /** The number of the savepoint that was set last, in this transaction or before. */
  int lastId() {
    return lastId;
  }

  void clear() {
    entries.clear();
  }
}
