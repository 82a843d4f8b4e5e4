package io.gpdb.simulation.medium;

import io.gpdb.storage.medium.Medium;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.PieceSource;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Memories that keep apart what is stored and what is durable, and can be cloned as a crash would
 * leave them, for tests and exploration. Of creations, deletions and renames a crash leaves any,
 * and takes any others back, unless {@link #syncNames} made them durable.
 */
public final class CrashableDirectory implements StorageDirectory {
  /** All share it: exploration makes many that live shortly, of pieces that cost more than they. */
  private static final PieceSource POOL = new PooledPieces();

  private final CrashUnit unit;
  private final PieceSource pieces;
  private final boolean crashable;
  private final PersistCounters counters = new PersistCounters();
  private final List<CrashableMemory> owned = new ArrayList<>();

  private final SortedMap<String, CrashableMemory> durableNames = new TreeMap<>();
  private final List<NameChange<CrashableMemory>> changes = new ArrayList<>();

  /** The memories by their present names. */
  private final SortedMap<String, CrashableMemory> names = new TreeMap<>();

  private volatile @Nullable PersistListener listener;

  public CrashableDirectory() {
    this(CrashUnit.LINE);
  }

  public CrashableDirectory(CrashUnit unit) {
    this(unit, true);
  }

  private CrashableDirectory(CrashUnit unit, boolean crashable) {
    this.unit = unit;
    this.pieces = POOL;
    this.crashable = crashable;
  }

  /** A medium for a process that nothing interrupts: of it no crash can be captured. */
  public static CrashableDirectory uncrashable(CrashUnit unit) {
    return new CrashableDirectory(unit, false);
  }

  /** As a machine finds its medium that lost its power. */
  CrashableDirectory(CrashImage left, boolean crashable) {
    unit = left.unit();
    pieces = left.pieces();
    this.crashable = crashable;
    left.memories()
        .forEach((name, memory) -> names.put(name, new CrashableMemory(this, name, memory)));
    owned.addAll(names.values());
    durableNames.putAll(names);
  }

  /** As a process finds it after another one was killed; arguments as of a {@link CrashPoint}. */
  CrashableDirectory(
      CrashUnit unit,
      PieceSource pieces,
      SortedMap<String, Integer> numbered,
      List<NameChange<Integer>> numberedChanges,
      List<CrashPoint.Memory> memories) {
    this.unit = unit;
    this.pieces = pieces;
    this.crashable = true;
    memories.forEach(memory -> owned.add(new CrashableMemory(this, memory)));
    numbered.forEach((name, number) -> durableNames.put(name, owned.get(number)));
    names.putAll(durableNames);
    numberedChanges.forEach(change -> change(change.map(owned::get)));
  }

  CrashUnit unit() {
    return unit;
  }

  PieceSource pieces() {
    return pieces;
  }

  boolean isCrashable() {
    return crashable;
  }

  /** All that a crash at this moment could leave. */
  public synchronized CrashPoint capture() {
    if (!crashable) {
      throw new IllegalStateException("opened to be looked at, without what a crash could leave");
    }
    Numbering numbers = new Numbering();
    SortedMap<String, Integer> numbered = new TreeMap<>();
    durableNames.forEach((name, memory) -> numbered.put(name, numbers.of(memory)));
    List<NameChange<Integer>> since = new ArrayList<>();
    changes.forEach(change -> since.add(change.map(numbers::of)));
    return new CrashPoint(unit, pieces, numbered, since, numbers.captured);
  }

  /** Memories as they are captured, each once. */
  private static final class Numbering {
    private final IdentityHashMap<CrashableMemory, Integer> numbers = new IdentityHashMap<>();
    private final List<CrashPoint.Memory> captured = new ArrayList<>();

    int of(CrashableMemory memory) {
      return numbers.computeIfAbsent(
          memory,
          unknown -> {
            captured.add(unknown.capture());
            return captured.size() - 1;
          });
    }
  }

  /** A new directory as a crash at this moment could leave it; this one stays as it is. */
  public CrashableDirectory crash(CrashChoice choice) {
    return capture().image(choice).open();
  }

  /** Reports every act to {@code newListener} before it happens; null ends that. */
  public void listener(@Nullable PersistListener newListener) {
    listener = newListener;
  }

  void before(PersistListener.Act act, String memory, long offset, long bytes) {
    PersistListener called = listener;
    if (called != null) {
      called.before(act, memory, offset, bytes);
    }
  }

  /** Flips one bit of a memory, as a failing medium does. */
  public synchronized void flipBit(String name, long offset, int bit) {
    named(name).flipBit(offset, bit);
  }

  @Override
  public PersistenceDomain domain() {
    return PersistenceDomain.POWER;
  }

  @Override
  public Medium medium() {
    return Medium.CRASHABLE;
  }

  @Override
  public String description() {
    return "crashable memory, torn by " + unit;
  }

  /** A new memory has its name before it grows, and a crash may find either alone. */
  @Override
  public PersistentMemory open(String name, long initialSizeBytes) {
    CrashableMemory memory = find(name);
    if (memory == null) {
      before(PersistListener.Act.NAMES, name, 0, 0);
      memory = create(name, initialSizeBytes);
      before(PersistListener.Act.GROW, name, 0, initialSizeBytes);
      memory.made();
    }
    memory.reopened();
    return memory;
  }

  private synchronized @Nullable CrashableMemory find(String name) {
    return names.get(name);
  }

  private synchronized CrashableMemory create(String name, long initialSizeBytes) {
    CrashableMemory memory = new CrashableMemory(this, name, initialSizeBytes);
    owned.add(memory);
    change(new NameChange<>(null, name, memory));
    return memory;
  }

  private void change(NameChange<CrashableMemory> change) {
    changes.add(change);
    change.apply(names);
  }

  @Override
  public synchronized boolean exists(String name) {
    return names.containsKey(name);
  }

  @Override
  public synchronized List<String> names() {
    return List.copyOf(names.keySet());
  }

  @Override
  public void delete(String name) {
    before(PersistListener.Act.NAMES, name, 0, 0);
    synchronized (this) {
      CrashableMemory memory = named(name);
      memory.close();
      change(new NameChange<>(name, null, memory));
    }
  }

  @Override
  public void rename(String from, String to) {
    before(PersistListener.Act.NAMES, from, 0, 0);
    synchronized (this) {
      CrashableMemory memory = named(from);
      CrashableMemory replaced = names.get(to);
      if (replaced != null) {
        replaced.close();
      }
      change(new NameChange<>(from, to, memory));
      memory.renamed(to);
    }
  }

  private CrashableMemory named(String name) {
    CrashableMemory memory = names.get(name);
    if (memory == null) {
      throw VolatileDirectory.missing(name, description());
    }
    return memory;
  }

  @Override
  public void syncNames() {
    beginSyncOfNames().run();
  }

  /** A sync of names that takes in the changes so far; they are durable when the result has run. */
  public synchronized Runnable beginSyncOfNames() {
    List<NameChange<CrashableMemory>> covered = List.copyOf(changes);
    return () -> {
      before(PersistListener.Act.NAMES, "", 0, 0);
      synchronized (this) {
        covered.stream().filter(changes::remove).forEach(change -> change.apply(durableNames));
      }
    };
  }

  /**
   * A sync of a memory as of a file: it takes in all that was stored so far, flushed or not. That
   * is durable when the result has run.
   */
  public Runnable beginSync(String name) {
    CrashableMemory memory;
    synchronized (this) {
      memory = named(name);
    }
    return memory.beginSync();
  }

  @Override
  public PersistCounters counters() {
    return counters;
  }

  @Override
  public synchronized void close() {
    owned.forEach(CrashableMemory::destroy);
    owned.clear();
    names.clear();
    durableNames.clear();
    changes.clear();
  }
}
