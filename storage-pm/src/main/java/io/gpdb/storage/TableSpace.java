package io.gpdb.storage;

import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All tables of a database: a volatile working image over the home image. */
@SuppressWarnings("DoNotCallSuggester")
public final class TableSpace implements AutoCloseable {
  private TableSpace() {}

  /** What a checkpoint is to hold. */
  public interface SnapshotImages {
    /**
     * The chunk without changes that are not to be in the checkpoint: {@code current} itself, or a
     * copy of at least {@code bytes} bytes. The tablet's latch is held in shared mode.
     */
    MemorySegment image(
        TableStore table,
        int tablet,
        ChunkKind kind,
        int column,
        MemorySegment current,
        long bytes);

    /** How many rows of the table belong to the checkpoint. */
    long rowLimit(TableStore table);

    /** Whether the table belongs to the checkpoint at all. */
    boolean includes(TableStore table);
  }

  public static TableSpace open(StorageDirectory dir, boolean readOnly) {
    throw Skeleton.absent();
  }

  /** The WAL position given at the last checkpoint; 0 in a new space. */
  public long checkpointedWalPosition() {
    throw Skeleton.absent();
  }

  /** The state given at the last checkpoint; empty in a new space. */
  public byte[] checkpointedState() {
    throw Skeleton.absent();
  }

  public TableStore createTable(int tableId, TableShape shape) {
    throw Skeleton.absent();
  }

  public void dropTable(int tableId) {
    throw Skeleton.absent();
  }

  public @Nullable TableStore table(int tableId) {
    throw Skeleton.absent();
  }

  public Collection<TableStore> tables() {
    throw Skeleton.absent();
  }

  /** Writes every dirty chunk and switches the root. */
  public void checkpoint(SnapshotImages images, long walPosition, byte[] state) {
    throw Skeleton.absent();
  }

  public PersistentMemory home() {
    throw Skeleton.absent();
  }

  public boolean isDirty() {
    throw Skeleton.absent();
  }

  /** Every problem found, one line each. */
  public List<String> check() {
    throw Skeleton.absent();
  }

  @Override
  public void close() {
    throw Skeleton.absent();
  }
}
