package io.gpdb.storage.medium;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryPieces;
import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.TemporaryFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import jdk.nio.mapmode.ExtendedMapMode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A directory of a file system, owned by one process while it is open. */
public final class FileDirectory implements StorageDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(FileDirectory.class);
  private static final String PROBE_NAME = "gpdb.probe";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,100}");

  private final Path dir;
  private final DirectoryLock lock;
  private final Medium medium;
  private final boolean readOnly;
  private final PersistCounters counters = new PersistCounters();
  private final Map<String, PersistentMemory> opened = new HashMap<>();
  private final OpenFiles openFiles = new OpenFiles();
  private final DirectChannel.@Nullable Buffers directBuffers;

  private final @Nullable DirectoryNames names;
  private boolean closed;

  private FileDirectory(Path dir, DirectoryLock lock, Medium medium, boolean readOnly)
      throws IOException {
    this.dir = dir;
    this.lock = lock;
    this.medium = medium;
    this.readOnly = readOnly;
    this.directBuffers = medium == Medium.FILE && !readOnly ? new DirectChannel.Buffers() : null;
    this.names = readOnly ? null : new DirectoryNames(dir);
  }

  /** Opens or, where {@code create}, makes the database directory and takes its owner lock. */
  public static StorageDirectory open(Path dir, boolean create) {
    try {
      Path real = prepare(dir, create);
      OwnerLock lock = OwnerLock.acquire(real);
      try {
        deleteTemporaryFiles(real);
        Medium medium = mediumOf(real);
        FileDirectory opened = new FileDirectory(real, lock, medium, false);
        LOG.info("opened {}: medium {}, persistence domain {}", real, medium, opened.domain());
        return opened;
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw FileFailure.of(e, "open database", dir);
    }
  }

  /**
   * Opens a database directory to read it, and writes nothing: others may read it as well, nobody
   * may own it meanwhile. The file system may be read-only.
   */
  public static StorageDirectory openReadOnly(Path dir) {
    requireDirectory(dir);
    if (!Files.isReadable(dir) || !Files.isExecutable(dir)) {
      throw new GpdbException(
          ErrorCode.PERMISSION_DENIED, "no permission to read the directory: " + dir);
    }
    try {
      requireDatabase(dir, listAll(dir), false);
      Path real = dir.toRealPath();
      ReaderLock lock = ReaderLock.acquire(real);
      try {
        Medium medium = isVolatile(real) ? Medium.TMPFS : Medium.FILE;
        return new FileDirectory(real, lock, medium, true);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw FileFailure.of(e, "open database", dir);
    }
  }

  private static void requireDirectory(Path dir) {
    if (!Files.exists(dir)) {
      throw new GpdbException(ErrorCode.FILE_NOT_FOUND, "no database at: " + dir);
    }
    if (!Files.isDirectory(dir)) {
      throw new GpdbException(
          ErrorCode.CANNOT_OPEN, "not a directory, so not a gpDB database: " + dir);
    }
  }

  /**
   * Makes a directory for a new database, or takes an empty one; another one is refused. What
   * {@link #removeNew} takes back.
   */
  public static StorageDirectory createNew(Path dir) {
    try {
      if (Files.exists(dir)) {
        requireDirectory(dir);
        List<String> files = listAll(dir);
        if (!files.isEmpty()) {
          throw new GpdbException(
              ErrorCode.FILE_EXISTS,
              "directory is not empty: " + dir + ", e.g. " + files.getFirst());
        }
      }
      return open(dir, true);
    } catch (IOException e) {
      throw FileFailure.of(e, "make directory", dir);
    }
  }

  /** Removes an owner's file and the directory itself, when nothing else is in it any more. */
  public static void removeNew(Path dir, boolean existedBefore) {
    try {
      Files.deleteIfExists(dir.resolve(OwnerLock.FILE_NAME));
      if (!existedBefore) {
        Files.deleteIfExists(dir);
      }
    } catch (IOException e) {
      LOG.warn("cannot remove {}: {}", dir, e.getMessage());
    }
  }

  /** Makes one directory below an existing one, durable on return. */
  private static void makeDirectory(Path dir) throws IOException {
    Path parent = dir.toAbsolutePath().getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      throw new GpdbException(
          ErrorCode.CANNOT_OPEN,
          "only one directory is made, and the one above it is missing: database="
              + dir
              + ", missing="
              + parent);
    }
    try {
      Files.createDirectory(dir, OwnFiles.directory(dir));
    } catch (FileAlreadyExistsException e) {
      LOG.debug("made meanwhile: {}", dir);
    }
    if (parent != null && Files.isReadable(parent)) {
      DirectoryNames.sync(parent);
    }
  }

  private static Path prepare(Path dir, boolean create) throws IOException {
    DatabasePlaces.requireOutside(dir);
    if (!Files.exists(dir) && create) {
      makeDirectory(dir);
    }
    requireDirectory(dir);
    if (!Files.isReadable(dir) || !Files.isWritable(dir) || !Files.isExecutable(dir)) {
      throw new GpdbException(
          ErrorCode.PERMISSION_DENIED,
          "no permission to read and write the directory: "
              + dir
              + (Files.isReadable(dir) ? "; it can be opened for reading only" : ""));
    }
    requireDatabase(dir, listAll(dir), create);
    return dir.toRealPath();
  }

  /**
   * Refuses a directory of other files, and, where none is to be made, one without a database. A
   * process that is killed while it makes one leaves an empty directory, the owner's file, or that
   * and a home image under another name.
   */
  private static void requireDatabase(Path dir, List<String> files, boolean create) {
    files.remove(PROBE_NAME); // which a loss of power may leave, without the owner's file
    boolean owned = files.contains(OwnerLock.FILE_NAME);
    boolean there = files.stream().anyMatch(name -> isOfDatabase(name, owned));
    boolean begun = owned || files.contains(DatabaseFiles.NEW_HOME);
    if (!there && !begun && !files.isEmpty()) {
      throw new GpdbException(
          ErrorCode.CANNOT_OPEN,
          "directory holds other files and no gpDB database: "
              + dir
              + ", e.g. "
              + files.getFirst());
    }
    if (!there && !create) {
      throw new GpdbException(
          ErrorCode.FILE_NOT_FOUND,
          "no database at: " + dir + (begun ? ", where the making of one was cut short" : ""));
    }
  }

  /** A log without a home image is a damaged database, which opening the home image reports. */
  static boolean isOfDatabase(String name, boolean owned) {
    return name.equals(DatabaseFiles.HOME)
        || name.equals(DatabaseFiles.BACKUP_HOME)
        || (owned && name.startsWith(DatabaseFiles.LOG_PREFIX));
  }

  private static List<String> listAll(Path dir) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(dir)) {
      files.forEach(f -> names.add(f.getFileName().toString()));
    }
    names.sort(null);
    return names;
  }

  private static Medium mediumOf(Path dir) throws IOException {
    if (isVolatile(dir)) {
      return Medium.TMPFS;
    }
    return isDax(dir) ? Medium.DAX : Medium.FILE;
  }

  private static boolean isVolatile(Path dir) throws IOException {
    String type = Files.getFileStore(dir).type();
    return type.equals("tmpfs") || type.equals("ramfs");
  }

  /** Whether files in there can be mapped so that a cache-line write-back is durable. */
  private static boolean isDax(Path dir) throws IOException {
    Path probe = dir.resolve(PROBE_NAME);
    Files.deleteIfExists(probe);
    Files.createFile(probe, OwnFiles.file(probe));
    Files.write(
        probe,
        new byte[MemoryPieces.SIZE_UNIT_BYTES],
        StandardOpenOption.WRITE,
        LinkOption.NOFOLLOW_LINKS);
    try (Arena arena = Arena.ofShared()) {
      FileChannels.map(
          probe, ExtendedMapMode.READ_WRITE_SYNC, 0, MemoryPieces.SIZE_UNIT_BYTES, arena);
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      LOG.debug("no byte-addressable persistent memory at {}: {}", dir, e.getMessage());
      return false;
    } finally {
      Files.deleteIfExists(probe);
    }
  }

  @Override
  public PersistenceDomain domain() {
    return medium == Medium.TMPFS ? PersistenceDomain.PROCESS : PersistenceDomain.POWER;
  }

  @Override
  public Medium medium() {
    return medium;
  }

  @Override
  public String description() {
    return dir.toString();
  }

  @Override
  public synchronized PersistentMemory open(String name, long initialSizeBytes) {
    checkOpen();
    PersistentMemory there = opened.get(name);
    if (there != null && !isClosed(there)) {
      return there;
    }
    Path path = resolve(name);
    boolean create = !Files.exists(path);
    if (create && readOnly) {
      throw new GpdbException(ErrorCode.FILE_NOT_FOUND, "no such file: " + path);
    }
    try {
      AsynchronousFileChannel channel = channel(path, create);
      PersistentMemory memory;
      try {
        memory = memory(path, channel);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
      if (create) {
        initialize(path, memory, initialSizeBytes);
      }
      if (!readOnly) {
        openFiles.add(fileOf(memory), path);
      }
      opened.put(name, memory);
      return memory;
    } catch (IOException e) {
      throw FileFailure.of(e, "open", path);
    }
  }

  private AsynchronousFileChannel channel(Path path, boolean create) throws IOException {
    return readOnly ? FileChannels.openToRead(path) : FileChannels.open(path, create);
  }

  private PersistentMemory memory(Path path, AsynchronousFileChannel channel) throws IOException {
    return medium == Medium.DAX && !readOnly
        ? new DaxMemory(
            path, channel, channel.size(), counters, ExtendedMapMode.READ_WRITE_SYNC, openFiles)
        : new FileMemory(
            path,
            domain(),
            channel,
            channel.size(),
            counters,
            readOnly ? null : openFiles,
            directBuffers);
  }

  /** Extends a new file to its size; deletes it when that fails. */
  private static void initialize(Path path, PersistentMemory memory, long initialSizeBytes)
      throws IOException {
    try {
      memory.grow(initialSizeBytes);
    } catch (GpdbException e) {
      memory.close();
      Files.deleteIfExists(path);
      throw e;
    }
  }

  private static boolean isClosed(PersistentMemory memory) {
    return fileOf(memory).isClosed();
  }

  private static FileMemory fileOf(PersistentMemory memory) {
    return memory instanceof FileMemory f ? f : ((DaxMemory) memory).file();
  }

  @Override
  public synchronized boolean exists(String name) {
    checkOpen();
    return Files.exists(resolve(name));
  }

  @Override
  public synchronized List<String> names() {
    checkOpen();
    try {
      List<String> names = listAll(dir);
      names.removeIf(
          n ->
              n.equals(OwnerLock.FILE_NAME)
                  || n.equals(PROBE_NAME)
                  || n.startsWith(UnnamedFile.PREFIX));
      return names;
    } catch (IOException e) {
      throw FileFailure.of(e, "list", dir);
    }
  }

  @Override
  public synchronized void delete(String name) {
    checkWritable();
    PersistentMemory memory = opened.remove(name);
    if (memory != null) {
      memory.close();
    }
    try {
      Files.delete(resolve(name));
    } catch (IOException e) {
      throw FileFailure.of(e, "delete", resolve(name));
    }
  }

  @Override
  public synchronized void rename(String from, String to) {
    checkWritable();
    PersistentMemory replaced = opened.remove(to);
    if (replaced != null) {
      replaced.close();
    }
    PersistentMemory memory = opened.get(from);
    FileMemory file = memory == null ? null : fileOf(memory);
    try {
      openFiles.rename(file, resolve(to), () -> DirectoryNames.move(resolve(from), resolve(to)));
    } catch (IOException e) {
      throw FileFailure.of(e, "rename to " + to, resolve(from));
    }
    opened.remove(from);
    if (memory != null) {
      opened.put(to, memory);
      if (memory instanceof FileMemory f) {
        f.renamed(resolve(to));
      } else {
        ((DaxMemory) memory).renamed(resolve(to));
      }
    }
  }

  @Override
  public void syncNames() {
    checkOpen();
    if (names != null) {
      names.sync();
    }
  }

  /** One that only reads its directory may write nothing there. */
  @Override
  public TemporaryFile temporaryFile() {
    checkOpen();
    return readOnly ? UnnamedFile.ofSystem() : UnnamedFile.in(dir);
  }

  /** Deletes files that a process left which was killed while it made them. */
  private static void deleteTemporaryFiles(Path dir) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(dir)) {
      for (Path file : files) {
        if (file.getFileName().toString().startsWith(UnnamedFile.PREFIX)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  @Override
  public PersistCounters counters() {
    return counters;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      try {
        opened.values().forEach(PersistentMemory::close);
        opened.clear();
        if (directBuffers != null) {
          directBuffers.close();
        }
        if (names != null) {
          names.close();
        }
      } finally {
        lock.close();
      }
    }
  }

  private Path resolve(String name) {
    if (!NAME.matcher(name).matches() || name.equals(OwnerLock.FILE_NAME)) {
      throw new GpdbException(ErrorCode.INTERNAL, "not a name of a memory: " + name);
    }
    return dir.resolve(name);
  }

  private void checkWritable() {
    checkOpen();
    if (readOnly) {
      throw new GpdbException(ErrorCode.READ_ONLY, "directory is open for reading only: " + dir);
    }
  }

  private synchronized void checkOpen() {
    if (closed) {
      throw new GpdbException(ErrorCode.CLOSED, "database directory is closed: " + dir);
    }
  }

  /** For tests: a memory as on byte-addressable media, over an ordinary mapping. */
  synchronized PersistentMemory openAsDax(String name, long initialSizeBytes) throws IOException {
    Path path = resolve(name);
    AsynchronousFileChannel channel = FileChannels.open(path, !Files.exists(path));
    DaxMemory memory =
        new DaxMemory(path, channel, channel.size(), counters, MapMode.READ_WRITE, openFiles);
    memory.grow(initialSizeBytes);
    opened.put(name, memory);
    return memory;
  }
}
