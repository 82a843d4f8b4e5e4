package io.gpdb.simulation.recorded;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The machine's file system, behind one that reports all acts to {@link FileActs}. */
public final class RecordedFileSystem extends FileSystem {
  private final FileSystem inner;
  private final RecordedProvider provider;

  private RecordedFileSystem(FileSystem inner, Path directory, FileActs acts) {
    this.inner = inner;
    this.provider = new RecordedProvider(this, directory, acts);
  }

  /**
   * The path, through a file system that reports acts on the files in that directory, and on no
   * others.
   */
  public static Path over(Path directory, FileActs acts) {
    Path real = directory.toAbsolutePath();
    RecordedFileSystem system = new RecordedFileSystem(real.getFileSystem(), real, acts);
    return new RecordedPath(system, real);
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() {}

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return inner.getSeparator();
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    List<Path> roots = new ArrayList<>();
    inner.getRootDirectories().forEach(root -> roots.add(new RecordedPath(this, root)));
    return roots;
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return inner.getFileStores();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return inner.supportedFileAttributeViews();
  }

  @Override
  public Path getPath(String first, String... more) {
    return new RecordedPath(this, inner.getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(String syntaxAndPattern) {
    PathMatcher matcher = inner.getPathMatcher(syntaxAndPattern);
    return path -> matcher.matches(RecordedPath.real(path));
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return inner.getUserPrincipalLookupService();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException("nobody watches recorded files");
  }
}
