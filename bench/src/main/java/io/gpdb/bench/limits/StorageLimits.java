package io.gpdb.bench.limits;

import io.gpdb.bench.harness.Leftovers;
import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.Spread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Syncs of one file, one after another and side by side. */
final class StorageLimits implements AutoCloseable {
  private static final int PAGE = 4096;
  private static final int FILE_PAGES = 1024;

  private final Path file;
  private final FileChannel channel;

  /** In a file of its own in that folder. */
  StorageLimits(Path directory) throws IOException {
    file = Leftovers.watch(Files.createTempFile(directory, "gpdb-limit", ".bin"));
    channel = FileChannel.open(file, StandardOpenOption.WRITE);
    channel.write(ByteBuffer.allocateDirect(FILE_PAGES * PAGE), 0);
    channel.force(true);
  }

  /** Microseconds of writing 4 KiB of a file that has its size, and syncing them. */
  Spread latency(int count) throws IOException {
    ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
    List<Double> micros = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      writeAndSync(page, i % FILE_PAGES);
      micros.add((System.nanoTime() - start) / 1e3);
    }
    return Spread.of(micros);
  }

  /** Such writes each second, by threads that do not wait for one another. */
  Spread overlapped(int threads, int rounds, int millis) throws InterruptedException {
    List<Double> rates = new ArrayList<>();
    try (Together together = new Together(threads)) {
      for (int round = 0; round < rounds; round++) {
        long[] counts = new long[threads];
        double seconds =
            together.seconds(number -> counts[number] = untilEnd(number, threads, millis));
        long sum = 0;
        for (long count : counts) {
          sum += count;
        }
        rates.add(sum / seconds);
      }
    }
    return Spread.of(rates);
  }

  private long untilEnd(int number, int threads, int millis) throws IOException {
    ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
    int pages = FILE_PAGES / threads;
    long end = System.nanoTime() + millis * 1_000_000L;
    long count = 0;
    while (System.nanoTime() < end) {
      writeAndSync(page, number * pages + (int) (count % pages));
      count++;
    }
    return count;
  }

  private void writeAndSync(ByteBuffer page, int number) throws IOException {
    page.clear().putInt(0, number);
    channel.write(page, (long) number * PAGE);
    channel.force(false);
  }

  /** Bytes each second of sequential writes of 1 MiB with one sync at the end. */
  static Spread sequential(Path directory) throws IOException {
    return MachineLimits.measure(directory).bytesPerSecond();
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(file);
    Leftovers.forget(file);
  }
}
