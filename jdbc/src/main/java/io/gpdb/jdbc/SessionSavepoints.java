package io.gpdb.jdbc;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Savepoint;
import io.gpdb.txn.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The savepoints of the current transaction, oldest first, whether SQL or JDBC set them. Going back
 * to one, or releasing it, ends all later ones; a name set twice means the later.
 */
final class SessionSavepoints {
  private final List<Entry> entries = new ArrayList<>();
  private int lastId;

  /** A savepoint as JDBC shows it. */
  static final class Entry implements java.sql.Savepoint {
    private final int id;
    private final @Nullable String name;
    private final Savepoint mark;

    private Entry(int id, @Nullable String name, Savepoint mark) {
      this.id = id;
      this.name = name;
      this.mark = mark;
    }

    @Override
    public int getSavepointId() throws SQLException {
      if (name != null) {
        throw SqlErrors.of(ErrorCode.INVALID_ARGUMENT, "savepoint " + name + " has a name, no id");
      }
      return id;
    }

    @Override
    public String getSavepointName() throws SQLException {
      if (name == null) {
        throw SqlErrors.of(ErrorCode.INVALID_ARGUMENT, "savepoint " + id + " has an id, no name");
      }
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

  void clear() {
    entries.clear();
  }
}
