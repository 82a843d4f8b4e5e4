package io.gpdb.simulation.recorded;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/** A path of a {@link RecordedFileSystem}. */
final class RecordedPath implements Path {
  private final RecordedFileSystem system;
  private final Path real;

  RecordedPath(RecordedFileSystem system, Path real) {
    this.system = system;
    this.real = real;
  }

  /** The machine's path. */
  static Path real(Path path) {
    return path instanceof RecordedPath recorded ? recorded.real : path;
  }

  private Path recorded(Path other) {
    return new RecordedPath(system, other);
  }

  @SuppressWarnings("NullAway") // the interface's own way to say that there is none
  private Path recordedOrNone(@Nullable Path other) {
    return other == null ? null : recorded(other);
  }

  @Override
  public FileSystem getFileSystem() {
    return system;
  }

  @Override
  public boolean isAbsolute() {
    return real.isAbsolute();
  }

  @Override
  public Path getRoot() {
    return recordedOrNone(real.getRoot());
  }

  @Override
  public Path getFileName() {
    return recordedOrNone(real.getFileName());
  }

  @Override
  public Path getParent() {
    return recordedOrNone(real.getParent());
  }

  @Override
  public int getNameCount() {
    return real.getNameCount();
  }

  @Override
  public Path getName(int index) {
    return recorded(real.getName(index));
  }

  @Override
  public Path subpath(int beginIndex, int endIndex) {
    return recorded(real.subpath(beginIndex, endIndex));
  }

  @Override
  public boolean startsWith(Path other) {
    return real.startsWith(real(other));
  }

  @Override
  public boolean endsWith(Path other) {
    return real.endsWith(real(other));
  }

  @Override
  public Path normalize() {
    return recorded(real.normalize());
  }

  @Override
  public Path resolve(Path other) {
    return recorded(real.resolve(real(other)));
  }

  @Override
  public Path relativize(Path other) {
    return recorded(real.relativize(real(other)));
  }

  @Override
  public URI toUri() {
    return real.toUri();
  }

  @Override
  public Path toAbsolutePath() {
    return recorded(real.toAbsolutePath());
  }

  @Override
  public Path toRealPath(LinkOption... options) throws IOException {
    return recorded(real.toRealPath(options));
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException("nobody watches recorded files");
  }

  @Override
  public int compareTo(Path other) {
    return real.compareTo(real(other));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RecordedPath that && real.equals(that.real);
  }

  @Override
  public int hashCode() {
    return real.hashCode();
  }

  @Override
  public String toString() {
    return real.toString();
  }
}
