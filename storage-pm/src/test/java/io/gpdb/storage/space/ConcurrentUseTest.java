package io.gpdb.storage.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Appenders, a reader and checkpoints at once. */
class ConcurrentUseTest {
  @TempDir Path dir;

  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private Thread started(Runnable work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Throwable t) {
                failure.compareAndSet(null, t);
              }
            });
    thread.start();
    return thread;
  }

  @Test
  void appendersAndReadersGoOnWhileCheckpointsAreTaken() throws Exception {
    int batches = 120;
    int rows = 500;
    List<String> live;
    try (StorageDirectory files = FileDirectory.open(dir.resolve("db"), true);
        TableSpace space = TableSpace.open(files, false)) {
      TableStore table = space.createTable(16, SampleTables.SHAPE);
      List<Thread> appenders = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        appenders.add(
            started(
                () -> {
                  for (int i = 0; i < batches; i++) {
                    SampleTables.append(table, rows, 0);
                  }
                }));
      }
      AtomicBoolean done = new AtomicBoolean();
      Thread reader = started(() -> readUntil(done, table));
      for (int i = 0; i < 10; i++) {
        space.checkpoint(SnapshotImages.current(), i, new byte[0]);
      }
      for (Thread appender : appenders) {
        appender.join();
      }
      done.set(true);
      reader.join();
      assertThat(failure.get()).isNull();
      assertThat(table.rowLimit()).isEqualTo(2L * batches * rows);
      space.checkpoint(SnapshotImages.current(), 99, new byte[0]);
      assertThat(space.check()).isEmpty();
      live = SampleTables.contents(table);
    }
    try (StorageDirectory files = FileDirectory.open(dir.resolve("db"), false);
        TableSpace space = TableSpace.open(files, false)) {
      TableStore table = Objects.requireNonNull(space.table(16));
      assertThat(SampleTables.contents(table)).isEqualTo(live).hasSize(2 * batches * rows);
      assertThat(space.check()).isEmpty();
    }
  }

  private static void readUntil(AtomicBoolean done, TableStore table) {
    while (!done.get()) {
      for (int t = 0; t < table.tabletCount(); t++) {
        Tablet tablet = table.tablet(t);
        tablet.latch().readLock().lock();
        try {
          int n = tablet.rowCount();
          if (tablet.values(0).onHost().segment().byteSize() < n * 8L
              || tablet.live().onHost().segment().byteSize() * 8 < n) {
            throw new AssertionError("segments too short for rows=" + n);
          }
        } finally {
          tablet.latch().readLock().unlock();
        }
      }
    }
  }
}
