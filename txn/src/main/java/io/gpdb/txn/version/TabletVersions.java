package io.gpdb.txn.version;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The undo versions of one tablet, in the order of the writes. Changed under the tablet's exclusive
 * latch, read under the shared one.
 *
 * <p>Of one row, the versions that a reader does not see are newer than those it sees, because a
 * row is written by one transaction at a time and by nobody whose snapshot misses the last writer
 * (invariant R5). So the reader's state results from putting back, from new to old, what it does
 * not see.
 */
public final class TabletVersions {
  private final VersionList rowWrites = new VersionList();
  private final VersionList inserts = new VersionList();
  private @Nullable RowHeads heads;

  public boolean isEmpty() {
    return rowWrites.size() == 0 && inserts.size() == 0;
  }

  void forEach(Consumer<UndoVersion> action) {
    for (int i = 0; i < rowWrites.size(); i++) {
      action.accept(rowWrites.at(i));
    }
    for (int i = 0; i < inserts.size(); i++) {
      action.accept(inserts.at(i));
    }
  }

  /** Makes room for one more version, of any kind. */
  public void expectVersion() {
    rowWrites.expectOne();
    inserts.expectOne();
  }

  public void add(UndoVersion version) {
    if (version.kind() == UndoVersion.Kind.INSERT) {
      inserts.addByRow(version);
    } else {
      rowWrites.add(version);
    }
  }

  /** Takes the version out, after what it did was undone. */
  public void remove(UndoVersion version) {
    if (version.kind() == UndoVersion.Kind.INSERT) {
      inserts.remove(version);
    } else {
      rowWrites.remove(version);
      forgetHeads();
    }
  }

  /** Drops what every snapshot from {@code horizon} on sees. */
  public void prune(long horizon) {
    inserts.prune(horizon);
    if (rowWrites.prune(horizon)) {
      forgetHeads();
    }
  }

  /**
   * Merges what committed after the one sequence and up to the other; returns the versions made.
   * Versions of one row stay in the order of its writes: those before these stay before, and those
   * after, after.
   */
  public List<UndoVersion> merge(long after, long upTo, Merging merge) {
    List<UndoVersion> ranges = merge.inserts(inserts.between(after, upTo));
    List<UndoVersion> writes = merge.rowWrites(rowWrites.between(after, upTo));
    inserts.removeBetween(after, upTo);
    ranges.forEach(inserts::addByRow);
    rowWrites.replaceBetween(after, upTo, writes);
    forgetHeads();
    List<UndoVersion> made = new ArrayList<>(ranges);
    made.addAll(writes);
    return made;
  }

  private synchronized void forgetHeads() {
    heads = null;
  }

  /** Whether the reader sees all that was done to the tablet. */
  public boolean seesAll(ReadPoint reader) {
    return rowWrites.seesAll(reader) && inserts.seesAll(reader);
  }

  /** Whether the reader sees the newest live bits; may say no where it does. */
  public boolean seesLive(ReadPoint reader) {
    if (!inserts.seesAll(reader)) {
      return false;
    }
    for (int i = rowWrites.size() - 1; i >= 0; i--) {
      UndoVersion v = rowWrites.at(i);
      if (v.kind() == UndoVersion.Kind.DELETE && !reader.sees(v.stamp())) {
        return false;
      }
    }
    return true;
  }

  public boolean seesColumn(ReadPoint reader, int column) {
    for (int i = rowWrites.size() - 1; i >= 0; i--) {
      UndoVersion v = rowWrites.at(i);
      if (v.positionOf(column) >= 0 && !reader.sees(v.stamp())) {
        return false;
      }
    }
    return true;
  }

  /** Whether a transaction whose commit is not durable has updated the column. */
  boolean hasUncommitted(int column) {
    for (int i = rowWrites.size() - 1; i >= 0; i--) {
      UndoVersion v = rowWrites.at(i);
      if (v.positionOf(column) >= 0 && !v.stamp().isDurable()) {
        return true;
      }
    }
    return false;
  }

  /** Puts back, in a copy of the column's values, what the reader does not see changed. */
  public void patchValues(ReadPoint reader, int column, ElementType type, HostBuffer copy) {
    for (int i = rowWrites.size() - 1; i >= 0; i--) {
      UndoVersion v = rowWrites.at(i);
      int at = v.positionOf(column);
      if (at >= 0 && !reader.sees(v.stamp())) {
        type.scatter(v.oldValues(at), v.rows(), v.n(), copy);
      }
    }
  }

