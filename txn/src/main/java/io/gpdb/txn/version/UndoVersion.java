package io.gpdb.txn.version;

import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.api.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * The before-image of one write to one tablet: enough to undo it, and to show older snapshots what
 * was there. Row i of the list had, in {@code columns[c]}, value i of {@code oldValues[c]}.
 */
public final class UndoVersion {
  private static final int[] NO_COLUMNS = {};
  private static final HostBuffer[] NO_VALUES = {};
  private static final @Nullable HostBuffer[] NO_VALIDITY = {};
  private static final Protocol[] LOGGED = {Protocol.REDO};

  /** What the write did. */
  public enum Kind {
    INSERT,
    UPDATE,
    DELETE
  }

  private final CommitStamp stamp;
  private final TableVersions table;
  private final int tablet;
  private final Kind kind;
  private final int from;
  private final int n;
  private final HostBuffer rows;
  private final int[] columns;
  private final HostBuffer[] oldValues;
  private final @Nullable HostBuffer[] oldValidity;
  private final Protocol[] protocols;

  private UndoVersion(
      CommitStamp stamp,
      TableVersions table,
      int tablet,
      Kind kind,
      int from,
      int n,
      HostBuffer rows,
      int[] columns,
      HostBuffer[] oldValues,
      @Nullable HostBuffer[] oldValidity,
      Protocol[] protocols) {
    this.stamp = stamp;
    this.table = table;
    this.tablet = tablet;
    this.kind = kind;
    this.from = from;
    this.n = n;
    this.rows = rows;
    this.columns = columns;
    this.oldValues = oldValues;
    this.oldValidity = oldValidity;
    this.protocols = protocols;
  }

  /** Rows from to from+n became live; their values become durable by the protocol. */
  public static UndoVersion insert(
      CommitStamp stamp, TableVersions table, int tablet, int from, int n, Protocol protocol) {
    return new UndoVersion(
        stamp,
        table,
        tablet,
        Kind.INSERT,
        from,
        n,
        HostBuffer.NONE,
        NO_COLUMNS,
        NO_VALUES,
        NO_VALIDITY,
        new Protocol[] {protocol});
  }

  /** The rows ceased to be live. */
  public static UndoVersion delete(
      CommitStamp stamp, TableVersions table, int tablet, HostBuffer rows, int n) {
    return new UndoVersion(
        stamp, table, tablet, Kind.DELETE, -1, n, rows, NO_COLUMNS, NO_VALUES, NO_VALIDITY, LOGGED);
  }

  /** The rows were locked: an update of no columns. */
  public static UndoVersion lock(
      CommitStamp stamp, TableVersions table, int tablet, HostBuffer rows, int n) {
    return new UndoVersion(
        stamp, table, tablet, Kind.UPDATE, -1, n, rows, NO_COLUMNS, NO_VALUES, NO_VALIDITY, LOGGED);
  }

  /** Whether it is of rows that were locked and not changed. */
  public boolean isLock() {
    return kind == Kind.UPDATE && columns.length == 0;
  }

  /**
   * The rows had these values.
   *
   * @param oldValidity per column a bitmap over n, or null when all were present
   * @param protocols by column, those of the new values
   */
  public static UndoVersion update(
      CommitStamp stamp,
      TableVersions table,
      int tablet,
      HostBuffer rows,
      int n,
      int[] columns,
      HostBuffer[] oldValues,
      @Nullable HostBuffer[] oldValidity,
      Protocol[] protocols) {
    return new UndoVersion(
        stamp, table, tablet, Kind.UPDATE, -1, n, rows, columns, oldValues, oldValidity, protocols);
  }

  CommitStamp stamp() {
    return stamp;
  }

  public TableVersions table() {
    return table;
  }

  public int tablet() {
    return tablet;
  }

  public Kind kind() {
    return kind;
  }

  /** Of an insert: the first row in the tablet. */
  public int from() {
    return from;
  }

  public int n() {
    return n;
  }

  /** Of an update or delete: i32[n]. */
  public HostBuffer rows() {
    return rows;
  }

  public int columnCount() {
    return columns.length;
  }

  public int column(int i) {
    return columns[i];
  }

  /**
   * Whether the reader does not see it, its writer's place in the log is settled, and it is about
   * the rows' existence or one of the columns.
   */
  boolean isChange(ReadPoint reader, long columnMask) {
    return !reader.sees(stamp) && stamp.isOrdered() && isAbout(columnMask);
  }

  /** Whether it is about the rows' existence or one of the columns. */
  boolean isAbout(long columnMask) {
    return kind != Kind.UPDATE || (ColumnMask.of(columns) & columnMask) != 0;
  }

  /** The position of a column among those updated, or -1. */
  int positionOf(int column) {
    for (int i = 0; i < columns.length; i++) {
      if (columns[i] == column) {
        return i;
      }
    }
    return -1;
  }

  /** How the new values of the i-th column updated, or of the rows inserted, become durable. */
  public Protocol protocol(int i) {
    return protocols[i];
  }

  public HostBuffer oldValues(int i) {
    return oldValues[i];
  }

  @Nullable HostBuffer oldValidity(int i) {
    return oldValidity[i];
  }
}
