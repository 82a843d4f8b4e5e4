package io.gpdb.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Memories that keep apart what is stored and what is durable, and can be cloned as a crash would
 * leave them, for tests and exploration. Creations, deletions and renames are lost from the newest
 * backwards unless {@link #syncNames} made them durable.
 */
public final class CrashableDirectory implements StorageDirectory {
  private static final int NAMES_OFFSET = -2;

  private final PersistCounters counters = new PersistCounters();
  private final List<CrashableMemory> owned = new ArrayList<>();

  /** What bears which name after each change since the last sync; the first is durable. */
  private final List<TreeMap<String, CrashableMemory>> history = new ArrayList<>();

  private volatile @Nullable PersistListener listener;

  public CrashableDirectory() {
    history.add(new TreeMap<>());
  }

  /** A new directory as a crash at this moment could leave it; this one stays as it is. */
  public synchronized CrashableDirectory crash(CrashChoice choice) {
    CrashableDirectory left = new CrashableDirectory();
    int survived = history.size() == 1 ? 0 : choice.survivor("", NAMES_OFFSET, history.size());
    history
        .get(survived)
        .forEach(
            (name, memory) -> {
              CrashableMemory copy = memory.crash(left, choice);
              copy.renamed(name);
              left.owned.add(copy);
              left.history.getFirst().put(name, copy);
            });
    return left;
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
    return "crashable memory";
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
