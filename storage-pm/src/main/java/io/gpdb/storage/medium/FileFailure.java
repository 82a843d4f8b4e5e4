package io.gpdb.storage.medium;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Says what an {@link IOException} means for the user. */
final class FileFailure {
  private static final long NEARLY_NOTHING_BYTES = 64 << 10;

  private FileFailure() {}

  static GpdbException of(IOException e, String doing, Path path) {
    ErrorCode code = codeOf(e, path);
    String what =
        switch (code) {
          case DISK_FULL -> whyFull(e);
          case TOO_MANY_FILES -> "too many open files";
          case PERMISSION_DENIED -> "no permission";
          case FILE_NOT_FOUND -> "no such file";
          default -> String.valueOf(e.getMessage());
        };
    return new GpdbException(code, "cannot " + doing + ": " + what + ": " + path, e);
  }

  /** Never {@code DISK_FULL}: after a failed sync nothing is known (A5), whatever it failed of. */
  static GpdbException ofSync(IOException e, Path path) {
    return new GpdbException(
        ErrorCode.IO_ERROR, "cannot sync directory: " + e.getMessage() + ": " + path, e);
  }

  private static ErrorCode codeOf(IOException e, Path path) {
    if (e instanceof AccessDeniedException) {
      return ErrorCode.PERMISSION_DENIED;
    }
    if (e instanceof NoSuchFileException) {
      return ErrorCode.FILE_NOT_FOUND;
    }
    if (isOutOfFiles(e)) {
      return ErrorCode.TOO_MANY_FILES;
    }
    return isDiskFull(e, path) ? ErrorCode.DISK_FULL : ErrorCode.IO_ERROR;
  }

  /** Whether the process, or the machine, has no more files to open: nothing was done then. */
  static boolean isOutOfFiles(IOException e) {
    return String.valueOf(e.getMessage()).contains("Too many open files");
  }

  static String whyFull(IOException e) {
    return isTooLarge(e) ? "file size limit of the process is reached" : "disk is full";
  }

  /** Whether the file would be longer than the process may make one. */
  private static boolean isTooLarge(IOException e) {
    return String.valueOf(e.getMessage()).contains("File too large");
  }

  /** By the words of the C library, or, where they are in another language, by asking. */
  static boolean isDiskFull(IOException e, Path path) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("No space left") || message.contains("quota exceeded") || isTooLarge(e)) {
      return true;
    }
    try {
      return Files.getFileStore(path).getUsableSpace() < NEARLY_NOTHING_BYTES;
    } catch (IOException asked) {
      e.addSuppressed(asked);
      return false;
    }
  }
}
