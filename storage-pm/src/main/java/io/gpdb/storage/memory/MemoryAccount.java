package io.gpdb.storage.memory;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How much memory one user of a {@link DatabaseMemory} has taken and not given back: the tables,
 * all statements and transactions together, or one statement. What a statement takes counts for all
 * of them too, whose limit is {@code memory_limit}. Thread-safe, without a lock for a block.
 *
 * <p>A statement's account is bound to the threads that work for it, as its stop signal is, and
 * ends by {@link #close}, which gives back what is left in it, whatever has failed.
 */
public final class MemoryAccount implements CountedBlocks, AutoCloseable {
  private static final int NAME_CHARACTERS_MAX = 100;

  /** About the pages that a statement touches which reads some rows by their keys. */
  private static final int BYTES_OF_ROWS = 64 << 10;

  /** Statements are limited together. */
  private static final MemoryLimit NO_LIMIT = MemoryLimit.none();

  private static final VarHandle USED_BYTES = counter("usedBytes");
  private static final VarHandle BLOCKS_TAKEN = counter("blocksTaken");
  private static final VarHandle SPILLED_BYTES = counter("spilledBytes");

  private static final ThreadLocal<MemoryAccount> CURRENT =
      ThreadLocal.withInitial(() -> DatabaseMemory.OF_NONE.work());

  private final String name;
  private final MemoryPool pool;
  private final DeviceMemory memory;
  private final @Nullable MemoryAccount parent;
  private volatile long usedBytes;
  private volatile long blocksTaken;
  private final MemoryLimit limit;
  private final MappedPages pages;

  /** What was given back at the ends of statements because the statements had not done it. */
  private final AtomicLong leftBytes;

  /** The first of the blocks that a statement keeps; guarded by this. */
  private @Nullable HeldBlocks first;

  /** What a statement has spilled to and not closed; guarded by this. */
  private @Nullable List<TemporaryFile> files;

  /** Blocks of the host that a statement has until its end; guarded by this. */
  private @Nullable List<HostBuffer> kept;

  private volatile long spilledBytes;

  /** Where statements get their temporary files; null where there are none. */
  private volatile @Nullable Supplier<TemporaryFile> temporaryFiles;

  private boolean closed;

  private volatile Place place = Place.OPEN;

  /** Whose memory a statement works with. */
  private enum Place {
    /** Not yet known: the device's. */
    OPEN,
    /** The host's, as the statement reads few rows. */
    HOST,
    DEVICE
  }

  /** What was bound to the thread before; bound again by closing. */
  public record Scope(MemoryAccount before) implements AutoCloseable {
    @Override
    public void close() {
      CURRENT.set(before);
    }
  }

  private static VarHandle counter(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(MemoryAccount.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  MemoryAccount(
      String name, MemoryPool pool, DeviceMemory memory, MemoryLimit limit, MappedPages pages) {
    this.name = name;
    this.pool = pool;
    this.memory = memory;
    parent = null;
    leftBytes = new AtomicLong();
    this.limit = limit;
    this.pages = pages;
  }

  private MemoryAccount(String name, MemoryAccount parent) {
    this.name = name;
    this.pool = parent.pool;
    this.memory = parent.memory;
    this.parent = parent;
    leftBytes = parent.leftBytes;
    limit = NO_LIMIT;
    pages = parent.pages;
  }

  /** The account of a statement, which is named by its text where memory runs out. */
  public MemoryAccount statement(String text) {
    return new MemoryAccount(text, parent == null ? this : parent);
  }

  /** The calling thread takes its working memory from this account until the scope is closed. */
  public Scope bind() {
    Scope scope = new Scope(CURRENT.get());
    CURRENT.set(this);
    return scope;
  }

  /** The account that the calling thread works for; one of no database where none is bound. */
  public static MemoryAccount current() {
    return CURRENT.get();
  }

  /**
   * Says of a plan of the statement whether it reads so few rows that its kernels should run on the
   * host. Once a plan has more, the statement stays with the device.
   */
  public void readsFewRows(boolean few) {
    if (parent == null) {
      return; // all statements together
    }
    if (!few) {
      place = Place.DEVICE;
    } else if (place == Place.OPEN) {
      place = Place.HOST;
    }
  }

  /** Whether kernels of the statement run on the host, with memory of the host's. */
  public boolean worksOnHost() {
    return place == Place.HOST;
  }

  /** The memory of the device that the database's kernels run on. */
  public DeviceMemory memory() {
    return memory;
  }

  public void limit(long bytes) {
    if (parent != null) {
      throw new IllegalStateException("a limit for one statement");
    }
    limit.set(bytes);
    if (memory.isHosts()) {
      pages.limit(bytes);
    }
  }

  /** Says that about so many bytes of tables are read where they are stored. */
  public void readsTables(long bytes) {
    pages.read(bytes);
  }

  /** How many bytes of tables a statement reads together at most, where they are stored. */
  public long tableBytesMax() {
    return pages.readBytesMax();
  }

  public long limitBytes() {
    return limit.bytes();
  }

  /** How often a block was taken so far, given back or not. */
  public long blocksTaken() {
    return blocksTaken;
  }

  /** What was taken and not given back. */
  public long usedBytes() {
    return usedBytes;
  }

  /** About what may be taken before the limit is met; others take from it, too. */
  public long availableBytes() {
    MemoryAccount all = parent == null ? this : parent;
    return all.limit.availableBytes(all.usedBytes());
  }

  /** Whether so much may be taken before the limit is met; others take from it, too. */
  public boolean hasRoomFor(long bytes) {
    MemoryAccount all = parent == null ? this : parent;
    return !all.limit.isExceededBy(all.usedBytes() + bytes);
  }

  void temporaryFiles(Supplier<TemporaryFile> from) {
    temporaryFiles = from;
  }

  /** Whether there are temporary files for what memory does not hold. */
  public boolean canSpill() {
    return parent != null && parent.temporaryFiles != null;
  }

  /** A new temporary file, which {@link #end} closes, or else the statement's end. */
  public TemporaryFile temporaryFile() {
    Supplier<TemporaryFile> from = parent == null ? null : parent.temporaryFiles;
    if (from == null) {
      throw new GpdbException(ErrorCode.INTERNAL, "no temporary files for: " + shortName());
    }
    TemporaryFile file = from.get();
    synchronized (this) {
      List<TemporaryFile> all = files == null ? new ArrayList<>() : files;
      all.add(file);
      files = all;
    }
    return file;
  }

  /** Closes a file of {@link #temporaryFile}. */
  public void end(TemporaryFile file) {
    synchronized (this) {
      if (files != null) {
        files.remove(file);
      }
    }
    file.close();
  }

  /** Counts bytes written to temporary files. */
  public void countSpilled(long bytes) {
    SPILLED_BYTES.getAndAdd(this, bytes);
  }

  /** Bytes written to temporary files so far. */
  public long spilledBytes() {
    return spilledBytes;
  }

  @Override
  public MemorySegment take(long bytes) {
    return take(bytes, true, false);
  }

  @Override
  public MemorySegment takeZeroed(long bytes) {
    return take(bytes, true, true);
  }

  /** As {@link #take}, whatever the limit: for small things that commits and recovery need. */
  public MemorySegment takeAnyway(long bytes) {
    return take(bytes, false, false);
  }

  /**
   * A block of the host's memory, with whatever is in it, that the statement has until its end or
   * {@link #giveKept}. It is not counted: the caller charges for it, or says why it does not.
   */
  public HostBuffer keep(long bytes) {
    synchronized (this) {
      if (closed || parent == null) {
        throw new GpdbException(
            ErrorCode.INTERNAL, "memory kept without a statement, or after it: " + shortName());
      }
      MemorySegment block = pool.take(MemoryPool.blockBytes(bytes), false);
      List<HostBuffer> all = kept == null ? new ArrayList<>() : kept;
      all.add(new HostBuffer(block, HostMemory.INSTANCE));
      kept = all;
      return all.getLast();
    }
  }

  /** Gives a block of {@link #keep} back before the statement's end. */
  public void giveKept(HostBuffer block) {
    synchronized (this) {
      if (kept != null && kept.remove(block)) {
        pool.give(block.segment());
      }
    }
  }

  private MemorySegment take(long bytes, boolean limited, boolean zero) {
    long size = MemoryPool.blockBytes(bytes);
    charge(size, limited, this);
    BLOCKS_TAKEN.getAndAdd(this, 1L);
    try {
      return pool.take(size, zero);
    } catch (RuntimeException | Error e) {
      discharge(size);
      throw e;
    }
  }

  @Override
  public void give(MemorySegment block) {
    pool.give(block);
    discharge(block.byteSize());
  }

  @Override
  public void charge(long bytes) {
    charge(bytes, true, this);
  }

  private void charge(long bytes, boolean limited, MemoryAccount asker) {
    long used = (long) USED_BYTES.getAndAdd(this, bytes) + bytes;
    if (limited && limit.isExceededBy(used)) {
      USED_BYTES.getAndAdd(this, -bytes);
      throw asker.noMemory(bytes, this);
    }
    if (parent != null) {
      try {
        parent.charge(bytes, limited, asker);
      } catch (GpdbException e) {
        USED_BYTES.getAndAdd(this, -bytes);
        throw e;
      }
    }
  }

  @Override
  public void discharge(long bytes) {
    USED_BYTES.getAndAdd(this, -bytes);
    if (parent != null) {
      parent.discharge(bytes);
    }
  }

  private GpdbException noMemory(long bytes, MemoryAccount limited) {
    return new GpdbException(
        ErrorCode.OUT_OF_MEMORY,
        "no memory for %s: bytes=%d, usedBytes=%d%s, limitBytes=%d%s"
            .formatted(
                limited.name,
                bytes,
                limited.usedBytes(),
                limited.limit.tablesText(),
                limited.limitBytes(),
                parent == null ? "" : ", statement=" + shortName()));
  }

  private String shortName() {
    return name.length() <= NAME_CHARACTERS_MAX
        ? name
        : name.substring(0, NAME_CHARACTERS_MAX) + "…";
  }

  /** Begins to remember blocks that are given back at the statement's end. */
  void hold(HeldBlocks blocks) {
    if (parent == null) {
      return;
    }
    synchronized (this) {
      if (closed) {
        throw new GpdbException(
            ErrorCode.INTERNAL, "memory taken after the end of the statement: " + shortName());
      }
      blocks.after = first;
      if (first != null) {
        first.before = blocks;
      }
      first = blocks;
    }
  }

  void forget(HeldBlocks blocks) {
    if (parent == null) {
      return;
    }
    synchronized (this) {
      if (blocks.before != null) {
        blocks.before.after = blocks.after;
      } else {
        first = blocks.after;
      }
      if (blocks.after != null) {
        blocks.after.before = blocks.before;
      }
      blocks.before = null;
      blocks.after = null;
    }
  }

  /** Bytes of blocks that statements had not given back, and which their ends gave back. */
  public long leftBytes() {
    return leftBytes.get();
  }

  /**
   * Ends the account of a statement: gives back what it still keeps and counts. No thread uses its
   * memory any more.
   */
  @Override
  public void close() {
    if (parent == null) {
      return;
    }
    pages.read(BYTES_OF_ROWS);
    synchronized (this) {
      closed = true;
      while (first != null) {
        leftBytes.addAndGet(first.bytes());
        first.close();
      }
      if (files != null) {
        files.forEach(TemporaryFile::close);
        files = null;
      }
      if (kept != null) {
        kept.forEach(block -> pool.give(block.segment()));
        kept = null;
      }
    }
    long used = usedBytes;
    if (used != 0) { // nothing shared is written by a statement that took nothing
      discharge(used);
    }
  }
}
