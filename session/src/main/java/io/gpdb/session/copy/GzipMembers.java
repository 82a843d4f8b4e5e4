package io.gpdb.session.copy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses what is written to it as a gzip file of several members, one for each block of bytes:
 * the blocks are compressed at the same time and written in their order. Every reader of gzip takes
 * the members for one stream. For one writing thread.
 */
final class GzipMembers extends OutputStream {
  static final int BLOCK_BYTES = 1 << 20;

  /** Twice the speed of the usual level for a file that is about an eighth larger. */
  private static final int LEVEL = 3;

  private final OutputStream target;
  private final int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
  private final ExecutorService workers =
      Executors.newFixedThreadPool(
          threads, Thread.ofPlatform().daemon().name("gpdb-gzip-", 0).factory());
  private final ArrayDeque<Future<byte[]>> members = new ArrayDeque<>();
  private byte[] block = new byte[BLOCK_BYTES];
  private int used;
  private boolean hasMember;

  GzipMembers(OutputStream target) {
    this.target = target;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    int at = from;
    int end = from + length;
    while (at < end) {
      int n = Math.min(end - at, block.length - used);
      System.arraycopy(bytes, at, block, used, n);
      used += n;
      at += n;
      if (used == block.length) {
        endBlock();
      }
    }
  }

  private void endBlock() throws IOException {
    byte[] full = used == block.length ? block : Arrays.copyOf(block, used);
    members.add(workers.submit(() -> member(full)));
    hasMember = true;
    block = new byte[BLOCK_BYTES];
    used = 0;
    while (members.size() > 2 * threads) {
      writeFirst();
    }
  }

  private static byte[] member(byte[] bytes) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream(bytes.length / 2 + 64);
    try (Member member = new Member(compressed)) {
      member.write(bytes, 0, bytes.length);
    }
    return compressed.toByteArray();
  }

  /** GZIPOutputStream with a level. */
  private static final class Member extends GZIPOutputStream {
    Member(OutputStream out) throws IOException {
      super(out, 64 * 1024);
      def.setLevel(LEVEL);
      def.setStrategy(Deflater.DEFAULT_STRATEGY);
    }
  }

  private void writeFirst() throws IOException {
    try {
      target.write(members.remove().get());
    } catch (ExecutionException e) {
      throw new IOException("cannot compress", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while compressing", e);
    }
  }

  /** Writes all that is left; a file of nothing is one empty member. */
  void finish() throws IOException {
    if (used > 0 || !hasMember) {
      endBlock();
    }
    while (!members.isEmpty()) {
      writeFirst();
    }
  }

  /** Ends the workers; what was not finished is lost. */
  @Override
  public void close() {
    workers.shutdownNow();
  }
}
