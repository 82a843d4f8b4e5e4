package io.gpdb.storage.medium;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.VolatileMemory;
import java.util.List;
import java.util.TreeMap;

/** The memories of a database that ends with the process. */
public final class VolatileDirectory implements StorageDirectory {
  private final String name;
  private final TreeMap<String, VolatileMemory> memories = new TreeMap<>();
  private final PersistCounters counters = new PersistCounters();

  public VolatileDirectory(String name) {
    this.name = name;
  }

  @Override
  public PersistenceDomain domain() {
    return PersistenceDomain.NONE;
  }

  @Override
  public Medium medium() {
    return Medium.VOLATILE;
  }

  @Override
  public String description() {
    return "mem:" + name;
  }

  @Override
  public synchronized PersistentMemory open(String memoryName, long initialSizeBytes) {
    VolatileMemory memory = memories.get(memoryName);
    if (memory == null) {
      memory = new VolatileMemory(memoryName, initialSizeBytes, counters);
      memories.put(memoryName, memory);
    }
    memory.reopened();
    return memory;
  }

  @Override
  public synchronized boolean exists(String memoryName) {
    return memories.containsKey(memoryName);
  }

  @Override
  public synchronized List<String> names() {
    return List.copyOf(memories.keySet());
  }

  @Override
  public synchronized void delete(String memoryName) {
    VolatileMemory memory = memories.remove(memoryName);
    if (memory == null) {
      throw missing(memoryName, description());
    }
    memory.destroy();
  }

  @Override
  public synchronized void rename(String from, String to) {
    VolatileMemory memory = memories.remove(from);
    if (memory == null) {
      throw missing(from, description());
    }
    VolatileMemory replaced = memories.put(to, memory);
    if (replaced != null) {
      replaced.destroy();
    }
    memory.renamed(to);
  }

  @Override
  public void syncNames() {}

  @Override
  public PersistCounters counters() {
    return counters;
  }

  @Override
  public synchronized void close() {
    memories.values().forEach(VolatileMemory::destroy);
    memories.clear();
  }

  public static GpdbException missing(String memoryName, String directory) {
    return new GpdbException(
        ErrorCode.FILE_NOT_FOUND, "no such memory: name=" + memoryName + ", in=" + directory);
  }
}
