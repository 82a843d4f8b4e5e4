package io.gpdb.simulation.recorded;

import io.gpdb.simulation.recorded.FileActs.FileId;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Passes all calls on to the machine's file system, and reports those on the files of a database.
 */
final class RecordedProvider extends FileSystemProvider {
  private static final String FILE_SUFFIX = ".gpdb";

  private final RecordedFileSystem system;
  private final Path directory;
  private final FileActs acts;
  private final Map<Path, FileId> files = new HashMap<>();

  RecordedProvider(RecordedFileSystem system, Path directory, FileActs acts) {
    this.system = system;
    this.directory = directory;
    this.acts = acts;
  }

  private static FileSystemProvider of(Path real) {
    return real.getFileSystem().provider();
  }

  private boolean isRecorded(Path real) {
    Path name = real.getFileName();
    return name != null
        && name.toString().contains(FILE_SUFFIX)
        && directory.equals(real.getParent());
  }

  private synchronized @Nullable FileId file(Path real) {
    return files.get(real);
  }

  private synchronized FileId opened(Path real, boolean createdNow) {
    FileId known = files.get(real);
    if (known == null) {
      known = new FileId(String.valueOf(real.getFileName()));
      files.put(real, known);
      if (createdNow) {
        acts.created(known);
      }
    }
    return known;
  }

  @Override
  public AsynchronousFileChannel newAsynchronousFileChannel(
      Path path,
      Set<? extends OpenOption> options,
      ExecutorService executor,
      FileAttribute<?>... attributes)
      throws IOException {
    Path real = RecordedPath.real(path);
    boolean names = Files.isDirectory(real);
    acts.opening(names ? "" : String.valueOf(real.getFileName()));
    boolean there = Files.exists(real);
    AsynchronousFileChannel channel =
        of(real).newAsynchronousFileChannel(real, cached(options), executor, attributes);
    if (names) {
      return directory.equals(real) ? new RecordedChannel(channel, null, acts) : channel;
    }
    return isRecorded(real) ? new RecordedChannel(channel, opened(real, !there), acts) : channel;
  }

  /** Without those that ask for whole blocks: a write may take any part of its bytes here. */
  private static Set<OpenOption> cached(Set<? extends OpenOption> options) {
    Set<OpenOption> standard = new HashSet<>(options);
    standard.removeIf(option -> !(option instanceof StandardOpenOption));
    return standard;
  }

  /** The engine uses these for its lock and to map files. */
  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    Path real = RecordedPath.real(path);
    acts.opening(String.valueOf(real.getFileName()));
    FileId file = file(real);
    if (file != null && options.contains(StandardOpenOption.WRITE)) {
      acts.mapped(file);
    }
    return of(real).newFileChannel(real, options, attributes);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return of(RecordedPath.real(path)).newByteChannel(RecordedPath.real(path), options, attributes);
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    Path from = RecordedPath.real(source);
    Path to = RecordedPath.real(target);
    of(from).move(from, to, options);
    synchronized (this) {
      FileId file = files.remove(from);
      if (file != null) {
        files.put(to, file);
        String oldName = file.name();
        file.renamed(String.valueOf(to.getFileName()));
        acts.renamed(file, oldName, file.name());
      }
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    Path real = RecordedPath.real(path);
    of(real).delete(real);
    synchronized (this) {
      FileId file = files.remove(real);
      if (file != null) {
        acts.deleted(file, file.name());
      }
    }
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    acts.askedForSpace();
    Path real = RecordedPath.real(path);
    return new DiskStore(of(real).getFileStore(real));
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path path, DirectoryStream.Filter<? super Path> filter) throws IOException {
    Path real = RecordedPath.real(path);
    DirectoryStream<Path> names =
        of(real).newDirectoryStream(real, p -> filter.accept(new RecordedPath(system, p)));
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        Iterator<Path> inner = names.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return inner.hasNext();
          }

          @Override
          public Path next() {
            return new RecordedPath(system, inner.next());
          }
        };
      }

      @Override
      public void close() throws IOException {
        names.close();
      }
    };
  }

  @Override
  public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
    of(RecordedPath.real(path)).createDirectory(RecordedPath.real(path), attributes);
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) {
    throw new UnsupportedOperationException("nobody copies recorded files");
  }

  @Override
  public boolean isSameFile(Path one, Path other) throws IOException {
    return Files.isSameFile(RecordedPath.real(one), RecordedPath.real(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return Files.isHidden(RecordedPath.real(path));
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    of(RecordedPath.real(path)).checkAccess(RecordedPath.real(path), modes);
  }

  @Override
  @SuppressWarnings("NullAway") // the interface's own way to say that there is none
  public <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return Files.getFileAttributeView(RecordedPath.real(path), type, options);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return Files.readAttributes(RecordedPath.real(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
      throws IOException {
    return Files.readAttributes(RecordedPath.real(path), names, options);
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options)
      throws IOException {
    Files.setAttribute(RecordedPath.real(path), name, value, options);
  }

  @Override
  public String getScheme() {
    return "gpdb-recorded";
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
    throw new UnsupportedOperationException("see RecordedFileSystem.over");
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return system;
  }

  @Override
  public Path getPath(URI uri) {
    return new RecordedPath(system, Path.of(uri));
  }
}
