package io.gpdb.storage.medium;

import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.TemporaryFile;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A file that is deleted while it is open, or, where the system cannot do that, when it is closed.
 * So a process that is killed leaves none, but for one that it is just making.
 */
final class UnnamedFile implements TemporaryFile {
  /** Of the names that such files have for a moment. */
  static final String PREFIX = "gpdb.temporary-";

  private final Path dir;
  private final AsynchronousFileChannel channel;

  private UnnamedFile(Path dir, AsynchronousFileChannel channel) {
    this.dir = dir;
    this.channel = channel;
  }

  /** A new one on the directory's disk. */
  static TemporaryFile in(Path dir) {
    try {
      return new UnnamedFile(
          dir, FileChannels.openUnnamed(dir.resolve(PREFIX + UUID.randomUUID())));
    } catch (IOException e) {
      throw FileFailure.of(e, "make temporary file", dir);
    }
  }

  /** A new one where the system keeps such files. */
  static TemporaryFile ofSystem() {
    return in(Path.of(System.getProperty("java.io.tmpdir")));
  }

  @Override
  public void write(long offset, HostBuffer source) {
    try {
      FileChannels.write(channel, offset, source.segment());
    } catch (IOException e) {
      throw FileFailure.of(e, "write temporary file", dir);
    }
  }

  @Override
  public void read(long offset, HostBuffer target) {
    try {
      FileChannels.read(channel, offset, target.segment());
    } catch (IOException e) {
      throw FileFailure.of(e, "read temporary file", dir);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw FileFailure.of(e, "close temporary file", dir);
    }
  }
}
