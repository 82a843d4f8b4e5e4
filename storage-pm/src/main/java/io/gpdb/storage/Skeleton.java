package io.gpdb.storage;

/** Marks what the first commit only declares. */
final class Skeleton {
  private Skeleton() {}

  static UnsupportedOperationException absent() {
    return new UnsupportedOperationException("declared, not built yet");
  }
}
