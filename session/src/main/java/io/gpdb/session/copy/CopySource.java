package io.gpdb.session.copy;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/** The file that a COPY reads: plain, or compressed when its name ends in .gz. */
public final class CopySource implements AutoCloseable {
  private static final int INFLATE_BUFFER_BYTES = 128 * 1024;

  private final CountingStream counting;
  private final InputStream stream;
  private final long sizeBytes;

  private CopySource(CountingStream counting, InputStream stream, long sizeBytes) {
    this.counting = counting;
    this.stream = stream;
    this.sizeBytes = sizeBytes;
  }

  static CopySource open(String file) {
    try {
      return open(file, Path.of(file));
    } catch (InvalidPathException e) {
      throw new GpdbException(
          ErrorCode.FILE_NOT_FOUND, "'" + file + "' is not a path: " + e.getReason(), e);
    }
  }

  /** {@code path} is where {@code file}, as the statement names it, is. */
  public static CopySource open(String file, Path path) {
    if (!Files.exists(path)) {
      throw new GpdbException(ErrorCode.FILE_NOT_FOUND, "there is no file " + file);
    }
    if (Files.isDirectory(path)) {
      throw new GpdbException(ErrorCode.FILE_NOT_FOUND, file + " is a directory, not a file");
    }
    if (!Files.isReadable(path)) {
      throw new GpdbException(ErrorCode.PERMISSION_DENIED, file + " must not be read");
    }
    try {
      CountingStream counting = new CountingStream(new FileInputStream(path.toFile()));
      try {
        InputStream stream =
            isGzip(file) ? new GZIPInputStream(counting, INFLATE_BUFFER_BYTES) : counting;
        return new CopySource(counting, stream, Files.size(path));
      } catch (IOException e) {
        counting.close();
        throw new GpdbException(
            CopyCondition.BAD_CSV, file + " cannot be read as gzip: " + e.getMessage(), e);
      }
    } catch (IOException e) {
      throw new GpdbException(ErrorCode.IO_ERROR, file + " cannot be read: " + e.getMessage(), e);
    }
  }

  static boolean isGzip(String file) {
    return file.toLowerCase(Locale.ROOT).endsWith(".gz");
  }

  InputStream stream() {
    return stream;
  }

  /** How much of the file has been read, by any thread. */
  long bytesRead() {
    return counting.bytes;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  private static final class CountingStream extends FilterInputStream {
    /** Written by the reading thread alone. */
    private volatile long bytes;

    CountingStream(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int b = super.read();
      add(b < 0 ? 0 : 1);
      return b;
    }

    @Override
    public int read(byte[] target, int at, int length) throws IOException {
      int read = super.read(target, at, length);
      add(Math.max(read, 0));
      return read;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void add(int count) {
      bytes += count;
    }
  }
}