  public void patchValidity(ReadPoint reader, int column, HostBuffer copy) {
    for (int i = rowWrites.size() - 1; i >= 0; i--) {
      UndoVersion v = rowWrites.at(i);
      int at = v.positionOf(column);
      if (at >= 0 && !reader.sees(v.stamp())) {
        putValidity(v, at, copy);
      }
    }
  }

  public static void putValidity(UndoVersion v, int at, HostBuffer bitmap) {
    HostBuffer old = v.oldValidity(at);
    for (int r = 0; r < v.n(); r++) {
      Bitmaps.set(bitmap, v.rows().intAt(r), old == null || Bitmaps.test(old, r));
    }
  }

  /** Deletes before inserts: a row whose birth the reader does not see is not live to it. */
  public void patchLive(ReadPoint reader, HostBuffer copy) {
    for (int i = rowWrites.size() - 1; i >= 0; i--) {
      UndoVersion v = rowWrites.at(i);
      if (!reader.sees(v.stamp())) {
        putLive(v, copy);
      }
    }
    for (int i = 0; i < inserts.size(); i++) {
      UndoVersion v = inserts.at(i);
      if (!reader.sees(v.stamp())) {
        putLive(v, copy);
      }
    }
  }

  /** Restores the live bits to their state before the version. */
  public static void putLive(UndoVersion v, HostBuffer bitmap) {
    switch (v.kind()) {
      case INSERT -> Bitmaps.setRange(bitmap, v.from(), v.n(), false);
      case DELETE -> {
        for (int r = 0; r < v.n(); r++) {
          Bitmaps.set(bitmap, v.rows().intAt(r), true);
        }
      }
      case UPDATE -> {}
    }
  }

  /** The first of the rows whose newest write the writer does not see, or -1. */
  public int firstConflict(ReadPoint writer, HostBuffer rows, int n) {
    if (seesAll(writer)) {
      return -1;
    }
    for (int i = 0; i < n; i++) {
      int row = rows.intAt(i);
      if (isUnseen(writer, row)) {
        return row;
      }
    }
    return -1;
  }

  /** Whether the row's newest write is one that the reader does not see. */
  boolean isUnseen(ReadPoint reader, int row) {
    return unseenWriter(reader, row) != null;
  }

  /** Whose write is the row's newest, when the reader does not see it; else null. */
  public synchronized @Nullable CommitStamp unseenWriter(ReadPoint reader, int row) {
    RowHeads known = indexed();
    int head = known.head(row);
    CommitStamp last = head >= 0 ? known.version(head).stamp() : null;
    if (last != null && !reader.sees(last)) {
      return last;
    }
    UndoVersion born = insertOf(row);
    return born != null && !reader.sees(born.stamp()) ? born.stamp() : null;
  }

  /** Whether the row's newest update, delete or lock is the writer's. */
  public synchronized boolean isLastWrittenBy(CommitStamp writer, int row) {
    RowHeads known = indexed();
    int head = known.head(row);
    return head >= 0 && known.version(head).stamp() == writer;
  }

  /**
   * Whether one whose place in the log is settled, and whom the reader does not see, has made or
   * unmade rows or changed one of the columns.
   */
  boolean hasChanged(ReadPoint reader, long columns) {
    return !seesAll(reader)
        && (inserts.anyChange(reader, columns) || rowWrites.anyChange(reader, columns));
  }

  /** As {@link #hasChanged}, of one row. */
  synchronized boolean rowHasChanged(ReadPoint reader, int row, long columns) {
    UndoVersion born = insertOf(row);
    if (born != null && born.isChange(reader, columns)) {
      return true;
    }
    RowHeads known = indexed();
    for (int slot = known.head(row); slot >= 0; slot = known.previous(slot)) {
      UndoVersion v = known.version(slot);
      if (v.isChange(reader, columns)) {
        return true;
      }
      if (reader.sees(v.stamp())) {
        return false;
      }
    }
    return false;
  }

