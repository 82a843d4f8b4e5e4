package io.gpdb.txn.protocol;

import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.change.DeleteChange;
import io.gpdb.txn.change.InsertChange;
import io.gpdb.txn.change.TableChange;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.change.TransactionWrites.TouchedColumn;
import io.gpdb.txn.change.UpdateChange;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TxnCounters;
import io.gpdb.txn.version.UndoVersion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The baselines without persists inside of kernels (CAP-fs and CAP-mm in GPM, section 6): kernels
 * work on volatile memory; the commit writes every changed column whole to its home extents, with
 * the file system or through the mapping by threads, and syncs. A crash in the middle leaves
 * columns part old and part new, and what other transactions have not committed is written too:
 * these baselines are for measuring.
 */
public final class CapProtocol implements WriteProtocol {
  private static final int THREADS = Math.max(2, Runtime.getRuntime().availableProcessors());

  private final ColumnStores stores;
  private final PersistentMemory home;
  private final TxnCounters counters;
  private final boolean mapped;
  private final ExecutorService threads;

  /** A whole column. */
  private record Column(TableVersions table, int column) {}

  public CapProtocol(
      ColumnStores stores, PersistentMemory home, TxnCounters counters, boolean mapped) {
    this.stores = stores;
    this.home = home;
    this.counters = counters;
    this.mapped = mapped;
    this.threads =
        Executors.newFixedThreadPool(
            THREADS, task -> Thread.ofPlatform().daemon().name("gpdb-cap").unstarted(task));
  }

  private Protocol protocol() {
    return mapped ? Protocol.CAP_MM : Protocol.CAP_FS;
  }

  @Override
  public boolean offers(Protocol requested) {
    return requested == protocol();
  }

  /** Values go to the working image until the commit; deleted rows are metadata, and logged. */
  @Override
  public void update(TransactionWrites writes, TableChange change) {
    switch (change) {
      case InsertChange insert ->
          insert
              .parts()
              .forEach(
                  part -> {
                    touch(writes, insert.table(), part.tablet(), insert.table().allColumns());
                    part.protocol(protocol());
                  });
      case UpdateChange update -> {
        update
            .parts()
            .forEach(part -> touch(writes, update.table(), part.tablet(), update.columns()));
        update.protocol(protocol());
      }
      case DeleteChange _ -> {}
    }
    stores.apply(writes, change, change instanceof DeleteChange);
  }

  private static void touch(
      TransactionWrites writes, TableVersions table, Tablet tablet, int... columns) {
    for (int column : columns) {
      writes.touchedColumns().add(new TouchedColumn(table, tablet.number(), column));
    }
  }

  @Override
  public void restored(TransactionWrites writes, UndoVersion version, Tablet tablet) {}

  @Override
  public void beforeCommit(TransactionWrites writes) {
    Set<Column> columns = new LinkedHashSet<>();
    writes.touchedColumns().forEach(c -> columns.add(new Column(c.table(), c.column())));
    if (columns.isEmpty()) {
      return;
    }
    List<Future<?>> running = new ArrayList<>();
    for (Column c : columns) {
      for (int t = 0; t < c.table().store().tabletCount(); t++) {
        Tablet tablet = c.table().store().tablet(t);
        touch(writes, c.table(), tablet, c.column());
        if (mapped) {
          running.add(threads.submit(() -> write(c, tablet)));
        } else {
          write(c, tablet);
        }
      }
    }
    joinAll(running);
    home.drain();
  }

  /** All of them end before the first failure is thrown: nothing is written after the commit. */
  private static void joinAll(List<Future<?>> running) {
    RuntimeException failure = null;
    for (Future<?> task : running) {
      RuntimeException failed = join(task);
      failure = failure == null ? failed : failure;
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** An interrupt is kept for later: what is being written cannot be left half done. */
  private static @Nullable RuntimeException join(Future<?> task) {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          task.get();
          return null;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      return e.getCause() instanceof GpdbException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void write(Column c, Tablet tablet) {
    tablet.latch().writeLock().lock();
    try {
      writeChunk(tablet, ChunkKind.VALUES, c.column());
      if (tablet.validity(c.column()) != null) {
        writeChunk(tablet, ChunkKind.VALIDITY, c.column());
      }
    } finally {
      tablet.latch().writeLock().unlock();
    }
  }

  private void writeChunk(Tablet tablet, ChunkKind kind, int column) {
    boolean values = kind == ChunkKind.VALUES;
    MemorySegment target = values ? tablet.homeValues(column) : tablet.homeValidity(column);
    DeviceBuffer stored = values ? tablet.values(column) : tablet.validity(column);
    if (stored == null) {
      return;
    }
    MemorySegment image = stored.onHost().segment();
    long bytes = Math.min(image.byteSize(), target.byteSize());
    long offset = tablet.homeOffset(kind, column);
    if (mapped) {
      MemorySegment.copy(image, 0, target, 0, bytes);
      home.counters().stored(bytes);
    } else {
      home.store(offset, image.asSlice(0, bytes));
    }
    home.flush(offset, bytes);
    counters.homeWritten(bytes);
    tablet.markHomeCurrent(kind, column);
  }

  @Override
  public void afterCommit(TransactionWrites writes) {}

  @Override
  public void afterRollback(TransactionWrites writes) {}

  @Override
  public void beforeCheckpoint(long sequence) {}

  @Override
  public void close() {
    threads.shutdown();
  }
}
