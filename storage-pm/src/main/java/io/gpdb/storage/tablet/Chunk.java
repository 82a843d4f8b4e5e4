package io.gpdb.storage.tablet;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.memory.HostRoom;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One contiguous piece of a table, in the working image and in the home image.
 *
 * <p>States: <em>resting</em> (only at home), <em>mapped</em> (clean, a read-only view of home),
 * <em>private</em> (a block of the pool, perhaps dirty), <em>in place</em> (a writable view of
 * home). {@link #read} takes resting to mapped; {@link #write} takes mapped to private; {@link
 * #grow} takes any to private; {@link #adopt} takes any to in place; {@link #leave} takes in place
 * to mapped.
 *
 * <p>A chunk is <em>bound</em> when an in-place protocol owns its home extent: unsealed, of full
 * capacity, and never moved by a checkpoint. Binding takes a fresh extent; what is bound stays so
 * while the database is open, unless it leaves.
 *
 * <p>A chunk may have a <em>logged</em> extent: the log owns it, and it holds the chunk's values as
 * of a count of changes. While no change has followed, a checkpoint makes it the chunk's home.
 *
 * <p>All but {@link #read} and {@link #inMemory} needs the owner's exclusive latch; only the
 * checkpoint calls {@link #install} and {@link #finishWrite}.
 */
public final class Chunk {
  private final SpaceMemory space;
  private final Owner owner;
  private final DeviceMemory memory;
  private volatile @Nullable DeviceBuffer working;
  private volatile @Nullable Extent home;
  private volatile boolean dirty;
  private boolean pooled;
  private boolean bound;
  private long changes;
  private @Nullable Extent logged;
  private long loggedChanges;
  private boolean discarded;

  /** Names a chunk in an error message. */
  public interface Owner {
    String place(Chunk chunk);

    /** Whether the chunk has so few rows that it is the host's, and kernels read it from there. */
    default boolean isSmall() {
      return false;
    }

    /** Bytes of one of the owner's chunks, or the buffer that they are in, are about to change. */
    default void changing() {}
  }

  /** One that the host alone reads and writes. */
  public Chunk(SpaceMemory space, Owner owner, @Nullable Extent home) {
    this(space, owner, home, HostMemory.INSTANCE);
  }

  /** One that the kernels of that memory's device reach. */
  Chunk(SpaceMemory space, Owner owner, @Nullable Extent home, DeviceMemory memory) {
    this.memory = memory;
    this.space = space;
    this.owner = owner;
    this.home = home;
  }

  public @Nullable Extent home() {
    return home;
  }

  public boolean isDirty() {
    return dirty;
  }

  public boolean isBound() {
    return bound;
  }

  /** Bytes that can be used without growing. */
  public long capacityBytes() {
    DeviceBuffer w = working;
    if (w != null) {
      return w.bytes();
    }
    Extent h = home;
    return h == null ? 0 : h.bytes();
  }

  /** The bytes for the host to read. */
  public MemorySegment read() {
    return buffer().onHost().segment();
  }

  /** As {@link #read()}; where that is a copy, it is in the room. */
  public MemorySegment read(HostRoom room) {
    return buffer().onHost(room).segment();
  }

  DeviceBuffer buffer() {
    DeviceBuffer w = working;
    return w != null ? w : load();
  }

  /**
   * The working bytes where they are the host's, else null. For those without the latch ({@link
   * TabletLatch}): they may be given back and used for something else meanwhile.
   */
  public @Nullable HostBuffer inMemory() {
    return working instanceof HostBuffer host ? host : null;
  }

  /** The working bytes, or null when they rest at home or are gone. */
  public @Nullable MemorySegment peek() {
    DeviceBuffer w = working;
    return w == null ? null : w.onHost().segment();
  }

  /** As {@link #read}, or null when the bytes are gone. */
  public @Nullable MemorySegment readIfThere() {
    DeviceBuffer w = working;
    if (w == null) {
      synchronized (this) {
        w = working != null || home != null ? buffer() : null;
      }
    }
    return w == null ? null : w.onHost().segment();
  }

  private synchronized DeviceBuffer load() {
    DeviceBuffer w = working;
    if (w == null) {
      Extent h = home;
      if (h == null) {
        throw new GpdbException(ErrorCode.INTERNAL, owner.place(this) + ": chunk has no bytes");
      }
      space.memory().work().readsTables(h.bytes());
      MemorySegment view = space.home().map(h, owner.place(this));
      w = h.sealed() ? memory.mapUnchanging(view) : memory.map(view);
      working = w;
    }
    return w;
  }

  /** As {@link #writable}, of a chunk that is the host's. */
  public MemorySegment write() {
    return writable().onHost().segment();
  }

  DeviceBuffer writable() {
    owner.changing();
    if (!dirty) {
      space.markDirty();
    }
    DeviceBuffer w = buffer();
    // First: a view of home that counts as dirty would stay when a checkpoint moves the home.
    DeviceBuffer own = w.isWritable() ? w : makePrivate(w, w.bytes(), (byte) 0);
    if (!dirty) {
      dirty = true;
    }
    changes++;
    return own;
  }

  /** The times that the working image was handed out to be written. */
  public long changes() {
    return changes;
  }

  /** Records that the extent had the chunk's values as of change {@code asOfChanges}. */
  public synchronized void putLogged(Extent extent, long asOfChanges) {
    logged = extent;
    loggedChanges = asOfChanges;
  }

  /** An extent that holds the values as they are now; null when there is none. */
  public synchronized @Nullable Extent loggedExtent() {
    return loggedChanges == changes ? logged : null;
  }

  /** Has the next checkpoint write the chunk to another extent. */
  public void writeAnew() {
    Extent h = home;
    if (!bound && h != null && h.sealed()) {
      write(); // a view would stay where it is
    }
  }

  void markDirty() {
    if (!dirty) {
      space.markDirty();
      dirty = true;
    }
  }

  /** Makes room for {@code bytes}; new ones are filled with {@code fill}. */
  public void grow(long bytes, byte fill) {
    if (capacityBytes() >= bytes) {
      return;
    }
    space.markDirty();
    makePrivate(capacityBytes() == 0 ? HostBuffer.NONE : buffer(), bytes, fill);
    dirty = true;
  }

  private DeviceBuffer makePrivate(DeviceBuffer old, long bytes, byte fill) {
    DeviceBuffer block = zeros(bytes);
    block.copyFrom(old, 0, 0, old.bytes());
    if (fill != 0) {
      block.slice(old.bytes()).fill(fill);
    }
    replaceWorking(block, true);
    return block;
  }

  private DeviceBuffer zeros(long bytes) {
    if (!owner.isSmall() || memory.isHosts()) {
      return memory.allocateZeroed(bytes, space.tables());
    }
    DeviceBuffer block = memory.pin(bytes, space.tables());
    block.fill((byte) 0);
    return block;
  }

  private void replaceWorking(@Nullable DeviceBuffer next, boolean nextPooled) {
    owner.changing();
    DeviceBuffer old = working;
    boolean oldPooled = pooled;
    working = next;
    pooled = nextPooled;
    if (oldPooled && old != null) {
      memory.free(old, space.tables());
    } else if (old != null) {
      memory.unmap(old);
    }
  }

  /** Releases working and home bytes; the chunk is dead. */
  public synchronized void discard() {
    discarded = true;
    Extent h = home;
    if (h != null) {
      space.home().retire(h);
      home = null;
    }
    replaceWorking(null, false);
  }

  /** Allocates a home extent of that size for the chunk, unsealed, with the working image in it. */
  synchronized void bind(long fullBytes, byte fill) {
    if (bound) {
      return;
    }
    space.markDirty();
    Extent old = home;
    Extent fresh = Extent.unsealed(space.home().allocate(fullBytes), fullBytes);
    storeHome(fresh, fill);
    home = fresh;
    if (old != null) {
      space.home().retire(old);
    }
    dirty = false;
    bound = true;
    logged = null;
    DeviceBuffer w = working;
    if (w == null || !w.isWritable()) {
      replaceWorking(memory.map(homeView().asReadOnly()), false);
    }
  }

  private void storeHome(Extent extent, byte fill) {
    MemorySegment image = capacityBytes() == 0 ? MemorySegment.NULL : read();
    long n = Math.min(image.byteSize(), extent.bytes());
    MemorySegment target = space.home().mapWritable(extent);
    MemorySegment.copy(image, 0, target, 0, n);
    target.asSlice(n).fill(fill);
    space.home().memory().counters().stored(extent.bytes());
    space.home().memory().flush(extent.offset(), extent.bytes());
  }

  /** The bound home extent, to be written in place. */
  MemorySegment homeView() {
    owner.changing();
    Extent h = home;
    if (h == null) {
      throw new GpdbException(ErrorCode.INTERNAL, owner.place(this) + ": chunk has no home");
    }
    return space.home().mapWritable(h);
  }

  /** Binds the chunk and makes the home extent its working image. */
  synchronized void adopt(long fullBytes, byte fill) {
    bind(fullBytes, fill);
    Extent h = home;
    if (dirty && h != null) {
      storeHome(h, fill);
    }
    replaceWorking(memory.map(homeView()), false);
    dirty = false;
  }

  /** Ends in-place writing; the next checkpoint seals the extent where it is. */
  synchronized void leave() {
    if (!bound) {
      return;
    }
    bound = false;
    space.markDirty();
    Extent h = home;
    if (!pooled && h != null) {
      replaceWorking(memory.map(homeView().asReadOnly()), false);
      dirty = false;
    } else if (h != null) {
      // The extent holds the working image, but behind its end whatever was there: write it anew.
      dirty = true;
    }
  }

  /**
   * Makes the extent that a log names the chunk's home; its content is the working image, whatever
   * was applied to the chunk before.
   */
  synchronized void moveTo(long offset, long fullBytes) {
    Extent h = home;
    if (h == null || h.offset() != offset || h.bytes() != fullBytes || h.sealed()) {
      space.markDirty();
      Extent named = Extent.unsealed(offset, fullBytes);
      space.home().reserveInPlace(named, owner.place(this));
      if (h != null) {
        space.home().retire(h);
      }
      home = named;
    }
    dirty = false;
    replaceWorking(null, false);
  }

  /** Says that the home extent holds the working image. */
  void markClean() {
    dirty = false;
  }

  /** For the checkpoint: writes a bound chunk's changes where they belong. */
  public Extent writeBound(long bytes, byte fill) {
    Extent h = home;
    if (h == null) {
      throw new GpdbException(ErrorCode.INTERNAL, owner.place(this) + ": bound without a home");
    }
    if (dirty) {
      if (pooled) {
        storeHome(h, fill);
      } else {
        space.home().memory().flush(h.offset(), bytes);
      }
      dirty = false;
    }
    return h;
  }

  /** For the checkpoint: the image was written, and is all that there is when {@code whole}. */
  void finishWrite(boolean whole) {
    if (whole) {
      dirty = false;
    }
  }

  /** For the checkpoint, after the switch: {@code next} is the chunk's extent in the root. */
  synchronized void install(@Nullable Extent before, Extent next) {
    Extent h = home;
    boolean same = h == null ? before == null : h.equals(before);
    if (discarded || !same) {
      // An extent that was being sealed has been given up already by the one that left it.
      if (before == null || before.offset() != next.offset()) {
        space.home().retire(next);
      }
      return;
    }
    home = next;
    if (h != null && h.offset() != next.offset()) {
      space.home().retireToOldRoot(h);
    }
  }
}
