package io.gpdb.storage.home;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.DatabaseFiles;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.Checksum;
import io.gpdb.storage.memory.MemoryPieces;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.ViewStore;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The home file: two superblocks and extents.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>A sealed extent that the root of either superblock refers to is never written.
 *   <li>A superblock is written only when all that its root refers to is durable, and only over the
 *       one that is not current.
 *   <li>An extent that a root may name is retired when it is replaced. It becomes free when a root
 *       without it is current and one more has followed, so that the roots of both superblocks stay
 *       whole.
 * </ol>
 */
public final class HomeImage implements AutoCloseable {
  private static final long INITIAL_BYTES = 16 << 10;

  private final PersistentMemory memory;
  private final ExtentAllocator allocator = new ExtentAllocator();
  private final List<Extent> retired = new ArrayList<>();
  private final List<Extent> inOldRootOnly = new ArrayList<>();
  private final LoggedExtents logged = new LoggedExtents();
  private volatile Superblock current;
  private int currentSlot;

  /** Where the free end of the file began after the last checkpoint. */
  private long freeTailBefore = Long.MAX_VALUE;

  private HomeImage(PersistentMemory memory, Superblock current, int currentSlot) {
    this.memory = memory;
    this.current = current;
    this.currentSlot = currentSlot;
  }

  /** Opens the home file, or makes an empty one under another name and renames it. */
  public static HomeImage open(StorageDirectory dir, boolean readOnly) {
    boolean found = dir.exists(DatabaseFiles.HOME);
    if (!found) {
      create(dir, readOnly);
    }
    PersistentMemory memory = dir.open(DatabaseFiles.HOME, INITIAL_BYTES);
    try {
      return open(memory, readOnly, found && !readOnly);
    } catch (RuntimeException e) {
      memory.close();
      throw e;
    }
  }

  /** A home file to back up into, under a name that no database has. */
  public static HomeImage createBackup(StorageDirectory dir) {
    if (!dir.names().isEmpty()) {
      throw new GpdbException(
          ErrorCode.FILE_EXISTS,
          "directory is not empty: " + dir.description() + ", e.g. " + dir.names().getFirst());
    }
    PersistentMemory memory = dir.open(DatabaseFiles.BACKUP_HOME, INITIAL_BYTES);
    try {
      writeEmpty(memory);
      HomeImage home = open(memory, false, false);
      home.loadRoot();
      dir.syncNames(); // so that a log's name is never there without this one
      return home;
    } catch (RuntimeException e) {
      memory.close();
      throw e;
    }
  }

  /** Makes the closed backup a database, durably; its log has its name for sure by then (A4). */
  public static void finishBackup(StorageDirectory dir) {
    dir.syncNames();
    dir.rename(DatabaseFiles.BACKUP_HOME, DatabaseFiles.HOME);
    dir.syncNames();
  }

  /** Removes what a backup that failed has written. */
  public static void dropBackup(StorageDirectory dir, RuntimeException failure) {
    for (String name : List.of(DatabaseFiles.BACKUP_HOME, DatabaseFiles.HOME)) {
      try {
        if (dir.exists(name) && !isForeign(failure)) {
          dir.delete(name);
        }
      } catch (GpdbException e) {
        failure.addSuppressed(e);
      }
    }
  }

  /** Whether the failure says that the files there are another's. */
  private static boolean isForeign(RuntimeException failure) {
    return failure instanceof GpdbException e && e.code() == ErrorCode.FILE_EXISTS;
  }

