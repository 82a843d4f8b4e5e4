package io.gpdb.txn.version;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.BumpMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.api.Protocol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
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
  private final BumpMemory memory;
  private final BitSet born = new BitSet();
  private final List<UndoVersion> made = new ArrayList<>();
  private int[] rows = new int[64];

  /** Values of one column as they were before the first of the versions. */
  private record OldColumn(int column, HostBuffer values, @Nullable HostBuffer validity) {}

  /**
   * @param stamp of the merged versions: that of the last of them
   */
  public VersionMerge(TableVersions table, int tablet, CommitStamp stamp, BumpMemory memory) {
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
      int n = rowsOf(versions, column);
      int[] chosen = Arrays.copyOf(rows, n);
      if (!Arrays.equals(chosen, alikeRows)) {
        addUpdate(alikeRows, alike);
        alike.clear();
        alikeRows = chosen;
      }
      alike.add(oldColumn(versions, column, n));
    }
    addUpdate(alikeRows, alike);
    addDelete(versions);
    addLocks(versions);
    return made;
  }

  /** Rows that were locked and not changed besides. */
  private void addLocks(List<UndoVersion> versions) {
    BitSet done = (BitSet) born.clone();
    for (UndoVersion v : made) {
      for (int i = 0; i < v.n(); i++) {
        done.set(v.rows().intAt(i));
      }
    }
    int n = 0;
    for (UndoVersion v : versions) {
      for (int i = 0; v.isLock() && i < v.n(); i++) {
        n = collect(v.rows().intAt(i), done, n);
      }
    }
    if (n > 0) {
      made.add(UndoVersion.lock(stamp, table, tablet, kept(Arrays.copyOf(rows, n)), n));
    }
  }

  /** Collects each row of which a value of the column is wanted, in the order of its oldest one. */
  private int rowsOf(List<UndoVersion> versions, int column) {
    BitSet done = (BitSet) born.clone();
    int n = 0;
    for (UndoVersion v : versions) {
      if (v.positionOf(column) >= 0) {
        for (int i = 0; i < v.n(); i++) {
          n = collect(v.rows().intAt(i), done, n);
        }
      }
    }
    return n;
  }

  private int collect(int row, BitSet done, int n) {
    if (done.get(row)) {
      return n;
    }
    done.set(row);
    if (n == rows.length) {
      rows = Arrays.copyOf(rows, n * 2);
    }
    rows[n] = row;
    return n + 1;
  }

  private OldColumn oldColumn(List<UndoVersion> versions, int column, int n) {
    ElementType type = table.type(column);
    boolean nullable = false;
    for (UndoVersion v : versions) {
      int at = v.positionOf(column);
      nullable |= at >= 0 && v.oldValidity(at) != null;
    }
    HostBuffer values = memory.buffer(Math.max(1, (long) n * type.bytes()), 8);
    HostBuffer validity = nullable ? memory.buffer(Math.max(4, Bitmaps.bytes(n)), 8) : null;
    BitSet done = (BitSet) born.clone();
    int next = 0;
    for (UndoVersion v : versions) {
      int at = v.positionOf(column);
      for (int i = 0; at >= 0 && i < v.n(); i++) {
        int row = v.rows().intAt(i);
        if (!done.get(row)) {
          done.set(row);
          type.setRawAt(values, next, type.rawAt(v.oldValues(at), i));
          if (validity != null) {
            HostBuffer old = v.oldValidity(at);
            Bitmaps.set(validity, next, old == null || Bitmaps.test(old, i));
          }
          next++;
        }
      }
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
    BitSet done = (BitSet) born.clone();
    int n = 0;
    for (UndoVersion v : versions) {
      if (v.kind() == UndoVersion.Kind.DELETE) {
        for (int i = 0; i < v.n(); i++) {
          n = collect(v.rows().intAt(i), done, n);
        }
      }
    }
    if (n > 0) {
      HostBuffer kept = kept(Arrays.copyOf(rows, n));
      made.add(UndoVersion.delete(stamp, table, tablet, kept, n));
    }
  }

  private HostBuffer kept(int[] numbers) {
    HostBuffer kept = memory.buffer(4L * numbers.length, 8);
    kept.write(0, numbers, 0, numbers.length);
    return kept;
  }
}
