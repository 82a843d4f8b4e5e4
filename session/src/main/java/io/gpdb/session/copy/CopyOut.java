package io.gpdb.session.copy;

import io.gpdb.sql.statement.CopyFormat;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.DatabasePlaces;
import io.gpdb.storage.medium.OwnFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * COPY … TO: writes rows to a CSV file, compressed when its name ends in .gz. The rows go to a file
 * in the same folder that gets its name when all is written and synced, so that nobody sees a part
 * of it.
 */
public final class CopyOut {
  private static final int ROWS_BETWEEN_LOOKS = 65_536;

  private static final AtomicLong PARTS = new AtomicLong();

  private final String file;
  private final Path target;
  private final CopyFormat format;
  private final CopyProgress progress;
  private final BooleanSupplier cancelled;

  /** Rows as text. */
  public interface Rows {
    boolean next();

    /** Null is NULL; columns count from 0. */
    @Nullable String text(int column);
  }

  /** {@code target} is where {@code file}, as the statement names it, is to be. */
  public CopyOut(
      String file,
      Path target,
      CopyFormat format,
      CopyProgress progress,
      BooleanSupplier cancelled) {
    this.file = file;
    this.target = DatabasePlaces.resolved(parent(target)).resolve(target.getFileName());
    this.format = format;
    this.progress = progress;
    this.cancelled = cancelled;
  }

  private static Path parent(Path target) {
    Path parent = target.toAbsolutePath().getParent();
    String name = String.valueOf(target.getFileName());
    if (parent == null || name.isEmpty() || name.equals("..") || name.equals(".")) {
      throw new GpdbException(ErrorCode.FILE_EXISTS, target + " is a directory");
    }
    return parent;
  }

  /** Returns the number of rows written. */
  public long run(List<String> columns, Rows rows) {
    requireReplaceable();
    Path beside = null;
    boolean done = false;
    try {
      beside = newFileBeside();
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
      if (!done && beside != null) {
        deleteQuietly(beside);
      }
    }
  }

  /** What is there already is replaced when it is a file or a link, which is not followed. */
  private void requireReplaceable() {
    DatabasePlaces.requireForeign(target);
    boolean replaceable =
        !Files.exists(target, LinkOption.NOFOLLOW_LINKS)
            || Files.isSymbolicLink(target)
            || Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS);
    if (!replaceable || Files.isDirectory(target)) {
      throw new GpdbException(ErrorCode.FILE_EXISTS, file + " is there and no file");
    }
  }

  /** A new file, whatever names and links are there already. */
  private Path newFileBeside() throws IOException {
    while (true) {
      Path beside =
          target.resolveSibling(
              "."
                  + target.getFileName()
                  + "."
                  + ProcessHandle.current().pid()
                  + "-"
                  + PARTS.incrementAndGet()
                  + ".part");
      try {
        return Files.createFile(beside, OwnFiles.file(beside));
      } catch (java.nio.file.FileAlreadyExistsException e) {
        System.getLogger("io.gpdb").log(System.Logger.Level.DEBUG, "left over: " + beside);
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
        FileChannel.open(beside, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
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
