package io.gpdb.bench.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is not to be left behind by a command that is interrupted: its files, and the processes that
 * it started. Removed by the end of this process, whichever way it comes.
 */
public final class Leftovers {
  private static final int ATTEMPTS_MAX = 50;

  private static final Set<Path> PATHS = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Leftovers::remove, "gpdb-leftovers"));
  }

  private Leftovers() {}

  /** Removes the file or folder at the end of the process, unless it is kept. */
  public static Path watch(Path path) {
    PATHS.add(path);
    return path;
  }

  /** It is gone, or is to stay. */
  public static void forget(Path path) {
    PATHS.remove(path);
  }

  private static void remove() {
    if (!PATHS.isEmpty()) {
      ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }
    for (Path path : PATHS) {
      remove(path);
    }
  }

  /** Threads of the command may still be making files. */
  private static void remove(Path path) {
    int attempts = 0;
    while (attempts < ATTEMPTS_MAX) {
      attempts++;
      try {
        ScratchDirectory.delete(path);
        return;
      } catch (IOException | RuntimeException e) {
        Thread.onSpinWait(); // a file came or went meanwhile
      }
    }
  }
}
