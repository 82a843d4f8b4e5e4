package io.gpdb.simulation.recorded;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.jspecify.annotations.Nullable;

/** A store that calls itself a disk, also where the recorded files are in the machine's memory. */
final class DiskStore extends FileStore {
  private final FileStore inner;

  DiskStore(FileStore inner) {
    this.inner = inner;
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public String type() {
    return "recorded";
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public long getTotalSpace() throws IOException {
    return inner.getTotalSpace();
  }

  @Override
  public long getUsableSpace() throws IOException {
    return inner.getUsableSpace();
  }

  @Override
  public long getUnallocatedSpace() throws IOException {
    return inner.getUnallocatedSpace();
  }

  @Override
  public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
    return inner.supportsFileAttributeView(type);
  }

  @Override
  public boolean supportsFileAttributeView(String name) {
    return inner.supportsFileAttributeView(name);
  }

  @Override
  @SuppressWarnings("NullAway") // the interface's own way to say that there is none
  public <V extends FileStoreAttributeView> V getFileStoreAttributeView(Class<V> type) {
    return inner.getFileStoreAttributeView(type);
  }

  @Override
  public @Nullable Object getAttribute(String attribute) throws IOException {
    return inner.getAttribute(attribute);
  }
}
