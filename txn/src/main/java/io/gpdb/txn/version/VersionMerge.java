package io.gpdb.txn.version;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.api.Protocol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Merges versions of one tablet between whose commits there is no snapshot: of each row and column
 * only the oldest value is needed, and nothing of rows that were inserted by one of them.
 */
public final class VersionMerge implements TabletVersions.Merging {
  /** How the values became durable matters no more: their transactions have committed. */
  private static final Protocol DURABLE = Protocol.REDO;

  private final TableVersions table;
  private final int tablet;
  private final CommitStamp stamp;
  private final LongFunction<HostBuffer> memory;
  private final BitSet born = new BitSet();
  private final List<UndoVersion> made = new ArrayList<>();

  /** Values of one column as they were before the first of the versions. */
  private record OldColumn(int column, HostBuffer values, @Nullable HostBuffer validity) {}

  /**
   * What one version has of the merged values of a column.
   *
   * @param position of the column in the version
   * @param indexes of the rows in the version's list; null for all of them
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  private record Taken(UndoVersion version, int position, int @Nullable [] indexes) {
    int n() {
      return indexes == null ? version.n() : indexes.length;
    }

    @Nullable HostBuffer validity() {
      return version.oldValidity(position);
    }

    void copyValues(ElementType type, HostBuffer to, int next) {
      HostBuffer old = version.oldValues(position);
      if (indexes == null || indexes.length == version.n()) {
        long width = type.bytes();
        to.copyFrom(old, 0, next * width, version.n() * width);
      } else {
        type.gather(old.segment(), indexes, to.segment(), next);
      }
    }

    void copyValidity(HostBuffer to, int next) {
      HostBuffer old = validity();
      for (int i = 0; i < n(); i++) {
        int index = indexes == null ? i : indexes[i];
        Bitmaps.set(to, next + i, old == null || Bitmaps.test(old, index));
      }
    }
  }

  /**
   * @param stamp of the merged versions: that of the last of them
   * @param memory returns room of the given number of bytes for what is kept
   */
  public VersionMerge(
      TableVersions table, int tablet, CommitStamp stamp, LongFunction<HostBuffer> memory) {
    this.table = table;
    this.tablet = tablet;
    this.stamp = stamp;
    this.memory = memory;
  }

  @Override
  public List<UndoVersion> inserts(List<UndoVersion> versions) {
    List<UndoVersion> ranges = new ArrayList<>();
    int from = -1;
    int end = -1;
    for (UndoVersion v : versions) {
      born.set(v.from(), v.from() + v.n());
      if (v.from() != end) {
        if (from >= 0) {
          ranges.add(UndoVersion.insert(stamp, table, tablet, from, end - from, DURABLE));
        }
        from = v.from();
      }
      end = v.from() + v.n();
    }
    if (from >= 0) {
      ranges.add(UndoVersion.insert(stamp, table, tablet, from, end - from, DURABLE));
    }
    return ranges;
  }

  @Override
  public List<UndoVersion> rowWrites(List<UndoVersion> versions) {
    TreeSet<Integer> columns = new TreeSet<>();
    for (UndoVersion v : versions) {
      for (int i = 0; i < v.columnCount(); i++) {
        columns.add(v.column(i));
      }
    }
    List<OldColumn> alike = new ArrayList<>();
    int[] alikeRows = {};
    for (int column : columns) {
      UndoVersion first = firstOfSameRows(versions, column);
      List<Taken> taken;
      int[] chosen;
      if (first == null) {
        FirstRows rows = new FirstRows(born);
        taken = taken(versions, column, rows);
        chosen = rows.all();
      } else {
        taken = List.of(new Taken(first, first.positionOf(column), null));
        chosen = rowsOf(first);
      }
      if (!Arrays.equals(chosen, alikeRows)) {
        addUpdate(alikeRows, alike);
        alike.clear();
        alikeRows = chosen;
      }
      alike.add(oldColumn(taken, column, chosen.length));
    }
    addUpdate(alikeRows, alike);
    addDelete(versions);
    addLocks(versions);
    return made;
  }

