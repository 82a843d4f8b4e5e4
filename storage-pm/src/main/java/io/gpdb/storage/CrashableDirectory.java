package io.gpdb.storage;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Memories that keep apart what is stored and what is durable, and can be cloned as a crash would
 * leave them, for tests and exploration. Creations, deletions and renames are lost from the newest
 * backwards unless {@link #syncNames} made them durable.
 */
public final class CrashableDirectory implements StorageDirectory {
  private final CrashUnit unit;
  private final PieceSource pieces;
  private final PersistCounters counters = new PersistCounters();
  private final List<CrashableMemory> owned = new ArrayList<>();

  /** What bears which name after each change since the last sync; the first is durable. */
  private final List<TreeMap<String, CrashableMemory>> history = new ArrayList<>();

  private volatile @Nullable PersistListener listener;

  public CrashableDirectory() {
    this(CrashUnit.LINE);
  }

  public CrashableDirectory(CrashUnit unit) {
    this.unit = unit;
    this.pieces = PieceSource.pooled();
    history.add(new TreeMap<>());
  }

  /** As a machine finds its medium that lost its power. */
  CrashableDirectory(CrashImage left) {
    unit = left.unit();
    pieces = left.pieces();
    TreeMap<String, CrashableMemory> names = new TreeMap<>();
    left.memories()
        .forEach((name, memory) -> names.put(name, new CrashableMemory(this, name, memory)));
    owned.addAll(names.values());
    history.add(names);
  }

  /** As a process finds it after another one was killed; arguments as of a {@link CrashPoint}. */
  CrashableDirectory(
      CrashUnit unit,
      PieceSource pieces,
      List<SortedMap<String, Integer>> numbered,
      List<CrashPoint.Memory> memories) {
    this.unit = unit;
    this.pieces = pieces;
    memories.forEach(memory -> owned.add(new CrashableMemory(this, memory)));
    for (SortedMap<String, Integer> numbers : numbered) {
      TreeMap<String, CrashableMemory> names = new TreeMap<>();
      numbers.forEach((name, number) -> names.put(name, owned.get(number)));
      history.add(names);
    }
  }

  CrashUnit unit() {
    return unit;
  }

  PieceSource pieces() {
    return pieces;
  }

  /** All that a crash at this moment could leave. */
  public synchronized CrashPoint capture() {
    IdentityHashMap<CrashableMemory, Integer> numbers = new IdentityHashMap<>();
    List<CrashPoint.Memory> memories = new ArrayList<>();
    List<SortedMap<String, Integer>> numbered = new ArrayList<>();
    for (TreeMap<String, CrashableMemory> names : history) {
      SortedMap<String, Integer> then = new TreeMap<>();
      names.forEach(
          (name, memory) -> {
            if (numbers.putIfAbsent(memory, memories.size()) == null) {
              memories.add(memory.capture());
            }
            then.put(name, Objects.requireNonNull(numbers.get(memory)));
          });
      numbered.add(then);
    }
    return new CrashPoint(unit, pieces, numbered, memories);
  }

  /** A new directory as a crash at this moment could leave it; this one stays as it is. */
  public CrashableDirectory crash(CrashChoice choice) {
    return capture().image(choice).open();
  }

  /** Has every act told to {@code newListener} before it happens; null ends that. */
  public void listener(@Nullable PersistListener newListener) {
    listener = newListener;
  }

  void before(PersistListener.Act act, String memory, long offset, long bytes) {
    PersistListener told = listener;
    if (told != null) {
      told.before(act, memory, offset, bytes);
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

  @Override
  public PersistentMemory open(String name, long initialSizeBytes) {
    if (!exists(name)) {
      before(PersistListener.Act.NAMES, name, 0, initialSizeBytes);
    }
    synchronized (this) {
      CrashableMemory memory = history.getLast().get(name);
      if (memory == null) {
        memory = new CrashableMemory(this, name, initialSizeBytes);
        owned.add(memory);
        changedNames().put(name, memory);
      }
      memory.reopened();
      return memory;
    }
  }

  private Map<String, CrashableMemory> changedNames() {
    TreeMap<String, CrashableMemory> next = new TreeMap<>(history.getLast());
    history.add(next);
    return next;
  }

  @Override
  public synchronized boolean exists(String name) {
    return history.getLast().containsKey(name);
  }

  @Override
  public synchronized List<String> names() {
    return List.copyOf(history.getLast().keySet());
  }

  @Override
  public void delete(String name) {
    before(PersistListener.Act.NAMES, name, 0, 0);
    synchronized (this) {
      named(name).close();
      changedNames().remove(name);
    }
  }

  @Override
  public void rename(String from, String to) {
    before(PersistListener.Act.NAMES, from, 0, 0);
    synchronized (this) {
      CrashableMemory memory = named(from);
      Map<String, CrashableMemory> next = changedNames();
      next.remove(from);
      CrashableMemory replaced = next.put(to, memory);
      if (replaced != null) {
        replaced.close();
      }
      memory.renamed(to);
    }
  }

  private CrashableMemory named(String name) {
    CrashableMemory memory = history.getLast().get(name);
    if (memory == null) {
      throw VolatileDirectory.missing(name, description());
    }
    return memory;
  }

  @Override
  public void syncNames() {
    before(PersistListener.Act.NAMES, "", 0, 0);
    synchronized (this) {
      TreeMap<String, CrashableMemory> last = history.getLast();
      history.clear();
      history.add(last);
    }
  }

  @Override
  public PersistCounters counters() {
    return counters;
  }

  @Override
  public synchronized void close() {
    owned.forEach(CrashableMemory::destroy);
    owned.clear();
    history.clear();
    history.add(new TreeMap<>());
  }
}
