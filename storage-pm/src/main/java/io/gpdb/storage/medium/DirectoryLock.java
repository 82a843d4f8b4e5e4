package io.gpdb.storage.medium;

/** What keeps others from a directory while it is open. */
interface DirectoryLock extends AutoCloseable {
  @Override
  void close();
}
