package io.gpdb.bench.kill;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the child reports to the parent, outside the database: a shared mapping of a file, which
 * outlives a killed process whole. Each worker's transactions are numbered 1, 2, 3 …, and one is
 * begun only when the one before it was acknowledged.
 *
 * <pre>
 * 0        4        8                 64 × (worker + 1)
 * phase    order    …                 begun (8)  acknowledged (8)  seen (8)
 * </pre>
 */
final class Ledger implements AutoCloseable {
  /** Where the child is. */
  enum Phase {
    STARTING(0),
    OPENING(1),
    WORKING(2),
    CLOSING(3);

    private final int code;

    Phase(int code) {
      this.code = code;
    }
  }

  static final String FILE_NAME = "ledger";

  private static final int WORKER_BYTES = 64;
  private static final int PHASE_AT = 0;
  private static final int ORDER_AT = 4;
  private static final int BEGUN_AT = 0;
  private static final int ACKNOWLEDGED_AT = 8;
  private static final int SEEN_AT = 16;
  private static final VarHandle INT = JAVA_INT.varHandle();
  private static final VarHandle LONG = JAVA_LONG.varHandle();

  private final Arena arena = Arena.ofShared();
  private final MemorySegment mapping;

  Ledger(Path file, int workers) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      mapping =
          channel.map(FileChannel.MapMode.READ_WRITE, 0, (workers + 1L) * WORKER_BYTES, arena);
    }
  }

  Phase phase() {
    int code = (int) INT.getVolatile(mapping, (long) PHASE_AT);
    for (Phase phase : Phase.values()) {
      if (phase.code == code) {
        return phase;
      }
    }
    throw new IllegalStateException("no phase " + code);
  }

  void enter(Phase phase) {
    INT.setVolatile(mapping, (long) PHASE_AT, phase.code);
  }

  /** Whether the child is to close the database and end. */
  boolean mustEnd() {
    return (int) INT.getVolatile(mapping, (long) ORDER_AT) != 0;
  }

  void orderEnd(boolean end) {
    INT.setVolatile(mapping, (long) ORDER_AT, end ? 1 : 0);
  }

  void begin(int worker, long transaction) {
    LONG.setVolatile(mapping, at(worker, BEGUN_AT), transaction);
  }

  void acknowledge(int worker, long transaction) {
    LONG.setVolatile(mapping, at(worker, ACKNOWLEDGED_AT), transaction);
  }

  /**
   * The database was found with this transaction as the worker's last. One that was begun and not
   * found must never be found later.
   */
  void settle(int worker, long transaction) {
    acknowledge(worker, transaction);
    begin(worker, transaction);
  }

  long begun(int worker) {
    return (long) LONG.getVolatile(mapping, at(worker, BEGUN_AT));
  }

  long acknowledged(int worker) {
    return (long) LONG.getVolatile(mapping, at(worker, ACKNOWLEDGED_AT));
  }

  /** A transaction that changed nothing has ended, and saw this. */
  void see(int worker, long value) {
    LONG.setVolatile(mapping, at(worker, SEEN_AT), value);
  }

  long seen(int worker) {
    return (long) LONG.getVolatile(mapping, at(worker, SEEN_AT));
  }

  private static long at(int worker, int field) {
    return (worker + 1L) * WORKER_BYTES + field;
  }

  @Override
  public void close() {
    arena.close();
  }
}
