package io.gpdb.storage.medium;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The names in a directory. The directory stays open, so that a process out of files can still sync
 * them, and a thread's interrupt closes nothing.
 */
final class DirectoryNames implements AutoCloseable {
  private final Path dir;
  private final AsynchronousFileChannel channel;

  DirectoryNames(Path dir) throws IOException {
    this.dir = dir;
    this.channel = FileChannels.openToRead(dir);
  }

  /** Returns when creations, renames and deletions so far are durable (A4). */
  void sync() {
    try {
      channel.force(true);
    } catch (IOException e) {
      throw FileFailure.ofSync(e, dir);
    }
  }

  /** Makes a directory durable in the one above it. */
  static void sync(Path dir) throws IOException {
    try (AsynchronousFileChannel channel = FileChannels.openToRead(dir)) {
      channel.force(true);
    }
  }

  /** Replaces what has the new name, at once. */
  static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw FileFailure.of(e, "close", dir);
    }
  }
}
