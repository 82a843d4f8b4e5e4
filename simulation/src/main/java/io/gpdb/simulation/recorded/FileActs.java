package io.gpdb.simulation.recorded;

import java.io.IOException;

/**
 * Called with each act on the files of a {@link RecordedFileSystem}. An act that throws fails as if
 * the operating system had refused it. Each file is identified by an object of its own, whatever
 * its name.
 */
public interface FileActs {
  /** A file that keeps being the same under other names. */
  final class FileId {
    private volatile String name;

    FileId(String name) {
      this.name = name;
    }

    public String name() {
      return name;
    }

    void renamed(String newName) {
      name = newName;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** A sync that is under way; ends when the system has done it, and may fail then. */
  interface Sync {
    void ended() throws IOException;
  }

  /** A channel is about to be opened. */
  default void opening(String name) throws IOException {}

  /** A file that was not there has got its name. */
  void created(FileId file);

  /** Somebody may store through a mapping from now on. */
  void mapped(FileId file);

  /** Bytes are about to be written; nothing is, where this throws. */
  default void writing(FileId file, long offset, long bytes) throws IOException {}

  /** How many of the bytes of a write are taken. */
  default int taken(FileId file, int bytes) {
    return bytes;
  }

  /** The bytes have been written. */
  void wrote(FileId file, long offset, byte[] bytes);

  void truncated(FileId file, long sizeBytes);

  /** A sync of the file's data begins. */
  Sync syncing(FileId file) throws IOException;

  void renamed(FileId file, String from, String to);

  void deleted(FileId file, String name);

  /** A sync of the directory begins. */
  Sync syncingNames() throws IOException;

  /** The disk is asked how full it is. */
  default void askedForSpace() {}
}
