package io.gpdb.session.copy;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.EngineThread;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A thread that parses batches ahead of the one that inserts them. */
final class ParseAhead implements AutoCloseable {
  static final int BATCHES = 3;
  private static final int MILLIS_BETWEEN_LOOKS = 10;

  private final CopyParser parser;
  private final int[] targets;
  private final ArrayBlockingQueue<RowBatch> free;
  private final ArrayBlockingQueue<Object> full = new ArrayBlockingQueue<>(BATCHES + 1);
  private final EngineThread thread;

  ParseAhead(CopyParser parser, RowBatch[] batches) {
    this.parser = parser;
    this.targets = parser.targets();
    this.free = new ArrayBlockingQueue<>(batches.length, false, List.of(batches));
    this.thread = EngineThread.start("gpdb-copy-parse", this::parseAll);
  }

  private void parseAll() {
    try {
      boolean last = false;
      while (!last) {
        RowBatch batch = free.take();
        Throwable failure = parse(batch);
        last = failure != null || batch.isLast();
        full.put(failure == null ? batch : failure);
      }
    } catch (InterruptedException e) {
      // The inserting side closed early and waits for nothing.
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable Throwable parse(RowBatch batch) {
    try {
      parser.fill(batch);
      return null;
    } catch (IOException | RuntimeException | Error e) {
      return e;
    }
  }

  /** The next batch, in the file's order; throws what stopped the parsing. */
  RowBatch take() throws IOException {
    Object next = null;
    try {
      while (next == null) {
        StopSignal.poll();
        next = full.poll(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading", e);
    }
    return switch (next) {
      case RowBatch batch -> batch;
      case IOException failure -> throw failure;
      case RuntimeException failure -> throw failure;
      case Error failure -> throw failure;
      default -> throw new IllegalStateException(next.toString());
    };
  }

  void giveBack(RowBatch batch) {
    batch.clear(targets);
    free.add(batch);
  }

  @Override
  public void close() {
    thread.interrupt();
    thread.awaitEnd();
  }
}