  private @Nullable UndoVersion insertOf(int row) {
    int low = 0;
    int high = inserts.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      UndoVersion v = inserts.at(middle);
      if (row < v.from()) {
        high = middle - 1;
      } else if (row >= v.from() + v.n()) {
        low = middle + 1;
      } else {
        return v;
      }
    }
    return null;
  }

  private RowHeads indexed() {
    RowHeads known = heads;
    if (known == null) {
      known = new RowHeads();
      heads = known;
    }
    for (int i = known.versionCount(); i < rowWrites.size(); i++) {
      known.add(rowWrites.at(i));
    }
    return known;
  }

  /**
   * Turns the newest state of one row into the reader's.
   *
   * @param live whether the row is live in the newest state
   * @return whether the reader sees the row
   */
  synchronized boolean restoreRow(
      ReadPoint reader,
      int row,
      boolean live,
      int[] columns,
      long[] values,
      boolean[] nulls,
      ElementType[] types) {
    UndoVersion born = insertOf(row);
    if (born != null && !reader.sees(born.stamp())) {
      return false;
    }
    boolean seen = live;
    RowHeads known = indexed();
    for (int slot = known.head(row); slot >= 0; slot = known.previous(slot)) {
      UndoVersion v = known.version(slot);
      if (reader.sees(v.stamp())) {
        break;
      }
      if (v.kind() == UndoVersion.Kind.DELETE) {
        seen = true;
      } else {
        putRow(v, known.position(v, slot), columns, values, nulls, types);
      }
    }
    return seen;
  }

  /** Whether there is a version of the row, or of its insertion. */
  synchronized boolean knows(int row) {
    return insertOf(row) != null || indexed().head(row) >= 0;
  }

  private static void putRow(
      UndoVersion v, int at, int[] columns, long[] values, boolean[] nulls, ElementType[] types) {
    for (int c = 0; c < columns.length; c++) {
      int position = v.positionOf(columns[c]);
      if (position >= 0) {
        HostBuffer valid = v.oldValidity(position);
        nulls[c] = valid != null && !Bitmaps.test(valid, at);
        values[c] = types[columns[c]].rawAt(v.oldValues(position), at);
      }
    }
  }

  /**
   * Whose write the reader does not see that made or unmade the row, or changed one of the columns;
   * null where it sees all of these.
   */
  synchronized @Nullable CommitStamp unseenChange(ReadPoint reader, int row, long columns) {
    RowHeads known = indexed();
    for (int slot = known.head(row); slot >= 0; slot = known.previous(slot)) {
      UndoVersion v = known.version(slot);
      if (reader.sees(v.stamp())) {
        break;
      }
      if (v.isAbout(columns)) {
        return v.stamp();
      }
    }
    UndoVersion born = insertOf(row);
    return born != null && !reader.sees(born.stamp()) ? born.stamp() : null;
  }

  /**
   * The first row that others have inserted, or given other values of the columns, unseen by the
   * reader, and that the test takes; -1 where there is none.
   */
  synchronized int firstUnseen(ReadPoint reader, long columns, IntPredicate test) {
    for (int i = 0; i < inserts.size(); i++) {
      UndoVersion v = inserts.at(i);
      for (int r = 0; r < v.n() && !reader.sees(v.stamp()); r++) {
        if (test.test(v.from() + r)) {
          return v.from() + r;
        }
      }
    }
    for (int i = 0; i < rowWrites.size(); i++) {
      UndoVersion v = rowWrites.at(i);
      if (v.kind() == UndoVersion.Kind.UPDATE && v.isAbout(columns) && !reader.sees(v.stamp())) {
        for (int r = 0; r < v.n(); r++) {
          if (test.test(v.rows().intAt(r))) {
            return v.rows().intAt(r);
          }
        }
      }
    }
    return -1;
  }

  /** Calls {@code key} with the row's key columns in every state that a writer left behind. */
  synchronized boolean anyOlderState(
      int row, int[] columns, long[] values, boolean[] nulls, ElementType[] types, RowTest test) {
    RowHeads known = indexed();
    for (int slot = known.head(row); slot >= 0; slot = known.previous(slot)) {
      UndoVersion v = known.version(slot);
      if (v.kind() == UndoVersion.Kind.UPDATE) {
        putRow(v, known.position(v, slot), columns, values, nulls, types);
      }
      if (test.matches(values, nulls)) {
        return true;
      }
    }
    return false;
  }

  /** Makes few versions of many. */
  interface Merging {
    /** Versions of inserts, by row, as one for each range. Called before {@link #rowWrites}. */
    List<UndoVersion> inserts(List<UndoVersion> versions);

    /** Versions of updates and deletes, in the order of the writes. */
    List<UndoVersion> rowWrites(List<UndoVersion> versions);
  }

  /** Judges one row's values. */
  @FunctionalInterface
  interface RowTest {
    boolean matches(long[] values, boolean[] nulls);
  }
}
