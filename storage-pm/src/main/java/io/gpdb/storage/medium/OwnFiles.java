package io.gpdb.storage.medium;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * How files and directories are made: for their owner alone, where the file system knows owners.
 */
public final class OwnFiles {
  private static final FileAttribute<Set<PosixFilePermission>> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private OwnFiles() {}

  /** The attributes of a new file at that path. */
  public static FileAttribute<?>[] file(Path path) {
    return isPosix(path) ? new FileAttribute<?>[] {FILE} : new FileAttribute<?>[0];
  }

  /** The attributes of a new directory at that path. */
  public static FileAttribute<?>[] directory(Path path) {
    return isPosix(path) ? new FileAttribute<?>[] {DIRECTORY} : new FileAttribute<?>[0];
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
