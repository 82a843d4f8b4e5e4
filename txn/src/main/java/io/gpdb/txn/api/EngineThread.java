package io.gpdb.txn.api;

/**
 * A thread of the engine's own. It keeps no process alive. Before anything that it uses is closed,
 * its end is awaited.
 */
public final class EngineThread {
  private final Thread thread;

  private EngineThread(Thread thread) {
    this.thread = thread;
  }

  public static EngineThread start(String name, Runnable work) {
    return new EngineThread(Thread.ofPlatform().daemon().name(name).start(work));
  }

  public boolean isCurrent() {
    return Thread.currentThread().equals(thread);
  }

  public void interrupt() {
    thread.interrupt();
  }

  /** Waits for its end, though the caller be interrupted, which shows again afterwards. */
  public void awaitEnd() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