  /** Rows that were locked and not changed besides. */
  private void addLocks(List<UndoVersion> versions) {
    List<UndoVersion> locks = versions.stream().filter(UndoVersion::isLock).toList();
    if (locks.isEmpty()) {
      return;
    }
    FirstRows rows = new FirstRows(born);
    made.forEach(rows::add);
    int changed = rows.count();
    locks.forEach(rows::add);
    if (rows.count() > changed) {
      int[] locked = Arrays.copyOfRange(rows.all(), changed, rows.count());
      made.add(UndoVersion.lock(stamp, table, tablet, kept(locked), locked.length));
    }
  }

  /**
   * The first of the column's versions, where all of them are of the same rows, as those of a
   * statement that is run again and again: no row needs to be looked at. Else null.
   */
  private @Nullable UndoVersion firstOfSameRows(List<UndoVersion> versions, int column) {
    UndoVersion first = null;
    for (UndoVersion v : versions) {
      if (v.positionOf(column) < 0) {
        continue;
      }
      if (first == null) {
        first = v;
      } else if (!areSame(first, v)) {
        return null;
      }
    }
    return born.isEmpty() ? first : null;
  }

  private static boolean areSame(UndoVersion a, UndoVersion b) {
    long bytes = 4L * a.n();
    return a.n() == b.n()
        && a.rows().segment().asSlice(0, bytes).mismatch(b.rows().segment().asSlice(0, bytes)) < 0;
  }

  private static int[] rowsOf(UndoVersion version) {
    int[] rows = new int[version.n()];
    version.rows().read(0, rows, 0, rows.length);
    return rows;
  }

  /** Where the old values of a column are taken from. */
  private List<Taken> taken(List<UndoVersion> versions, int column, FirstRows rows) {
    List<Taken> taken = new ArrayList<>(versions.size());
    for (UndoVersion v : versions) {
      int at = v.positionOf(column);
      if (at >= 0) {
        taken.add(new Taken(v, at, rows.add(v)));
      }
    }
    return taken;
  }

  private OldColumn oldColumn(List<Taken> taken, int column, int n) {
    ElementType type = table.type(column);
    boolean nullable = taken.stream().anyMatch(t -> t.validity() != null);
    HostBuffer values = memory.apply(Math.max(1, (long) n * type.bytes()));
    HostBuffer validity = nullable ? memory.apply(Math.max(4, Bitmaps.bytes(n))) : null;
    int next = 0;
    for (Taken t : taken) {
      t.copyValues(type, values, next);
      if (validity != null) {
        t.copyValidity(validity, next);
      }
      next += t.n();
    }
    assert next == n : "values " + next + " of " + n + " rows";
    return new OldColumn(column, values, validity);
  }

  private void addUpdate(int[] ofRows, List<OldColumn> columns) {
    if (ofRows.length == 0) {
      return;
    }
    int[] numbers = columns.stream().mapToInt(OldColumn::column).toArray();
    HostBuffer[] values = columns.stream().map(OldColumn::values).toArray(HostBuffer[]::new);
    @Nullable HostBuffer[] validity = new @Nullable HostBuffer[numbers.length];
    for (int i = 0; i < validity.length; i++) {
      validity[i] = columns.get(i).validity();
    }
    Protocol[] durable = new Protocol[numbers.length];
    Arrays.fill(durable, DURABLE);
    made.add(
        UndoVersion.update(
            stamp, table, tablet, kept(ofRows), ofRows.length, numbers, values, validity, durable));
  }

  private void addDelete(List<UndoVersion> versions) {
    List<UndoVersion> deletes =
        versions.stream().filter(v -> v.kind() == UndoVersion.Kind.DELETE).toList();
    if (deletes.isEmpty()) {
      return;
    }
    FirstRows rows = new FirstRows(born);
    deletes.forEach(rows::add);
    if (rows.count() > 0) {
      made.add(UndoVersion.delete(stamp, table, tablet, kept(rows.all()), rows.count()));
    }
  }

  private HostBuffer kept(int[] numbers) {
    HostBuffer kept = memory.apply(4L * numbers.length);
    kept.write(0, numbers, 0, numbers.length);
    return kept;
  }
}
