package io.gpdb.storage.medium;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which places of a file system are a database's, whatever links lead there. */
public final class DatabasePlaces {
  private DatabasePlaces() {}

  /** Refuses a directory inside another database's, which counts every file there as its own. */
  static void requireOutside(Path dir) {
    Path outer = databaseAround(resolved(dir).getParent());
    if (outer != null) {
      throw new GpdbException(
          ErrorCode.CANNOT_OPEN,
          "a database cannot lie inside another: database=" + dir + ", other=" + outer);
    }
  }

  /** Where the system finds the path, links followed as far as it exists. */
  public static Path resolved(Path path) {
    Path absolute = path.toAbsolutePath();
    try {
      return absolute.toRealPath();
    } catch (IOException e) {
      Path parent = absolute.getParent();
      Path name = absolute.getFileName();
      if (parent == null || name == null) {
        return absolute;
      }
      return name.toString().equals("..")
          ? Objects.requireNonNullElse(resolved(parent).getParent(), parent)
          : name.toString().equals(".") ? resolved(parent) : resolved(parent).resolve(name);
    }
  }

  /** The database whose directory a real path is, or is below; null when there is none. */
  private static @Nullable Path databaseAround(@Nullable Path real) {
    for (Path outer = real; outer != null; outer = outer.getParent()) {
      if (Files.exists(outer.resolve(DatabaseFiles.HOME), LinkOption.NOFOLLOW_LINKS)) {
        return outer;
      }
    }
    return null;
  }

  /** Refuses to write a file, at its real path, that is a database's or would be taken for one. */
  public static void requireForeign(Path file) {
    Path parent = file.getParent();
    Path outer = databaseAround(parent);
    String name = String.valueOf(file.getFileName());
    boolean isOwners =
        parent != null
            && Files.exists(parent.resolve(OwnerLock.FILE_NAME), LinkOption.NOFOLLOW_LINKS);
    if (outer != null || isOwners || FileDirectory.isOfDatabase(name, false) || isBegun(name)) {
      throw new GpdbException(
          ErrorCode.PERMISSION_DENIED,
          "a database's directory holds no other files: file=" + file + ", database=" + parent);
    }
  }

  private static boolean isBegun(String name) {
    return name.equals(OwnerLock.FILE_NAME) || name.equals(DatabaseFiles.NEW_HOME);
  }
}
