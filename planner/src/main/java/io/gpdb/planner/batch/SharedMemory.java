package io.gpdb.planner.batch;

/** Memory of several batches, which ends with the last of them. Used by one thread at a time. */
final class SharedMemory {
  private final BatchMemory memory;
  private int users;

  SharedMemory(BatchMemory memory, int users) {
    this.memory = memory;
    this.users = users;
  }

  /** One batch has ended. */
  void release() {
    if (--users == 0) {
      memory.close();
    }
  }
}
