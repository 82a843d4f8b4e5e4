package io.gpdb.exec;

/** Makes ranges of a bound PERSISTENT buffer durable. Thread-safe. */
public interface PersistTarget {
  /** For buffers in memory that outlives nothing: flush and drain have nothing to do. */
  PersistTarget VOLATILE =
      new PersistTarget() {
        @Override
        public void flush(long offset, long bytes) {}

        @Override
        public void drain() {}
      };

  /** The range (bytes from the start of the bound segment) is durable after the next drain. */
  void flush(long offset, long bytes);

  /** Everything stored and flushed before is durable when this returns. */
  void drain();

  /** Whether a drain of the other one does for this one, too. */
  default boolean isDrainedWith(PersistTarget other) {
    return equals(other);
  }
}
