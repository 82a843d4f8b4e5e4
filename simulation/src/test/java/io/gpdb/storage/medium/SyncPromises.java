package io.gpdb.storage.medium;

import io.gpdb.simulation.recorded.FileActs;
import io.gpdb.simulation.recorded.RecordedFileSystem;
import io.gpdb.storage.memory.PersistentMemory;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What syncs of a real file promise, tried with every sync of the system stopped until the test
 * decides how it ends: whoever returns has had a sync that began after its flush and did not fail.
 */
public final class SyncPromises {
  private static final long WAIT_MILLIS = 5000;
  private static final String FILE = "f.gpdb";

  private final List<String> broken = new ArrayList<>();

  /** Each sync of the system waits here. */
  private static final class Held implements FileActs {
    private final BlockingQueue<CompletableFuture<Boolean>> begun = new LinkedBlockingQueue<>();
    private volatile boolean holds = true;
    private volatile boolean outOfFiles;

    /** The next sync that begins; null when the call that should begin it ends without one. */
    CompletableFuture<Boolean> next(Call call) throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS);
      CompletableFuture<Boolean> sync = null;
      boolean hopeless = false;
      while (sync == null && !hopeless) {
        hopeless = call.hasEnded() || System.nanoTime() > end;
        sync = begun.poll(1, TimeUnit.MILLISECONDS);
      }
      return sync;
    }

    boolean endNext(Call call, boolean well) throws InterruptedException {
      CompletableFuture<Boolean> sync = next(call);
      return sync != null && sync.complete(well);
    }

    @Override
    public void opening(String name) throws IOException {
      if (outOfFiles) {
        throw new IOException("Too many open files");
      }
    }

    @Override
    public void created(FileId file) {}

    @Override
    public void mapped(FileId file) {}

    @Override
    public void wrote(FileId file, long offset, byte[] bytes) {}

    @Override
    public void truncated(FileId file, long sizeBytes) {}

    @Override
    public void renamed(FileId file, String from, String to) {}

    @Override
    public void deleted(FileId file, String name) {}

    @Override
    public Sync syncing(FileId file) {
      if (!holds) {
        return () -> {};
      }
      CompletableFuture<Boolean> end = new CompletableFuture<>();
      begun.add(end);
      return () -> {
        if (!end.join()) {
          throw new IOException("as asked for");
        }
      };
    }

    @Override
    public Sync syncingNames() {
      return () -> {};
    }
  }

  /** A call in a thread of its own: how it ended, in words. */
  private static final class Call {
    private final CompletableFuture<String> result = new CompletableFuture<>();
    private final Thread thread;

    private interface Act {
      void run() throws IOException;
    }

    Call(Act act) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      act.run();
                      result.complete("returned");
                    } catch (IOException | RuntimeException e) {
                      result.complete("failed");
                    }
                  });
    }

    boolean hasEnded() {
      return result.isDone();
    }

    String end() {
      return result.completeOnTimeout("waits", WAIT_MILLIS, TimeUnit.MILLISECONDS).join();
    }

    void awaitWaiting() {
      while (thread.getState() != Thread.State.WAITING && !result.isDone()) {
        Thread.onSpinWait();
      }
    }
  }

  /** What does not hold; empty when all does. */
  public static List<String> broken() throws Exception {
    SyncPromises promises = new SyncPromises();
    promises.aSyncAsksTheSystem();
    promises.whoWaitsIsNotReleasedByASyncThatBeganBeforeItsFlush();
    promises.whoWaitsIsNotReleasedByASyncThatFailed();
    promises.whoSyncsBesideAFailureFails();
    promises.aGrowthIsSynced();
    return promises.broken;
  }

  private void expect(boolean holds, String claim) {
    if (!holds) {
      broken.add(claim);
    }
  }

  private interface WithChannels {
    void run(Held held, SyncChannels syncs, Path path) throws Exception;
  }

  private static void withChannels(WithChannels test) throws Exception {
    Path dir = Files.createTempDirectory("gpdb-syncs").toRealPath();
    Held held = new Held();
    Path path = RecordedFileSystem.over(dir, held).resolve(FILE);
    try (AsynchronousFileChannel channel = FileChannels.open(path, true)) {
      held.outOfFiles = true;
      test.run(held, new SyncChannels(channel), path);
    } finally {
      Files.delete(dir.resolve(FILE));
      Files.delete(dir);
    }
  }

  private static Call sync(SyncChannels syncs, Path path, long flushes) {
    return new Call(() -> syncs.sync(path, flushes, () -> flushes, failure -> {}));
  }

  private void aSyncAsksTheSystem() throws Exception {
    withChannels(
        (held, syncs, path) -> {
          Call call = sync(syncs, path, 1);
          expect(held.endNext(call, true), "a sync asks the system");
          expect(call.end().equals("returned"), "a sync returns");
        });
  }

  private void whoWaitsIsNotReleasedByASyncThatBeganBeforeItsFlush() throws Exception {
    withChannels(
        (held, syncs, path) -> {
          Call first = sync(syncs, path, 1);
          CompletableFuture<Boolean> earlier = held.next(first);
          Call second = sync(syncs, path, 2);
          second.awaitWaiting();
          if (earlier != null) {
            earlier.complete(true);
          }
          expect(first.end().equals("returned"), "the earlier sync returns");
          expect(held.endNext(second, true), "a flush after an earlier sync has a sync of its own");
          second.end();
        });
  }

  private void whoWaitsIsNotReleasedByASyncThatFailed() throws Exception {
    withChannels(
        (held, syncs, path) -> {
          Call first = sync(syncs, path, 1);
          CompletableFuture<Boolean> failing = held.next(first);
          Call second = sync(syncs, path, 1);
          second.awaitWaiting();
          if (failing != null) {
            failing.complete(false);
          }
          expect(first.end().equals("failed"), "a failed sync is told");
          expect(held.endNext(second, true), "a sync that failed releases nobody");
          second.end();
        });
  }

  private interface WithMemory {
    void run(Held held, PersistentMemory memory) throws Exception;
  }

  private static void withMemory(WithMemory test) throws Exception {
    Path dir = Files.createTempDirectory("gpdb-syncs").toRealPath();
    Held held = new Held();
    try (StorageDirectory directory =
        FileDirectory.open(RecordedFileSystem.over(dir, held), true)) {
      test.run(held, directory.open(FILE, 8192));
      held.holds = false;
    }
    for (String name : List.of(FILE, OwnerLock.FILE_NAME)) {
      Files.delete(dir.resolve(name));
    }
    Files.delete(dir);
  }

  private void whoSyncsBesideAFailureFails() throws Exception {
    withMemory(
        (held, memory) -> {
          memory.flush(0, 8);
          Call first = new Call(memory::drain);
          CompletableFuture<Boolean> failing = held.next(first);
          memory.flush(0, 8);
          Call second = new Call(memory::drain);
          held.endNext(second, true);
          second.awaitWaiting();
          if (failing != null) {
            failing.complete(false);
          }
          expect(first.end().equals("failed"), "a drain whose sync failed fails");
          expect(second.end().equals("failed"), "a drain beside one that failed fails");
        });
  }

  private void aGrowthIsSynced() throws Exception {
    withMemory(
        (held, memory) -> {
          Call first = new Call(memory::drain);
          expect(held.endNext(first, true), "the size of a new file is synced");
          first.end();
          memory.grow(65_536);
          Call second = new Call(memory::drain);
          expect(held.endNext(second, true), "a growth is synced");
          second.end();
        });
  }
}
