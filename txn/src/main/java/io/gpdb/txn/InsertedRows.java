package io.gpdb.txn;

import io.gpdb.storage.LoggedValues;
import io.gpdb.storage.Tablet;
import java.util.ArrayList;
import java.util.List;

/** Neighbouring rows of one tablet that a transaction has inserted, and how far they are logged. */
final class InsertedRows {
  private final TableVersions table;
  private final int tablet;
  private final int from;
  private int n;
  private Protocol protocol;
  private int nextColumn;
  private LoggedValues[] beside = {};

  private InsertedRows(UndoVersion version) {
    this.table = version.table();
    this.tablet = version.tablet();
    this.from = version.from();
    this.n = version.n();
    this.protocol = version.protocol(0);
  }

  /** All that the transaction has inserted, joined where it can be. */
  static List<InsertedRows> of(TransactionWrites writes) {
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

  TableVersions table() {
    return table;
  }

  Tablet tablet() {
    return table.store().tablet(tablet);
  }

  /** In the tablet. */
  int from() {
    return from;
  }

  int n() {
    return n;
  }

  long firstRow() {
    return (long) tablet * Tablet.ROWS + from;
  }

  long bytes() {
    long rowBytes = 0;
    for (int c = 0; c < columns(); c++) {
      rowBytes += table.type(c).bytes();
    }
    return rowBytes * n;
  }

  int columns() {
    return table.types().length;
  }

  Protocol protocol() {
    return protocol;
  }

  /** Settles what was left to the commit. */
  void protocol(Protocol chosen) {
    protocol = chosen;
  }

  /** The columns before this one are logged. */
  int nextColumn() {
    return nextColumn;
  }

  void nextColumn(int column) {
    nextColumn = column;
  }

  /** By column, where the values lie; empty when they do not lie beside. */
  LoggedValues[] beside() {
    return beside;
  }

  void beside(LoggedValues[] values) {
    beside = values;
  }
}
