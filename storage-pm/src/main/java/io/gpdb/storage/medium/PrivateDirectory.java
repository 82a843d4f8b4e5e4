package io.gpdb.storage.medium;

import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.PrivateMemory;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A directory over another one that is only read: whatever is stored, created, renamed or deleted
 * stays in this process's memory and ends with it. So a database that needs recovery can be
 * recovered and read by a process that may not write it.
 */
public final class PrivateDirectory implements StorageDirectory {
  private final StorageDirectory base;
  private final PersistCounters counters = new PersistCounters();
  private final TreeMap<String, PrivateMemory> memories = new TreeMap<>();

  /** Names of the base that mean nothing here any more. */
  private final Set<String> gone = new HashSet<>();

  /** The base stays the caller's. */
  public PrivateDirectory(StorageDirectory base) {
    this.base = base;
  }

  @Override
  public PersistenceDomain domain() {
    return base.domain();
  }

  @Override
  public Medium medium() {
    return base.medium();
  }

  @Override
  public String description() {
    return base.description();
  }

  @Override
  public synchronized PersistentMemory open(String name, long initialSizeBytes) {
    PrivateMemory memory = memories.get(name);
    if (memory == null) {
      memory =
          isInBase(name)
              ? new PrivateMemory(name, domain(), base.open(name, 0), 0)
              : new PrivateMemory(name, domain(), null, initialSizeBytes);
      memories.put(name, memory);
    }
    memory.reopened();
    return memory;
  }

  private boolean isInBase(String name) {
    return !gone.contains(name) && base.exists(name);
  }

  @Override
  public synchronized boolean exists(String name) {
    return memories.containsKey(name) || isInBase(name);
  }

  @Override
  public synchronized List<String> names() {
    Set<String> names = new TreeSet<>(base.names());
    names.removeAll(gone);
    names.addAll(memories.keySet());
    return List.copyOf(names);
  }

  @Override
  public synchronized void delete(String name) {
    if (!exists(name)) {
      throw VolatileDirectory.missing(name, description());
    }
    PrivateMemory memory = memories.remove(name);
    if (memory != null) {
      memory.destroy();
    }
    gone.add(name);
  }

  @Override
  public synchronized void rename(String from, String to) {
    if (!exists(from)) {
      throw VolatileDirectory.missing(from, description());
    }
    open(from, 0);
    PrivateMemory moved = memories.remove(from);
    PrivateMemory replaced = moved == null ? null : memories.put(to, moved);
    if (replaced != null) {
      replaced.destroy();
    }
    if (moved != null) {
      moved.renamed(to);
    }
    gone.add(from);
    gone.add(to);
  }

  @Override
  public void syncNames() {}

  @Override
  public PersistCounters counters() {
    return counters;
  }

  @Override
  public synchronized void close() {
    memories.values().forEach(PrivateMemory::destroy);
    memories.clear();
  }
}
