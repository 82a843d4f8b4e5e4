package io.gpdb.txn.change;

import io.gpdb.storage.tablet.LoggedValues;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.UndoVersion;
import java.util.ArrayList;
import java.util.List;

/** Neighbouring rows of one tablet that a transaction has inserted, and how far they are logged. */
public final class InsertedRows {
  private final TableVersions table;
  private final int tablet;
  private final int from;
  private int n;
  private Protocol protocol;
  private int nextColumn;
  private LoggedValues[] loggedValues = {};

  private InsertedRows(UndoVersion version) {
    this.table = version.table();
    this.tablet = version.tablet();
    this.from = version.from();
    this.n = version.n();
    this.protocol = version.protocol(0);
  }

  /** All that the transaction has inserted, joined where it can be. */
  public static List<InsertedRows> of(TransactionWrites writes) {
    List<InsertedRows> all = new ArrayList<>();
    for (UndoVersion v : writes.versions()) {
      if (v.kind() == UndoVersion.Kind.INSERT && (all.isEmpty() || !all.getLast().continuedBy(v))) {
        all.add(new InsertedRows(v));
      }
    }
    return all;
  }

  private boolean continuedBy(UndoVersion v) {
    boolean next =
        table == v.table()
            && tablet == v.tablet()
            && from + n == v.from()
            && protocol == v.protocol(0);
    n += next ? v.n() : 0;
    return next;
  }

  public TableVersions table() {
    return table;
  }

  public Tablet tablet() {
    return table.store().tablet(tablet);
  }

  /** In the tablet. */
  public int from() {
    return from;
  }

  public int n() {
    return n;
  }

  public long firstRow() {
    return (long) tablet * Tablet.ROWS + from;
  }

  public long bytes() {
    long rowBytes = 0;
    for (int c = 0; c < columns(); c++) {
      rowBytes += table.type(c).bytes();
    }
    return rowBytes * n;
  }

  public int columns() {
    return table.types().length;
  }

  public Protocol protocol() {
    return protocol;
  }

  /** Settles what was left to the commit. */
  public void protocol(Protocol chosen) {
    protocol = chosen;
  }

  /** The columns before this one are logged. */
  public int nextColumn() {
    return nextColumn;
  }

  public void nextColumn(int column) {
    nextColumn = column;
  }

  /** By column, the extents of the values; empty when they are not in extents. */
  public LoggedValues[] loggedValues() {
    return loggedValues;
  }

  public void loggedValues(LoggedValues[] values) {
    loggedValues = values;
  }
}
