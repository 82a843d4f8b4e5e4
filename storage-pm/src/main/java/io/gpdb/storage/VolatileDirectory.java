package io.gpdb.storage;

import java.util.List;

/** The memories of a database that ends with the process. */
@SuppressWarnings("DoNotCallSuggester")
public final class VolatileDirectory implements StorageDirectory {
  public VolatileDirectory(String name) {}

  @Override
  public PersistenceDomain domain() {
    throw Skeleton.absent();
  }

  @Override
  public Medium medium() {
    throw Skeleton.absent();
  }

  @Override
  public String description() {
    throw Skeleton.absent();
  }

  @Override
  public PersistentMemory open(String name, long initialSizeBytes) {
    throw Skeleton.absent();
  }

  @Override
  public boolean exists(String name) {
    throw Skeleton.absent();
  }

  @Override
  public List<String> names() {
    throw Skeleton.absent();
  }

  @Override
  public void delete(String name) {
    throw Skeleton.absent();
  }

  @Override
  public void rename(String from, String to) {
    throw Skeleton.absent();
  }

  @Override
  public void syncNames() {
    throw Skeleton.absent();
  }

  @Override
  public PersistCounters counters() {
    throw Skeleton.absent();
  }

  @Override
  public void close() {
    throw Skeleton.absent();
  }
}
