package io.gpdb.storage.medium;

import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.TemporaryFile;
import java.util.List;

/** A directory that passes all on to another. */
public abstract class ForwardingDirectory implements StorageDirectory {
  protected final StorageDirectory inner;

  protected ForwardingDirectory(StorageDirectory inner) {
    this.inner = inner;
  }

  @Override
  public PersistenceDomain domain() {
    return inner.domain();
  }

  @Override
  public Medium medium() {
    return inner.medium();
  }

  @Override
  public String description() {
    return inner.description();
  }

  @Override
  public PersistentMemory open(String name, long initialSizeBytes) {
    return inner.open(name, initialSizeBytes);
  }

  @Override
  public boolean exists(String name) {
    return inner.exists(name);
  }

  @Override
  public List<String> names() {
    return inner.names();
  }

  @Override
  public void delete(String name) {
    inner.delete(name);
  }

  @Override
  public void rename(String from, String to) {
    inner.rename(from, to);
  }

  @Override
  public void syncNames() {
    inner.syncNames();
  }

  @Override
  public TemporaryFile temporaryFile() {
    return inner.temporaryFile();
  }

  @Override
  public PersistCounters counters() {
    return inner.counters();
  }

  @Override
  public void close() {
    inner.close();
  }
}
