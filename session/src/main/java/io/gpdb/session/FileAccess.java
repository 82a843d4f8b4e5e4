package io.gpdb.session;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.DatabasePlaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/** Which files the SQL of a session may read and write: COPY and BACKUP ask here first. */
public sealed interface FileAccess {
  /** Of the property and the setting. */
  String NAME = "file_access";

  FileAccess ALL = new All();
  FileAccess NONE = new None();

  /**
   * The path to use, where links of its directory are followed; refused where it is not for SQL.
   */
  Path admit(String path);

  /** As SHOW and the property write it. */
  String text();

  /** Whether everything that the other admits is admitted here, too. */
  boolean includes(FileAccess other);

  /** Every file that the process may use. */
  record All() implements FileAccess {
    @Override
    public Path admit(String path) {
      return parse(path);
    }

    @Override
    public String text() {
      return "all";
    }

    @Override
    public boolean includes(FileAccess other) {
      return true;
    }
  }

  /** No file at all. */
  record None() implements FileAccess {
    @Override
    public Path admit(String path) {
      throw refused(path, this);
    }

    @Override
    public String text() {
      return "none";
    }

    @Override
    public boolean includes(FileAccess other) {
      return other instanceof None;
    }
  }

  /** Files below a directory, whose path is real. */
  record Below(Path directory) implements FileAccess {
    @Override
    public Path admit(String path) {
      Path real = DatabasePlaces.resolved(parse(path));
      if (!real.startsWith(directory) || real.equals(directory)) {
        throw refused(path, this);
      }
      return real;
    }

    @Override
    public String text() {
      return directory.toString();
    }

    @Override
    public boolean includes(FileAccess other) {
      return switch (other) {
        case All all -> false;
        case None none -> true;
        case Below below -> below.directory.startsWith(directory);
      };
    }
  }

  /** What a text means; a directory must be there. */
  static FileAccess of(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "all" -> ALL;
      case "none" -> NONE;
      default -> {
        try {
          Path directory = Path.of(text).toRealPath();
          if (text.isBlank() || !Files.isDirectory(directory)) {
            throw unknown(text);
          }
          yield new Below(directory);
        } catch (IOException | InvalidPathException e) {
          throw unknown(text);
        }
      }
    };
  }

  private static GpdbException unknown(String text) {
    return new GpdbException(
        ErrorCode.INVALID_ARGUMENT,
        "file_access is all, none or a directory that exists, not '" + text + "'");
  }

  private static GpdbException refused(String path, FileAccess access) {
    return new GpdbException(
        ErrorCode.PERMISSION_DENIED,
        "file_access=" + access.text() + " does not admit '" + path + "'");
  }

  private static Path parse(String path) {
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      throw new GpdbException(
          ErrorCode.FILE_NOT_FOUND, "'" + path + "' is not a path: " + e.getReason(), e);
    }
  }
}
