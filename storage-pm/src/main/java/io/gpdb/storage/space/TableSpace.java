package io.gpdb.storage.space;

import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.HomeCheck;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.home.RootImage;
import io.gpdb.storage.medium.DatabaseFiles;
import io.gpdb.storage.medium.Medium;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.LoggedValues;
import io.gpdb.storage.tablet.SpaceMemory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All tables of a database: a volatile working image over the home image.
 *
 * <p>The working image is changed freely and reaches the medium by {@link #checkpoint} alone (or by
 * an in-place protocol, chunk by chunk). On a {@link Medium#VOLATILE} medium, where nothing
 * outlives the process, a checkpoint writes nothing.
 */
public final class TableSpace implements AutoCloseable {
  private final StorageDirectory dir;
  private final SpaceMemory space;
  private final boolean readOnly;
  private final ConcurrentNavigableMap<Integer, TableStore> tables = new ConcurrentSkipListMap<>();
  private final ReentrantLock checkpointLock = new ReentrantLock();
  private final Queue<TableStore> dropped = new ConcurrentLinkedQueue<>();
  private volatile long walPosition;
  private volatile byte[] state;
  private boolean closed;

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

    /** The columns and indexes of the table that belong to the checkpoint: its first ones. */
    default TableShape shape(TableStore table) {
      return table.shape();
    }

    /** Whether the table belongs to the checkpoint at all. */
    boolean includes(TableStore table);

    /** Called when the copies that were returned are not read any more. */
    default void written() {}

    /** Everything is written but the root; what throws here ends the checkpoint. */
    default void beforeSwitch() {}

    /** The last commit that belongs to the checkpoint. */
    default long lastSequence() {
      return Long.MAX_VALUE;
    }

    /** Everything as it is: right when no transaction is active. */
    static SnapshotImages current() {
      return new SnapshotImages() {
        @Override
        public MemorySegment image(
            TableStore table,
            int tablet,
            ChunkKind kind,
            int column,
            MemorySegment current,
            long bytes) {
          return current;
        }

        @Override
        public long rowLimit(TableStore table) {
          return table.rowLimit();
        }

        @Override
        public boolean includes(TableStore table) {
          return true;
        }
      };
    }
  }

  private TableSpace(StorageDirectory dir, HomeImage home, boolean readOnly, DeviceMemory device) {
    this.dir = dir;
    this.readOnly = readOnly;
    space = new SpaceMemory(home, device);
    space.memory().temporaryFiles(dir::temporaryFile);
    if (dir.medium() == Medium.VOLATILE) {
      space.memory().limitTables();
    }
    RootImage root = home.loadRoot();
    walPosition = home.superblock().walPosition();
    state = root.state();
    for (RootImage.TableImage image : root.tables()) {
      if (tables.put(image.tableId(), new TableStore(space, image)) != null) {
        throw new GpdbException(
            ErrorCode.CORRUPTION,
            "table=%d: is in the root directory twice".formatted(image.tableId()));
      }
    }
  }

  /** Opens the tables in the directory, or makes the home file where there is none. */
  public static TableSpace open(StorageDirectory dir, boolean readOnly) {
    TableSpace opened = openToRecover(dir, readOnly, HostMemory.INSTANCE);
    if (readOnly) {
      opened.freeze();
    }
    return opened;
  }

  /**
   * As {@link #open}; the working image of a read-only one takes what recovery brings until {@link
   * #freeze}. The home file is written neither before nor after.
   *
   * @param device the memory of the device that the database's kernels run on
   */
  public static TableSpace openToRecover(
      StorageDirectory dir, boolean readOnly, DeviceMemory device) {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, "byte order of this machine: " + ByteOrder.nativeOrder());
    }
    HomeImage home = HomeImage.open(dir, readOnly);
    try {
      return new TableSpace(dir, home, readOnly, device);
    } catch (RuntimeException e) {
      home.close();
      throw e;
    }
  }

  /** Has every later change of the working image refused. */
  public void freeze() {
    space.freeze();
  }

  /** Set at the creation of the database; distinguishes its log from another's. */
  public UUID databaseId() {
    return space.home().superblock().databaseId();
  }

  /** The WAL position that the last checkpoint stored; 0 in a new space. */
  public long checkpointedWalPosition() {
    return walPosition;
  }

  /** The state that the last checkpoint stored; empty in a new space. */
  public byte[] checkpointedState() {
    return state.clone();
  }

  public TableStore createTable(int tableId, TableShape shape) {
    space.markDirty();
    TableStore table = new TableStore(space, tableId, shape);
    if (tables.putIfAbsent(tableId, table) != null) {
      throw new GpdbException(ErrorCode.INTERNAL, "table is there already: table=" + tableId);
    }
    return table;
  }

  /**
   * Drops the table if it is there, waiting for readers that hold latches. Its memory is given back
   * at once, or when the checkpoint that is being written has ended; its space is free two
   * checkpoints later.
   */
  public void dropTable(int tableId) {
    TableStore table = tables.remove(tableId);
    if (table != null) {
      space.markDirty();
      dropped.add(table);
      discardDropped();
    }
  }

  /**
   * A thread that adds a table and finds the lock taken relies on the holder, which calls this
   * afterwards.
   */
  private void discardDropped() {
    while (!dropped.isEmpty() && checkpointLock.tryLock()) {
      try {
        for (TableStore table = dropped.poll(); table != null; table = dropped.poll()) {
          table.discard();
        }
        space.memory().trim();
      } finally {
        checkpointLock.unlock();
      }
    }
  }

  /** The round in which codes are found and stored now. */
  public int codeRound() {
    return space.codeRound().get();
  }

  /** Begins the next round, in which it is looked which codes are in use. */
  public int beginCodeRound() {
    return space.codeRound().incrementAndGet();
  }

  /** Gives free memory back to the system. */
  public void trim() {
    space.memory().trim();
  }

  public @Nullable TableStore table(int tableId) {
    return tables.get(tableId);
  }

  /** All tables by ascending id. */
  public Collection<TableStore> tables() {
    return Collections.unmodifiableCollection(tables.values());
  }

  /**
   * Writes every dirty chunk and switches the root. Others may read and write meanwhile; {@code
   * images} says what belongs to the checkpoint.
   */
  public void checkpoint(SnapshotImages images, long newWalPosition, byte[] newState) {
    if (readOnly) {
      throw new GpdbException(ErrorCode.READ_ONLY, "database is open for reading only");
    }
    checkpointLock.lock();
    try {
      if (dir.medium() == Medium.VOLATILE) {
        space.clearDirty();
      } else {
        List<TableStore> all = new ArrayList<>(tables.values());
        new Checkpoint(space, images).run(all, newWalPosition, newState);
      }
      walPosition = newWalPosition;
      state = newState.clone();
    } finally {
      checkpointLock.unlock();
      discardDropped();
    }
  }

  /**
   * Writes all that {@code images} contains as a complete database into the directory, which must
   * be empty. Its file has a name that no database uses until all of it is durable and {@code log}
   * has made its log for the copy's database id; on an error nothing of it is left. Others may read
   * and write meanwhile.
   */
  public void backUp(
      SnapshotImages images,
      long newWalPosition,
      byte[] newState,
      StorageDirectory target,
      Consumer<UUID> log) {
    List<TableStore> all = new ArrayList<>(tables.values());
    new SpaceBackup(images).run(all, newWalPosition, newState, target, log);
  }

  /** The record that names the values is durable: they are the log's until a checkpoint. */
  public void keep(LoggedValues values, long sequence) {
    space.home().logged().own(values.extent(), sequence);
    if (values.changes() >= 0) {
      values.chunk().putLogged(values.extent(), values.changes());
    }
  }

  /** No record names the values, nor ever will: their space is free. */
  public void discard(LoggedValues values) {
    space.home().discard(values.extent());
  }

  /** Bytes of the home file that are kept because the log names them. */
  public long loggedBytes() {
    return space.home().logged().bytes();
  }

  /** The values that a log record names; null when the file ends before their end. */
  public @Nullable MemorySegment loggedValues(long offset, long bytes) {
    PersistentMemory memory = home();
    boolean inside = offset >= 0 && bytes >= 0 && offset <= memory.sizeBytes() - bytes;
    return inside ? memory.view(offset, bytes, false) : null;
  }

  /** For recovery: a durable record of that commit names the extent. */
  public void reserve(long offset, long bytes, long sequence) {
    Extent named = Extent.unsealed(offset, bytes);
    space.home().reserve(named, "extent of commit " + sequence);
    space.home().logged().own(named, sequence);
  }

  public PersistentMemory home() {
    return space.home().memory();
  }

  /** For tests: the home file behind the tables. */
  HomeImage homeImage() {
    return space.home();
  }

  /** Whether the working image may differ from the home image. */
  public boolean isDirty() {
    return space.isDirty();
  }

  /** Whether checkpoints with nothing to write would give space back to the system. */
  public boolean awaitsShrinking() {
    return !readOnly && dir.medium() != Medium.VOLATILE && space.home().awaitsShrinking();
  }

  /** Whether much of the home file is free between what is used. */
  public boolean isScattered() {
    return !readOnly
        && dir.medium() != Medium.VOLATILE
        && new HomeGathering(space.home(), tables.values()).isDue();
  }

  /** Has the next checkpoint move what is far behind in the home file; nobody uses the tables. */
  public void gather() {
    new HomeGathering(space.home(), tables.values()).run();
  }

  /** Has the next checkpoint be taken: what only the root before needs is free then. */
  public void wantCheckpoint() {
    space.markDirty();
  }

  /** The database's memory outside the heap. */
  public DatabaseMemory memory() {
    return space.memory();
  }

  /** Off-heap bytes taken for the working image. */
  public long workingBytes() {
    return space.tables().usedBytes();
  }

  /** Limits {@link #workingBytes}: what would need more fails with {@code OUT_OF_MEMORY}. */
  public void limitWorkingBytes(long bytes) {
    space.tables().limit(bytes);
  }

  /** Bytes of the home file that nothing uses. */
  public long freeBytes() {
    return space.home().freeBytes();
  }

  /** Every problem found, one line each; reads every byte. Nobody may write meanwhile. */
  public List<String> check() {
    checkpointLock.lock();
    try {
      return new SpaceCheck(space.home(), tables.values()).run();
    } finally {
      checkpointLock.unlock();
      discardDropped();
    }
  }

  /** As {@link #check}, of the home file alone and without opening the database. */
  public static List<String> checkFile(StorageDirectory dir) {
    if (!dir.exists(DatabaseFiles.HOME)) {
      return List.of("no " + DatabaseFiles.HOME + ": database=" + dir.description());
    }
    List<String> problems = new ArrayList<>();
    try (PersistentMemory memory = dir.open(DatabaseFiles.HOME, 0)) {
      new HomeCheck(memory, problems).run();
    }
    return problems;
  }

  /** Closes the home file and frees the working image; what was not checkpointed is gone. */
  @Override
  public void close() {
    checkpointLock.lock();
    try {
      if (!closed) {
        closed = true;
        space.close();
      }
    } finally {
      checkpointLock.unlock();
    }
  }
}
