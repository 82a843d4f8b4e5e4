package io.gpdb.simulation.medium;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryPieces;
import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.SharedStore;
import io.gpdb.storage.memory.ViewStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A memory that keeps what is stored apart from what is durable, at lines or sectors.
 *
 * <p>For each of them that is not durable it keeps the versions that stores wrote, oldest first;
 * any of them, torn as the unit says, may be on the medium after a crash. A flush marks the newest
 * version; a drain makes marked versions durable and forgets what came before. That is A1 to A3 of
 * docs/internals/recovery.md, and no more. A memory of a directory that {@linkplain
 * CrashImage#openUncrashable() cannot crash} has its bytes alone.
 */
final class CrashableMemory implements PersistentMemory {
  private final CrashableDirectory directory;
  private final CrashUnit unit;
  private final boolean crashable;
  private final MemoryPieces working;
  private @Nullable CrashPage[] durable;
  private final PendingPages pending = new PendingPages();
  private final BitSet flushedPages = new BitSet();
  private final BitSet viewedPages = new BitSet();
  private final BitSet touchedPages = new BitSet();
  private final byte[] copy = new byte[CrashPage.BYTES];
  private final PersistCounters counters;
  private volatile String name;
  private volatile boolean closed;

  /** The durable size, and each at which a run of growths or cuts has ended since. */
  private final List<Long> sizes = new ArrayList<>();

  private long resizes;
  private long durableResizes;

  /** A new memory; a crash finds it without bytes until {@link #made}. */
  CrashableMemory(CrashableDirectory directory, String name, long initialSizeBytes) {
    this(
        directory,
        name,
        new MemoryPieces(name, initialSizeBytes, directory.pieces()),
        new @Nullable CrashPage[0]);
    sizes.clear();
    sizes.add(0L);
  }

  /** It has grown to its first size. */
  synchronized void made() {
    noteSize();
  }

  /** What a crash left. */
  CrashableMemory(CrashableDirectory directory, String name, CrashImage.Memory left) {
    this(
        directory,
        name,
        new MemoryPieces(name, left.firstBytes(), left.sizeBytes(), directory.pieces()),
        left.pages());
    takeDurable();
  }

  /** What a killed process left: all that it stored, as durable as it was, and nothing flushed. */
  CrashableMemory(CrashableDirectory directory, CrashPoint.Memory left) {
    this(
        directory,
        left.name(),
        new MemoryPieces(left.name(), left.firstBytes(), left.reachBytes(), directory.pieces()),
        left.durable());
    takeDurable();
    for (CrashPoint.Unit stored : left.units()) {
      int page = (int) (stored.offset() / CrashPage.BYTES);
      for (byte[] version : stored.versions()) {
        touchedPages.set(page);
        working.store(stored.offset(), MemorySegment.ofArray(version));
        capturePage(page);
      }
    }
    sizes.clear();
    Arrays.stream(left.sizes()).forEach(sizes::add);
    cutTo(sizes.getLast());
  }

  private void takeDurable() {
    for (int page = 0; page < durable.length; page++) {
      if (durable[page] != null) {
        MemorySegment bytes = MemorySegment.ofArray(CrashPage.bytes(durable[page]));
        working.view(pageOffset(page), CrashPage.BYTES).copyFrom(bytes);
        touchedPages.set(page);
      }
    }
  }

  private CrashableMemory(
      CrashableDirectory directory,
      String name,
      MemoryPieces working,
      @Nullable CrashPage[] durable) {
    this.directory = directory;
    this.unit = directory.unit();
    this.crashable = directory.isCrashable();
    this.name = name;
    this.working = working;
    this.durable = Arrays.copyOf(durable, CrashPage.count(working.sizeBytes()));
    sizes.add(working.sizeBytes());
    counters = new PersistCounters(directory.counters());
  }

  private static long pageOffset(int page) {
    return (long) page * CrashPage.BYTES;
  }

  /** What is durable and what is pending, as of now. */
  synchronized CrashPoint.Memory capture() {
    captureViews();
    List<CrashPoint.Unit> units = new ArrayList<>();
    pending.forEach(
        0,
        Integer.MAX_VALUE,
        (number, page) -> {
          for (int u = 0; u < page.unitCount(); u++) {
            List<byte[]> versions = page.versions(u);
            if (versions != null) {
              long at = pageOffset(number) + (long) u * unit.flushedBytes();
              units.add(new CrashPoint.Unit(at, versions.toArray(byte[][]::new)));
            }
          }
        });
    return new CrashPoint.Memory(
        name,
        working.firstBytes(),
        durable.clone(),
        sizes.stream().mapToLong(Long::longValue).toArray(),
        units);
  }

  void renamed(String newName) {
    name = newName;
  }

  @Override
  public String name() {
    return name;
  }

  /** As a machine with a battery behind its media would declare it: the model is of power loss. */
  @Override
  public PersistenceDomain domain() {
    return PersistenceDomain.POWER;
  }

  @Override
  public long sizeBytes() {
    return working.sizeBytes();
  }

  @Override
  public void grow(long newSizeBytes) {
    checkOpen();
    directory.before(PersistListener.Act.GROW, name, working.sizeBytes(), newSizeBytes);
    synchronized (this) {
      working.growTo(newSizeBytes);
      int pages = Math.max(durable.length, CrashPage.count(working.sizeBytes()));
      durable = Arrays.copyOf(durable, pages);
      resizes++;
      noteSize();
    }
  }

  /** One end of each run of growths or cuts is enough: a crash may find any size between them. */
  private void noteSize() {
    long now = working.sizeBytes();
    int last = sizes.size() - 1;
    if (sizes.get(last) == now) {
      return;
    }
    boolean goesOn = last > 0 && sizes.get(last) > sizes.get(last - 1) == now > sizes.get(last);
    if (goesOn) {
      sizes.set(last, now);
    } else {
      sizes.add(now);
    }
  }

  /**
   * What was cut off reads as zero when the memory has grown again. Until a drain a crash may also
   * find it as it was, in a file as long as it was.
   */
  @Override
  public void shrink(long newSizeBytes) {
    checkOpen();
    long old = working.sizeBytes();
    long rounded = MemoryPieces.roundUp(newSizeBytes, CrashPage.BYTES);
    if (rounded >= old) {
      return;
    }
    directory.before(PersistListener.Act.SHRINK, name, rounded, old - rounded);
    synchronized (this) {
      captureViews();
      int first = CrashPage.count(rounded);
      clear(first);
      captureRange(rounded, old - rounded);
      cutTo(rounded);
      resizes++;
      noteSize();
    }
  }

  /** Most pages of most views were never written: they keep the memory that all zeros share. */
  private void clear(int firstPage) {
    for (int page = touchedPages.nextSetBit(firstPage);
        page >= 0;
        page = touchedPages.nextSetBit(page + 1)) {
      MemorySegment bytes = working.view(pageOffset(page), CrashPage.BYTES);
      if (!CrashPage.isZero(copied(bytes))) {
        bytes.fill((byte) 0);
      }
    }
  }

  /**
   * An array to compare: C2 has code for the equality of two arrays, and none for a segment that
   * takes half as long.
   */
  private byte[] copied(MemorySegment page) {
    MemorySegment.copy(page, ValueLayout.JAVA_BYTE, 0, copy, 0, CrashPage.BYTES);
    return copy;
  }

  /** What is behind, zero by now, becomes durable with the size. */
  private void cutTo(long sizeBytes) {
    markFlushed(sizeBytes, working.sizeBytes() - sizeBytes);
    working.shrinkTo(sizeBytes);
    int end = CrashPage.count(sizeBytes);
    viewedPages.clear(end, Integer.MAX_VALUE);
    touchedPages.clear(end, Integer.MAX_VALUE);
  }

  @Override
  public void store(long offset, MemorySegment source) {
    checkOpen();
    working.check(offset, source.byteSize());
    directory.before(PersistListener.Act.STORE, name, offset, source.byteSize());
    synchronized (this) {
      touch(touchedPages, offset, source.byteSize());
      working.store(offset, source);
      captureRange(offset, source.byteSize());
    }
    counters.stored(source.byteSize());
  }

  /** As whole blocks are written: what is behind the pieces is torn with them. */
  @Override
  public void append(long offset, List<MemorySegment> pieces) {
    store(offset, AppendedBlocks.of(offset, pieces));
  }

  private static void touch(BitSet pages, long offset, long bytes) {
    if (bytes > 0) {
      pages.set((int) (offset / CrashPage.BYTES), CrashPage.count(offset + bytes));
    }
  }

  @Override
  public void load(long offset, MemorySegment target) {
    checkOpen();
    working.load(offset, target);
  }

  @Override
  public synchronized MemorySegment view(long offset, long bytes, boolean writable) {
    checkOpen();
    MemorySegment view = working.view(offset, bytes);
    if (!writable) {
      return view.asReadOnly();
    }
    touch(viewedPages, offset, bytes);
    touch(touchedPages, offset, bytes);
    return view;
  }

  /** So stores through views are cut at every point, too. */
  @Override
  public boolean takesSharedStores() {
    return true;
  }

  @Override
  public @Nullable SharedStore shareStore(long offset, List<MemorySegment> pieces) {
    return ViewStore.of(this, offset, pieces);
  }

  @Override
  public void flush(long offset, long bytes) {
    checkOpen();
    working.check(offset, bytes);
    directory.before(PersistListener.Act.FLUSH, name, offset, bytes);
    synchronized (this) {
      captureRange(offset, bytes);
      markFlushed(offset, bytes);
    }
    counters.flushed(offset, bytes);
  }

  private void markFlushed(long offset, long bytes) {
    int first = (int) (offset / CrashPage.BYTES);
    int end = CrashPage.count(offset + bytes);
    pending.forEach(
        first,
        end,
        (page, units) -> {
          long from = Math.max(0, offset - pageOffset(page));
          long to = Math.min(CrashPage.BYTES, offset + bytes - pageOffset(page));
          int endUnit = (int) ((to + unit.flushedBytes() - 1) / unit.flushedBytes());
          if (units.flush((int) (from / unit.flushedBytes()), endUnit)) {
            flushedPages.set(page);
          }
        });
  }

  /**
   * What a drain covers, as it was when the drain began.
   *
   * @param resizes how often the size had changed
   */
  private record Covered(long sizeBytes, long resizes, List<CoveredPage> pages) {}

  /** A page, and how many versions of each of its units were flushed then. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record CoveredPage(int number, PendingPage units, int[] marks) {
    @Override
    public String toString() {
      return "page " + number;
    }
  }

  /** What others flush while the drain is under way stays pending (A2). */
  @Override
  public void drain() {
    checkOpen();
    end(covered());
    counters.drained();
  }

  /** As a file's: takes in all that was stored so far. Durable when the result has run. */
  Runnable beginSync() {
    Covered covered;
    synchronized (this) {
      captureViews();
      markFlushed(0, working.sizeBytes());
      covered = covered();
    }
    return () -> end(covered);
  }

  private void end(Covered covered) {
    directory.before(PersistListener.Act.DRAIN, name, 0, 0);
    synchronized (this) {
      captureViews();
      covered.pages.forEach(this::drainPage);
      if (covered.resizes >= durableResizes) { // else a later drain has ended before
        durableResizes = covered.resizes;
        sizes.clear();
        sizes.add(covered.sizeBytes);
        noteSize();
        long kept = Math.max(covered.sizeBytes, working.sizeBytes());
        durable = Arrays.copyOf(durable, CrashPage.count(kept));
      }
    }
  }

  private synchronized Covered covered() {
    List<CoveredPage> pages = new ArrayList<>();
    for (int page = flushedPages.nextSetBit(0);
        page >= 0;
        page = flushedPages.nextSetBit(page + 1)) {
      PendingPage units = pending.get(page);
      if (units != null) {
        pages.add(new CoveredPage(page, units, units.flushedSoFar()));
      }
    }
    return new Covered(working.sizeBytes(), resizes, pages);
  }

  @SuppressWarnings("ReferenceEquality") // another drain may have ended, and a new page begun
  private void drainPage(CoveredPage page) {
    int number = page.number;
    if (pending.get(number) != page.units) {
      return;
    }
    durable[number] = page.units.drain(durable[number], page.marks);
    if (page.units.isEmpty()) {
      pending.remove(number);
    }
    flushedPages.set(number, page.units.isFlushed());
  }

  /** Notes versions that were written through views since. */
  private void captureViews() {
    if (!crashable) {
      return;
    }
    for (int page = viewedPages.nextSetBit(0); page >= 0; page = viewedPages.nextSetBit(page + 1)) {
      capturePage(page);
    }
  }

  private void captureRange(long offset, long bytes) {
    if (crashable && bytes > 0) {
      int end = CrashPage.count(offset + bytes);
      for (int page = (int) (offset / CrashPage.BYTES); page < end; page++) {
        capturePage(page);
      }
    }
  }

  private void capturePage(int page) {
    byte[] now = copied(working.view(pageOffset(page), CrashPage.BYTES));
    PendingPage units = pending.get(page);
    if (units == null) {
      CrashPage known = durable[page];
      if (Arrays.equals(now, CrashPage.bytes(known))) {
        return;
      }
      units = new PendingPage(unit, known);
      pending.put(page, units);
    }
    units.capture(now);
  }

  /** Flips one bit of what is durable and stored, as a failing medium does. */
  synchronized void flipBit(long offset, int bit) {
    int mask = 1 << bit;
    int page = (int) (offset / CrashPage.BYTES);
    int at = (int) (offset % CrashPage.BYTES);
    MemorySegment stored = working.view(offset, 1);
    touch(touchedPages, offset, 1);
    stored.set(ValueLayout.JAVA_BYTE, 0, (byte) (stored.get(ValueLayout.JAVA_BYTE, 0) ^ mask));
    byte[] flipped = CrashPage.bytes(durable[page]).clone();
    flipped[at] ^= (byte) mask;
    durable[page] = CrashPage.of(flipped);
    PendingPage units = pending.get(page);
    if (units != null) {
      units.flip(at, mask);
    }
  }

  @Override
  public PersistCounters counters() {
    return counters;
  }

  /**
   * Closes the handle; the bytes stay until the directory closes. What was flushed, and not
   * drained, whoever opens the memory again has to flush again.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    captureViews();
    int end = CrashPage.count(working.sizeBytes());
    pending.forEach(0, end, (page, units) -> units.forgetFlushes());
    flushedPages.clear(0, end);
  }

  void reopened() {
    closed = false;
  }

  /** Frees the working bytes, zero again. */
  synchronized void destroy() {
    closed = true;
    clear(0);
    working.close();
  }

  private void checkOpen() {
    if (closed) {
      throw new GpdbException(ErrorCode.CLOSED, "memory is closed: name=" + name);
    }
  }
}
