package io.gpdb.storage.medium;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.IdentityHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether the files of a directory still are those that were opened. What is written to a file that
 * was deleted, or replaced by another, is gone when its last handle is closed: a sync of it
 * promises nothing. So whoever syncs a file looks for it afterwards, and now and then for all.
 */
final class OpenFiles {
  private static final long LOOK_AT_ALL_NANOS = 20_000_000;

  private final IdentityHashMap<FileMemory, Opened> files = new IdentityHashMap<>();
  private volatile @Nullable GpdbException gone;
  private long lookedAt = System.nanoTime();

  /** A file as it was opened: by its device and inode, where the system reports them. */
  private record Opened(Path path, @Nullable Object key) {}

  /** Renames a file. */
  interface Renaming {
    void run() throws IOException;
  }

  synchronized void add(FileMemory file, Path path) throws IOException {
    files.put(file, new Opened(path, keyOf(path)));
  }

  synchronized void remove(FileMemory file) {
    files.remove(file);
  }

  /** Nobody looks for the file between its old name and its new one. */
  synchronized void rename(@Nullable FileMemory file, Path to, Renaming act) throws IOException {
    act.run();
    Opened opened = file == null ? null : files.get(file);
    if (file != null && opened != null) {
      files.put(file, new Opened(to, opened.key));
    }
  }

  /** Throws when the file is not there any more, or another one was found missing before. */
  synchronized void require(FileMemory file) {
    GpdbException known = gone;
    if (known != null) {
      throw new GpdbException(known.code(), String.valueOf(known.getMessage()), known);
    }
    Opened own = files.get(file);
    if (own != null) {
      require(own);
    }
    long now = System.nanoTime();
    if (now - lookedAt > LOOK_AT_ALL_NANOS) {
      lookedAt = now;
      files.values().forEach(this::require);
    }
  }

  private void require(Opened opened) {
    try {
      if (Objects.equals(keyOf(opened.path), opened.key)) {
        return;
      }
      gone = missing("replaced by another", opened.path, null);
    } catch (NoSuchFileException e) {
      gone = missing("deleted or moved", opened.path, e);
    } catch (IOException e) {
      gone = FileFailure.of(e, "look for", opened.path);
    }
    throw Objects.requireNonNull(gone);
  }

  private static GpdbException missing(String what, Path path, @Nullable IOException cause) {
    return new GpdbException(
        ErrorCode.FILE_NOT_FOUND,
        "a file of the open database was %s, so what is written is lost: file=%s"
            .formatted(what, path),
        cause);
  }

  private static @Nullable Object keyOf(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }
}
