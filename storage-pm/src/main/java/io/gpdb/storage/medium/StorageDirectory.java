package io.gpdb.storage.medium;

import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.TemporaryFile;
import java.util.List;

/** Where the memories of one database live, by name. */
public interface StorageDirectory extends AutoCloseable {
  PersistenceDomain domain();

  Medium medium();

  /** For people: the path or the name of the database. */
  String description();

  /**
   * The memory of that name, created zero-filled with {@code initialSizeBytes} (rounded up to 4096)
   * where it is missing; an existing one keeps its size. A memory that is open already is shared.
   */
  PersistentMemory open(String name, long initialSizeBytes);

  boolean exists(String name);

  /** All names, sorted. */
  List<String> names();

  /** Removes a memory; an open one is closed first. */
  void delete(String name);

  /** Renames a memory, open or not; replaces the one that had the new name. */
  void rename(String from, String to);

  /** Returns when all creations, renames and deletions so far are durable (A4). */
  void syncNames();

  /** A new file for bytes that end with a statement; no name of this directory. */
  default TemporaryFile temporaryFile() {
    return UnnamedFile.ofSystem();
  }

  /** The sum over all memories, also those deleted. */
  PersistCounters counters();

  @Override
  void close();
}