  private static void create(StorageDirectory dir, boolean readOnly) {
    if (dir.exists(DatabaseFiles.BACKUP_HOME)) {
      throw new GpdbException(
          ErrorCode.CANNOT_OPEN,
          "a backup into this directory was cut short, it holds no database: " + dir.description());
    }
    boolean hasLog = dir.names().stream().anyMatch(n -> n.startsWith(DatabaseFiles.LOG_PREFIX));
    if (hasLog) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "a log is there but no " + DatabaseFiles.HOME + ": database=" + dir.description());
    }
    if (readOnly) {
      throw new GpdbException(
          ErrorCode.FILE_NOT_FOUND, "no database to read: database=" + dir.description());
    }
    if (dir.exists(DatabaseFiles.NEW_HOME)) {
      dir.delete(DatabaseFiles.NEW_HOME);
    }
    PersistentMemory memory = dir.open(DatabaseFiles.NEW_HOME, INITIAL_BYTES);
    try (memory) {
      writeEmpty(memory);
    } catch (RuntimeException e) {
      dir.delete(DatabaseFiles.NEW_HOME);
      throw e;
    }
    dir.rename(DatabaseFiles.NEW_HOME, DatabaseFiles.HOME);
    dir.syncNames();
  }

  private static void writeEmpty(PersistentMemory memory) {
    byte[] root = RootCodec.encode(RootImage.EMPTY);
    long at = SuperblockLayout.EXTENTS_OFFSET;
    memory.store(at, MemorySegment.ofArray(root));
    memory.flush(at, root.length); // drained with the superblock: no name leads here yet
    Extent rootExtent = new Extent(at, root.length, Checksum.of(root, 0, root.length), true);
    Superblock first = new Superblock(1, rootExtent, 0, Superblock.newDatabaseId(memory.domain()));
    memory.store(0, MemorySegment.ofArray(first.encode()));
    memory.persist(0, SuperblockLayout.BLOCK_BYTES);
  }

  private static HomeImage open(PersistentMemory memory, boolean readOnly, boolean persists) {
    byte[][] blocks = new byte[SuperblockLayout.COUNT][];
    @Nullable Superblock[] found = new @Nullable Superblock[SuperblockLayout.COUNT];
    for (int slot = 0; slot < blocks.length; slot++) {
      blocks[slot] = readBlock(memory, slot);
      found[slot] = Superblock.decode(blocks[slot], memory.name());
    }
    Superblock a = found[0];
    Superblock b = found[1];
    int slot = b != null && (a == null || b.generation() > a.generation()) ? 1 : 0;
    Superblock chosen = found[slot];
    if (chosen == null) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, "both superblocks are damaged: file=" + memory.name());
    }
    HomeImage home = new HomeImage(memory, chosen, slot);
    if (persists) {
      home.persistSuperblock();
    }
    int other = 1 - slot;
    if (!readOnly && found[other] == null && !Superblock.isBlank(blocks[other])) {
      // What a crash tore; healed now so that a later fault of the other one is not fatal.
      home.writeSuperblock(chosen, other);
    }
    return home;
  }

  /**
   * The process that stored it may have been killed before the drain, and what follows relies on it
   * (W7).
   */
  private void persistSuperblock() {
    long at = (long) currentSlot * SuperblockLayout.BLOCK_BYTES;
    memory.persist(at, SuperblockLayout.BLOCK_BYTES);
  }

  private static byte[] readBlock(PersistentMemory memory, int slot) {
    byte[] block = new byte[SuperblockLayout.BLOCK_BYTES];
    if (memory.sizeBytes() < SuperblockLayout.EXTENTS_OFFSET) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "file is too short: file=%s, sizeBytes=%d, atLeast=%d"
              .formatted(memory.name(), memory.sizeBytes(), SuperblockLayout.EXTENTS_OFFSET));
    }
    memory.load((long) slot * SuperblockLayout.BLOCK_BYTES, MemorySegment.ofArray(block));
    return block;
  }

  public PersistentMemory memory() {
    return memory;
  }

  public Superblock superblock() {
    return current;
  }

  /** The current root directory; afterwards all that it does not refer to is free. */
  public RootImage loadRoot() {
    Extent extent = current.root();
    byte[] encoded = load(extent, "root directory");
    RootImage root = RootCodec.decode(encoded, memory.name() + ":" + extent.offset());
    List<Extent> used = new ArrayList<>();
    used.add(extent);
    root.forEachExtent(used::add);
    used.sort(Comparator.comparingLong(Extent::offset));
    long at = SuperblockLayout.EXTENTS_OFFSET;
    for (Extent e : used) {
      checkInside(e, at);
      allocator.addRange(at, e.offset());
      at = e.offset() + ExtentAllocator.occupiedBytes(e.bytes());
    }
    allocator.addRange(at, endOfExtents());
    return root;
  }

  private void checkInside(Extent e, long from) {
    long size = endOfExtents();
    if (e.offset() < from || e.bytes() < 0 || e.bytes() > size || endOf(e) > size) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "extent overlaps another or is outside of the file: file=%s, offset=%d, bytes=%d, sizeBytes=%d"
              .formatted(memory.name(), e.offset(), e.bytes(), memory.sizeBytes()));
    }
  }

  public byte[] load(Extent extent, String place) {
    if (extent.offset() < 0
        || extent.bytes() < 0
        || extent.bytes() > Integer.MAX_VALUE - 8
        || extent.offset() > memory.sizeBytes() - extent.bytes()) {
      throw damaged(extent, place, "is outside of the file");
    }
    byte[] bytes = new byte[(int) extent.bytes()];
    memory.load(extent.offset(), MemorySegment.ofArray(bytes));
    if (extent.sealed() && Checksum.of(bytes, 0, bytes.length) != extent.crc()) {
      throw damaged(extent, place, "checksum does not match");
    }
    return bytes;
  }

  /** A read-only view of the extent, its checksum verified. */
  public MemorySegment map(Extent extent, String place) {
    MemorySegment view = memory.view(extent.offset(), extent.bytes(), false);
    if (extent.sealed() && Checksum.of(view) != extent.crc()) {
      throw damaged(extent, place, "checksum does not match");
    }
    return view;
  }

  public MemorySegment mapWritable(Extent extent) {
    return memory.view(extent.offset(), extent.bytes(), true);
  }

  private GpdbException damaged(Extent extent, String place, String what) {
    return new GpdbException(
        ErrorCode.CORRUPTION,
        "%s: %s, file=%s, offset=%d, bytes=%d"
            .formatted(place, what, memory.name(), extent.offset(), extent.bytes()));
  }

  /** Writes and flushes the bytes into a fresh sealed extent. */
  public Extent write(MemorySegment image) {
    long offset = allocate(image.byteSize());
    memory.store(offset, image);
    memory.flush(offset, image.byteSize());
    return new Extent(offset, image.byteSize(), Checksum.of(image), true);
  }

  /** Writes and flushes the bytes into a fresh extent that a log record is to name. */
  public Extent writeUnsealed(MemorySegment image) {
    Extent fresh = Extent.unsealed(allocate(image.byteSize()), image.byteSize());
    ViewStore.storeAlone(memory, fresh.offset(), image);
    memory.flush(fresh.offset(), image.byteSize());
    return fresh;
  }

  public LoggedExtents logged() {
    return logged;
  }

  /** Space for an extent of {@code bytes}. */
  public synchronized long allocate(long bytes) {
    long offset = allocator.take(bytes);
    if (offset < 0) {
      growFor(bytes);
      offset = allocator.take(bytes);
    }
    return offset;
  }

  /**
   * Grows the file by a step, where it has no room for so many extents of {@code bytes}, as far as
   * a step has, before anybody waits for whoever takes them. A full disk shows when they are taken.
   */
  public synchronized void makeRoom(long bytes, int extents) {
    long step = HomeFileSize.step(endOfExtents());
    long inStep = Math.min(extents, step / ExtentAllocator.occupiedBytes(bytes));
    if (allocator.hasRoom(bytes, inStep)) {
      return;
    }
    try {
      growFor(bytes);
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.DISK_FULL) {
        throw e;
      }
    }
  }

  /** Takes the very extent that a log names, for recovery. */
  public synchronized void reserve(Extent extent, String place) {
    long end = extent.offset() + ExtentAllocator.occupiedBytes(extent.bytes());
    long from = endOfExtents();
    if (end > from) {
      memory.grow(end);
      allocator.addRange(from, endOfExtents());
    }
    if (!allocator.takeAt(extent.offset(), extent.bytes())) {
      throw damaged(extent, place, "is in use already");
    }
  }

  /** Takes the extent of values in place: it was durable before the record that names it. */
  public synchronized void reserveInPlace(Extent extent, String place) {
    if (extent.offset() + extent.bytes() > endOfExtents()) {
      throw damaged(extent, place, "is behind the end of the file");
    }
    reserve(extent, place);
  }

  private void growFor(long bytes) {
    long size = endOfExtents();
    long step = HomeFileSize.step(size);
    long alignment = ExtentAllocator.alignment(bytes);
    long end = MemoryPieces.roundUp(size, alignment) + ExtentAllocator.occupiedBytes(bytes);
    long wanted = HomeFileSize.roundUp(Math.max(end, size + step));
    try {
      memory.grow(wanted);
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.DISK_FULL) {
        throw e;
      }
      memory.grow(end);
    }
    allocator.addRange(size, endOfExtents());
  }

  /**
   * Cuts the free end of the file off after a checkpoint, except for the next step of growth. Only
   * bytes that were free after the previous checkpoint too are cut: whoever reads a view of them
   * without a latch has ended by then (invariant 3).
   */
  public synchronized void shrink() {
    long tail = allocator.freeBefore(endOfExtents());
    long wanted = HomeFileSize.shrunk(memory.sizeBytes(), Math.max(tail, freeTailBefore));
    freeTailBefore = tail;
    if (wanted < memory.sizeBytes()) {
      if (!allocator.takeRange(wanted, endOfExtents())) {
        throw new GpdbException(ErrorCode.INTERNAL, "in use: offset from " + wanted);
      }
      memory.shrink(wanted);
      allocator.addRange(wanted, endOfExtents()); // a medium may keep some of it
    }
  }

  /** The end of the last whole page: a resize that was cut short may have left a part of one. */
  private long endOfExtents() {
    return memory.sizeBytes() / RootLayout.EXTENT_UNIT_BYTES * RootLayout.EXTENT_UNIT_BYTES;
  }

  /** Whether further checkpoints would shorten the file even with nothing to write. */
  public synchronized boolean awaitsShrinking() {
    Map<Long, Long> startByEnd = new HashMap<>();
    for (List<Extent> leaving : List.of(retired, inOldRootOnly, List.of(current.root()))) {
      leaving.forEach(e -> startByEnd.put(endOf(e), e.offset()));
    }
    long tail = allocator.freeBefore(endOfExtents());
    for (Long start = startByEnd.get(tail); start != null; start = startByEnd.get(tail)) {
      tail = allocator.freeBefore(start);
    }
    return HomeFileSize.shrunk(memory.sizeBytes(), tail) < memory.sizeBytes();
  }

  /** An extent that no root ever referred to is free at once. */
  public void discard(Extent extent) {
    allocator.give(extent.offset(), extent.bytes());
  }

  /** Retires an extent that a root may name: it is free when the root of no superblock does. */
  public synchronized void retire(Extent extent) {
    retired.add(extent);
  }

  /** Retires an extent that only the root before the current one names. */
  public synchronized void retireToOldRoot(Extent extent) {
    inOldRootOnly.add(extent);
  }

  /**
   * Makes {@code root} the current one; it refers to nothing in {@code notInRoot}. When there is no
   * space for it, the old root stays current; any other failure poisons the memory.
   */
  public void switchRoot(byte[] root, long walPosition, List<Extent> notInRoot) {
    Extent rootExtent = write(MemorySegment.ofArray(root));
    memory.drain();
    Superblock next =
        new Superblock(current.generation() + 1, rootExtent, walPosition, current.databaseId());
    Extent oldRoot = current.root();
    writeSuperblock(next, 1 - currentSlot);
    synchronized (this) {
      current = next;
      currentSlot = 1 - currentSlot;
      inOldRootOnly.forEach(this::discard);
      inOldRootOnly.clear();
      inOldRootOnly.addAll(notInRoot);
      inOldRootOnly.add(oldRoot);
    }
  }

  /** All extents retired until now: the next root does not name them. */
  public synchronized List<Extent> takeRetired() {
    List<Extent> taken = new ArrayList<>(retired);
    retired.clear();
    return taken;
  }

  /** Takes back {@link #takeRetired} when the root did not become current. */
  public synchronized void restoreRetired(List<Extent> taken) {
    retired.addAll(taken);
  }

  private void writeSuperblock(Superblock superblock, int slot) {
    long at = (long) slot * SuperblockLayout.BLOCK_BYTES;
    memory.store(at, MemorySegment.ofArray(superblock.encode()));
    memory.persist(at, SuperblockLayout.BLOCK_BYTES);
  }

  public long freeBytes() {
    return allocator.freeBytes();
  }

  /**
   * Compares what is in use with what is free: nothing twice, nothing forgotten. {@code used} has
   * the extents of the current root and those that chunks own besides.
   */
  public synchronized List<String> checkSpace(Collection<Extent> used) {
    List<String> problems = new ArrayList<>();
    TreeMap<Long, Long> taken = new TreeMap<>();
    for (Collection<Extent> extents : List.of(used, retired, inOldRootOnly, logged.extents())) {
      extents.forEach(e -> taken.merge(e.offset(), endOf(e), Math::max));
    }
    taken.merge(current.root().offset(), endOf(current.root()), Math::max);
    long at = SuperblockLayout.EXTENTS_OFFSET;
    long takenBytes = 0;
    for (Map.Entry<Long, Long> range : taken.entrySet()) {
      if (range.getKey() < at) {
        problems.add(
            "%s: two extents share bytes: offset=%d".formatted(memory.name(), range.getKey()));
      }
      at = Math.max(at, range.getValue());
      takenBytes += range.getValue() - range.getKey();
    }
    long all = memory.sizeBytes() - SuperblockLayout.EXTENTS_OFFSET;
    all -= all % RootLayout.EXTENT_UNIT_BYTES;
    if (takenBytes + allocator.freeBytes() != all) {
      problems.add(
          "%s: space is lost or given twice: bytes=%d, in use=%d, free=%d"
              .formatted(memory.name(), all, takenBytes, allocator.freeBytes()));
    }
    return problems;
  }

  private static long endOf(Extent e) {
    return e.offset() + ExtentAllocator.occupiedBytes(e.bytes());
  }

  @Override
  public void close() {
    memory.close();
  }
}
