package io.gpdb.storage.memory;

import java.util.function.Supplier;

/**
 * All memory that a database takes outside the heap, and its users: one pool of blocks, an account
 * of the tables' working image, and one of what statements and transactions work with. {@code
 * memory_limit} limits the second one, and both together where {@link #limitTables} was called.
 */
public final class DatabaseMemory implements AutoCloseable {
  /** For work that belongs to no database: kernels that are run alone. */
  static final DatabaseMemory OF_NONE = new DatabaseMemory();

  private final MemoryPool pool;
  private final MemoryAccount tables;
  private final MemoryAccount work;
  private final MemoryLimit limit = MemoryLimit.ofMachine();
  private final MappedPages pages = new MappedPages();
  private volatile boolean limitsTables;

  /** For kernels that run on the host, or none. */
  public DatabaseMemory() {
    this(HostMemory.INSTANCE);
  }

  /**
   * @param device the memory of the device that the database's kernels run on
   */
  public DatabaseMemory(DeviceMemory device) {
    pool = new MemoryPool(device.slabs(), limit);
    tables = new MemoryAccount("table data", pool, device, MemoryLimit.none(), new MappedPages());
    work = new MemoryAccount("statements", pool, device, limit, pages);
  }

  /** The working image: chunks, dictionaries, pages of indexes. */
  public MemoryAccount tables() {
    return tables;
  }

  /** Undo versions, log sections, copies for readers, and the accounts of statements. */
  public MemoryAccount work() {
    return work;
  }

  /** The tables count for the limit of statements from now on: no file keeps them. */
  public void limitTables() {
    limit.include(tables::usedBytes);
    limitsTables = true;
  }

  /** From now on statements get their temporary files from there. */
  public void temporaryFiles(Supplier<TemporaryFile> files) {
    work.temporaryFiles(files);
  }

  /** From now on the pages of the database's mapped files are given up by that. */
  public void mappedPages(Runnable givenUp) {
    pages.givenUpBy(givenUp);
  }

  /** Whether tables are limited. */
  public boolean limitsTables() {
    return limitsTables;
  }

  /**
   * Throws {@code OUT_OF_MEMORY} where tables are limited and may not take that number of bytes
   * more. Statements ask before they add rows, strings or index entries; what recovery, rollback
   * and rewriting add is taken without being asked for.
   */
  public void requireTableRoom(long bytes) {
    if (limitsTables) {
      limit.requireTableRoom(bytes, work.usedBytes());
    }
  }

  public long usedBytes() {
    return tables.usedBytes() + work.usedBytes();
  }

  /** What is taken from the system: what is used, and blocks that wait to be taken again. */
  public long reservedBytes() {
    return pool.reservedBytes();
  }

  /** Gives free memory back to the system. */
  public void trim() {
    pool.trim();
  }

  @Override
  public void close() {
    pool.close();
  }
}
