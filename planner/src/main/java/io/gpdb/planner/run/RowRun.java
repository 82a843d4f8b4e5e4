package io.gpdb.planner.run;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.memory.TemporaryFile;
import java.util.List;

/**
 * Rows of words in a temporary file, in buckets by the first bits of their hashes. In memory is
 * where each bucket ends.
 */
final class RowRun implements AutoCloseable {
  private static final int BUCKET_ROWS = 128;
  private static final int WRITE_BYTES = 1 << 14;

  private final WordRow layout;
  private final HashOrder order;
  private final MemoryAccount account = MemoryAccount.current();
  private final TemporaryFile file;
  private final BatchMemory memory = new BatchMemory();
  private final HostBuffer ends;
  private int rows;

  private RowRun(WordRow layout, long rowsMax) {
    this.layout = layout;
    order = HashOrder.of(layout, rowsMax, BUCKET_ROWS);
    ends = memory.pin((order.buckets() + 2L) * Integer.BYTES);
    ends.setInt(0, 0);
    try {
      file = account.temporaryFile();
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  /**
   * Writes rows.
   *
   * @param scratch room for a number of each row
   */
  static RowRun of(WordRow layout, HostBuffer words, int count, HostBuffer scratch) {
    RowRun run = new RowRun(layout, count);
    try {
      run.add(words, count, 0, run.order.buckets(), scratch);
      return run;
    } catch (RuntimeException | Error e) {
      run.close();
      throw e;
    }
  }

  /** Writes the rows of several runs, which stay as they are. */
  static RowRun of(List<RowRun> runs) {
    long rows = runs.stream().mapToLong(run -> run.rows).sum();
    RowRun merged = new RowRun(runs.getFirst().layout, rows);
    int bits =
        Math.min(
            merged.order.bits(), runs.stream().mapToInt(r -> r.order.bits()).min().orElseThrow());
    int buckets = merged.order.buckets() >> bits;
    try {
      for (int i = 0; i < 1 << bits; i++) {
        try (BatchMemory scratch = new BatchMemory()) {
          merged.addAll(runs, i, bits, buckets, scratch);
        }
      }
      return merged;
    } catch (RuntimeException | Error e) {
      merged.close();
      throw e;
    }
  }

  /** Writes the rows of the runs whose hashes begin with some bits. */
  private void addAll(List<RowRun> runs, int prefix, int bits, int buckets, BatchMemory scratch) {
    int count = 0;
    for (RowRun run : runs) {
      count += run.from(prefix + 1, bits) - run.from(prefix, bits);
    }
    HostBuffer words = scratch.pin(count * layout.bytes());
    long at = 0;
    for (RowRun run : runs) {
      int from = run.from(prefix, bits);
      HostBuffer part = words.slice(at, (run.from(prefix + 1, bits) - from) * layout.bytes());
      run.read(from, part);
      at += part.bytes();
    }
    add(words, count, prefix * buckets, buckets, scratch.pin((long) count * Integer.BYTES));
  }

  /** The number of the first row whose hash begins with those bits, or later ones. */
  private int from(int prefix, int bits) {
    return ends.intAt((long) prefix << (order.bits() - bits));
  }

  private void add(HostBuffer words, int count, int first, int buckets, HostBuffer numbers) {
    order.sort(words, 0, count, first, buckets, ends, numbers);
    int most = Math.max(1, (int) (WRITE_BYTES / layout.bytes()));
    long[] row = new long[layout.width()];
    try (BatchMemory scratch = new BatchMemory()) {
      HostBuffer written = scratch.pin(Math.min(most, count) * layout.bytes());
      for (int from = 0; from < count; from += most) {
        StopSignal.poll();
        int n = Math.min(most, count - from);
        for (int i = 0; i < n; i++) {
          layout.read(words, numbers.intAt(from + i), row);
          written.write((long) i * row.length, row, 0, row.length);
        }
        file.write(rows * layout.bytes(), written.slice(0, n * layout.bytes()));
        rows += n;
      }
    }
    account.countSpilled(count * layout.bytes());
  }

  private void read(int from, HostBuffer target) {
    if (target.bytes() > 0) {
      file.read(from * layout.bytes(), target);
    }
  }

  /**
   * Marks those of some rows that are in the run. A bucket is read once where their numbers are in
   * the order of their hashes.
   *
   * @param rows of which some are asked for
   * @param base the number of the first row that has a mark
   */
  void find(DistinctRows asked, HostBuffer numbers, int count, int base, HostBuffer marks) {
    long[] row = new long[layout.width()];
    try (Bucket bucket = new Bucket()) {
      for (int i = 0; i < count; i++) {
        StopSignal.poll(i);
        int number = numbers.intAt(i);
        if (!Bitmaps.test(marks, number - base)) {
          asked.read(number, row);
          if (bucket.has(row)) {
            Bitmaps.set(marks, number - base, true);
          }
        }
      }
    }
  }

  /** The bucket that was read last. */
  private final class Bucket implements AutoCloseable {
    private BatchMemory memory = new BatchMemory();
    private HostBuffer words = HostBuffer.NONE;
    private int number = -1;
    private int count;

    boolean has(long[] row) {
      int wanted = order.bucket(row);
      if (wanted != number) {
        load(wanted);
      }
      for (int i = 0; i < count; i++) {
        if (layout.isAt(words, i, row)) {
          return true;
        }
      }
      return false;
    }

    private void load(int wanted) {
      int from = ends.intAt(wanted);
      count = ends.intAt(wanted + 1) - from;
      long bytes = count * layout.bytes();
      if (bytes > words.bytes()) {
        memory.close();
        memory = new BatchMemory();
        words = HostBuffer.NONE;
        words = memory.pin(2 * bytes);
      }
      read(from, words.slice(0, bytes));
      number = wanted;
    }

    @Override
    public void close() {
      memory.close();
    }
  }

  @Override
  public void close() {
    account.end(file);
    memory.close();
  }
}
