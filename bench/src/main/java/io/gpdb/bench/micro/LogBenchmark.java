package io.gpdb.bench.micro;

import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.txn.api.LogFilesAhead;
import io.gpdb.txn.log.RecordBuffer;
import io.gpdb.txn.log.Wal;
import io.gpdb.txn.log.WalLayout;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Records that are made, checksummed and written to a log in memory, where syncs cost nothing. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LogBenchmark {
  private static final long FILE_BYTES = 16L << 20;

  /** The header included. */
  @Param({"128", "65536"})
  int recordBytes = 128;

  private final VolatileDirectory directory = new VolatileDirectory("micro");
  private final DatabaseMemory memory = new DatabaseMemory();
  private final RecordBuffer record = new RecordBuffer(memory.work());
  private final List<RecordBuffer> records = List.of(record);
  private final Wal log =
      new Wal(
          directory,
          new UUID(1, 1),
          List.of(),
          0,
          1,
          1,
          FILE_BYTES,
          LogFilesAhead.AT_ONCE,
          SharedWork.ALONE);
  private long sequence;

  @Setup
  public void open() {
    log.openSegment(recordBytes);
  }

  @TearDown
  public void close() {
    record.free();
    log.close();
    memory.close();
    directory.close();
  }

  @Benchmark
  public long append() {
    sequence++;
    record.begin(1, 0, sequence);
    record.section(recordBytes - WalLayout.RECORD_HEADER_BYTES).fill((byte) sequence);
    record.end();
    RecordBuffer.complete(records, SharedWork.ALONE);
    if (!log.hasRoomFor(record)) {
      log.openSegment(record.bytes());
      log.retire(log.position());
    }
    log.beginBatch(log.position());
    log.put(record, sequence);
    log.drain();
    return log.position();
  }
}
