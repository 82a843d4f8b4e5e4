package io.gpdb.bench.harness;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What the machine's storage can do at best, measured in the same run as the database.
 *
 * @param syncsPerSecond 4 KiB overwrites of a preallocated file, each followed by a data sync
 * @param bytesPerSecond sequential writes of 1 MiB with one data sync at the end
 */
public record MachineLimits(Spread syncsPerSecond, Spread bytesPerSecond) {
  private static final int ROUNDS = 5;
  private static final int SYNCS_PER_ROUND = 100;
  private static final int BULK_BYTES = 64 << 20;

  public static MachineLimits measure(Path directory) throws IOException {
    List<Double> syncs = new ArrayList<>();
    List<Double> bulk = new ArrayList<>();
    Path file = Leftovers.watch(Files.createTempFile(directory, "gpdb-limit", ".bin"));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer mebibyte = ByteBuffer.allocateDirect(1 << 20);
      writeBulk(channel, mebibyte);
      for (int round = 0; round < ROUNDS; round++) {
        long start = System.nanoTime();
        writeBulk(channel, mebibyte);
        bulk.add(BULK_BYTES / seconds(start));
        syncs.add(syncsPerSecond(channel, SYNCS_PER_ROUND));
      }
    } finally {
      Files.deleteIfExists(file);
      Leftovers.forget(file);
    }
    return new MachineLimits(Spread.of(syncs), Spread.of(bulk));
  }

  /** One round of 4 KiB overwrites, each synced, in a file that is at least 1 MiB long. */
  public static double syncsPerSecond(FileChannel channel, int count) throws IOException {
    ByteBuffer page = ByteBuffer.allocateDirect(4096);
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      page.clear().putInt(0, i);
      channel.write(page, (i % 256) * 4096L);
      channel.force(false);
    }
    return count / seconds(start);
  }

  private static void writeBulk(FileChannel channel, ByteBuffer mebibyte) throws IOException {
    for (long at = 0; at < BULK_BYTES; at += mebibyte.capacity()) {
      mebibyte.clear();
      channel.write(mebibyte, at);
    }
    channel.force(false);
  }

  public static double seconds(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
