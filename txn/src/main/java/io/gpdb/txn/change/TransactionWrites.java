package io.gpdb.txn.change;

import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.memory.BumpMemory;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.table.TableGarbage;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.log.SectionSink;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.UndoVersion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction has done so far: undo versions in order, log sections in order, tables made
 * and dropped. The rows it inserted are not logged as they come; the commit reads them from the
 * tables.
 */
public final class TransactionWrites implements SectionSink {
  private final CommitStamp stamp;
  private final MemoryAccount memory;
  private final BumpMemory versionMemory;
  private final BumpMemory sectionMemory;
  private long firstSequence;
  private final ArrayList<UndoVersion> versions = new ArrayList<>();
  private final List<TableVersions> created = new ArrayList<>();
  private final List<TableVersions> dropped = new ArrayList<>();
  private final List<Fenced> fenced = new ArrayList<>();
  private final List<Grown> grown = new ArrayList<>();
  private final List<Rewrite> rewrites = new ArrayList<>();
  private final Set<TableVersions> touched = new LinkedHashSet<>();
  private final SequencedSet<TouchedColumn> touchedColumns = new LinkedHashSet<>();
  private Protocol protocol = Protocol.REDO;

  /** A column that was written in place: the commit record names its extents. */
  public record TouchedColumn(TableVersions table, int tablet, int column) {}

  /**
   * A column or an index added to a table.
   *
   * @param shape of the table, as it is then
   * @param isColumn whether it is a column
   */
  public record Grown(TableVersions table, TableShape shape, boolean isColumn, ColumnFill fill) {
    /** An index. */
    public Grown(TableVersions table, TableShape shape) {
      this(table, shape, false, ColumnFill.NONE);
    }

    /** Takes it away again. */
    public void undo() {
      if (isColumn) {
        table.store().removeLastColumn();
      } else {
        table.store().removeLastIndex();
      }
      table.shrunk();
    }
  }

  /** A table that got another definition, and the transaction that gave it the one before. */
  public record Fenced(TableVersions table, @Nullable CommitStamp before) {}

  /** A table whose rows were moved into another. */
  public record Rewrite(TableVersions from, TableVersions to) {
    long reclaimedBytes() {
      return TableGarbage.of(from.store()).bytes() - TableGarbage.of(to.store()).bytes();
    }
  }

  /** A moment to go back to. */
  public record Mark(
      int versions,
      int created,
      int dropped,
      int fenced,
      int grown,
      int touchedColumns,
      BumpMemory.Mark versionMemory,
      BumpMemory.Mark sectionMemory) {
    /** Before the first write. */
    public static final Mark START =
        new Mark(0, 0, 0, 0, 0, 0, new BumpMemory.Mark(0, 0, 0), new BumpMemory.Mark(0, 0, 0));
  }

  public TransactionWrites(CommitStamp stamp, MemoryAccount memory) {
    this.stamp = stamp;
    this.memory = memory;
    this.versionMemory = new BumpMemory(memory);
    this.sectionMemory = new BumpMemory(memory);
  }

  public CommitStamp stamp() {
    return stamp;
  }

  /** For memory that is given back before the transaction ends. */
  public MemoryAccount memory() {
    return memory;
  }

  /** The memory that the kernels of its changes reach. */
  public DeviceMemory device() {
    return memory.memory();
  }

  /** The protocol that the running statement has asked for. */
  public Protocol protocol() {
    return protocol;
  }

  public void protocol(Protocol wish) {
    protocol = wish;
  }

  /** Whether the commit writes values to extents already. */
  public boolean hasExtentWrites() {
    UndoVersion last = versions.isEmpty() ? null : versions.getLast();
    if (last == null || last.kind() != UndoVersion.Kind.UPDATE) {
      return false;
    }
    for (int i = 0; i < last.columnCount(); i++) {
      if (last.protocol(i) == Protocol.VERSIONED) {
        return true;
      }
    }
    return false;
  }

  public BumpMemory versionMemory() {
    return versionMemory;
  }

  public BumpMemory sectionMemory() {
    return sectionMemory;
  }

  public List<UndoVersion> versions() {
    return versions;
  }

  /** Makes room for so many more versions. */
  public void expectVersions(int more) {
    versions.ensureCapacity(versions.size() + more);
  }

  public List<TableVersions> created() {
    return created;
  }

  public List<TableVersions> dropped() {
    return dropped;
  }

  /** In order. */
  public List<Fenced> fenced() {
    return fenced;
  }

  /** In order. */
  public List<Grown> grown() {
    return grown;
  }

  /** Those that were undone since among them. */
  public List<Rewrite> rewrites() {
    return rewrites;
  }

  /** By rewrite, the bytes that it reclaims. */
  public List<Long> reclaimedBytes() {
    if (rewrites.isEmpty()) {
      return List.of();
    }
    return rewrites.stream()
        .filter(r -> dropped.contains(r.from()))
        .map(Rewrite::reclaimedBytes)
        .toList();
  }

  /** The tables written to. */
  public Set<TableVersions> touched() {
    return touched;
  }

  /** In the order in which they were first written. */
  public SequencedSet<TouchedColumn> touchedColumns() {
    return touchedColumns;
  }

  public boolean isEmpty() {
    return versions.isEmpty()
        && created.isEmpty()
        && dropped.isEmpty()
        && grown.isEmpty()
        && sectionMemory.totalBytes() == 0;
  }

  /** Whether a table was made, dropped, rewritten or given another definition. */
  public boolean hasDefinitions() {
    return !(created.isEmpty() && dropped.isEmpty() && fenced.isEmpty() && grown.isEmpty());
  }

  /** Whether rows were locked and nothing was changed. */
  public boolean areLocks() {
    return !versions.isEmpty()
        && !hasDefinitions()
        && sectionMemory.totalBytes() == 0
        && allAreLocks();
  }

  private boolean allAreLocks() {
    for (int i = 0; i < versions.size(); i++) {
      if (!versions.get(i).isLock()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public MemorySegment section(long bytes) {
    return sectionMemory.allocate(bytes, WalLayout.SECTION_ALIGNMENT);
  }

  public Mark mark() {
    return new Mark(
        versions.size(),
        created.size(),
        dropped.size(),
        fenced.size(),
        grown.size(),
        touchedColumns.size(),
        versionMemory.mark(),
        sectionMemory.mark());
  }

  /** The first of the commits whose versions are here; the last is the stamp's. */
  public long firstSequence() {
    return firstSequence == 0 ? stamp.sequence() : firstSequence;
  }

  public void firstSequence(long sequence) {
    firstSequence = sequence;
  }

  /** Gives the memory of the log sections back, when these are durable. */
  public void freeSections() {
    sectionMemory.free();
  }

  /** Gives the memory back; no reader may hold a version any more. */
  public void free() {
    versionMemory.free();
    sectionMemory.free();
  }
}
