package io.gpdb.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Memories that keep apart what is stored and what is durable, and can be cloned as a crash would
 * leave them.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class CrashableDirectory implements StorageDirectory {
  public CrashableDirectory() {}

  /** A new directory as a crash at this moment could leave it. */
  public CrashableDirectory crash(CrashChoice choice) {
    throw Skeleton.absent();
  }

  public void listener(@Nullable PersistListener newListener) {
    throw Skeleton.absent();
  }

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
