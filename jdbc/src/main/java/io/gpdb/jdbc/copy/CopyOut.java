package io.gpdb.jdbc.copy;

import io.gpdb.sql.CopyFormat;
import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * COPY … TO: writes rows to a CSV file, compressed when its name ends in .gz. The rows go to a file
 * beside it that takes its name when all is written and synced, so that nobody sees a half of it.
 */
public final class CopyOut {
  private static final int ROWS_BETWEEN_LOOKS = 65_536;

  private static final AtomicLong PARTS = new AtomicLong();

  private final String file;
  private final CopyFormat format;
  private final CopyProgress progress;
  private final BooleanSupplier cancelled;

  /** Rows as text. */
  public interface Rows {
    boolean next();

    /** Null is NULL; columns count from 0. */
    @Nullable String text(int column);
  }

  public CopyOut(String file, CopyFormat format, CopyProgress progress, BooleanSupplier cancelled) {
    this.file = file;
    this.format = format;
    this.progress = progress;
    this.cancelled = cancelled;
  }

  /** Gives the number of rows written. */
  public long run(List<String> columns, Rows rows) {
    Path target = CopySource.path(file);
    if (Files.isDirectory(target)) {
      throw new GpdbException(ErrorCode.FILE_EXISTS, file + " is a directory");
    }
    Path beside =
        target.resolveSibling(
            "."
                + target.getFileName()
                + "."
                + ProcessHandle.current().pid()
                + "-"
                + PARTS.incrementAndGet()
                + ".part");
    boolean done = false;
    try {
      long written = write(beside, columns, rows);
      Files.move(
          beside, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      done = true;
      return written;
    } catch (java.nio.file.NoSuchFileException e) {
      throw new GpdbException(ErrorCode.FILE_NOT_FOUND, "there is no folder for " + file, e);
    } catch (java.nio.file.AccessDeniedException e) {
      throw new GpdbException(
          ErrorCode.PERMISSION_DENIED, "the folder of " + file + " must not be written", e);
    } catch (IOException e) {
      throw new GpdbException(
          ErrorCode.IO_ERROR, file + " cannot be written: " + e.getMessage(), e);
    } finally {
      if (!done) {
        deleteQuietly(beside);
      }
    }
  }

  private static void deleteQuietly(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      System.getLogger("io.gpdb").log(System.Logger.Level.WARNING, "cannot delete " + path, e);
    }
  }

  private long write(Path beside, List<String> columns, Rows rows) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            beside,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      OutputStream plain = java.nio.channels.Channels.newOutputStream(channel);
      long written;
      if (CopySource.isGzip(file)) {
        try (GzipMembers gzip = new GzipMembers(plain)) {
          written = writeRows(gzip, columns, rows);
          gzip.finish();
        }
      } else {
        written = writeRows(plain, columns, rows);
      }
      channel.force(true);
      return written;
    }
  }

  private long writeRows(OutputStream stream, List<String> columns, Rows rows) throws IOException {
    CsvWriter out = new CsvWriter(stream, format);
    long written = writeRows(out, columns, rows);
    out.flush();
    return written;
  }

  private long writeRows(CsvWriter out, List<String> columns, Rows rows) throws IOException {
    if (format.header()) {
      for (String column : columns) {
        out.field(column);
      }
      out.endRecord();
    }
    long written = 0;
    while (rows.next()) {
      for (int i = 0; i < columns.size(); i++) {
        String text = rows.text(i);
        if (text == null) {
          out.nullField();
        } else {
          out.field(text);
        }
      }
      out.endRecord();
      written++;
      if (written % ROWS_BETWEEN_LOOKS == 0) {
        progress.at(written, 0, 0);
        if (cancelled.getAsBoolean()) {
          throw new GpdbException(
              ErrorCode.CANCELLED, "COPY was cancelled after " + written + " rows");
        }
      }
    }
    progress.at(written, 0, 0);
    return written;
  }
}
