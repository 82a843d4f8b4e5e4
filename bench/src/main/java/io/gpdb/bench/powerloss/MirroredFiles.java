package io.gpdb.bench.powerloss;

import io.gpdb.simulation.medium.CrashUnit;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.recorded.FileActs;
import io.gpdb.storage.memory.PersistentMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Repeats on a crashable medium what is done to real files. There a sync makes durable what was
 * written before it began, and nothing else does; so what a crash of the mirror can leave is what a
 * loss of power could have left of the files. What was stored through a mapping is found by
 * comparing the file's bytes.
 */
final class MirroredFiles implements FileActs {
  private static final int PAGE_BYTES = 4096;

  private final Path directory;
  private final CrashableDirectory mirror;
  private final Map<FileId, PersistentMemory> memories = new HashMap<>();
  private final Set<FileId> mapped = new HashSet<>();
  private boolean refreshing;

  MirroredFiles(Path directory, CrashUnit unit) {
    this.directory = directory;
    this.mirror = new CrashableDirectory(unit);
  }

  CrashableDirectory mirror() {
    return mirror;
  }

  /** Takes over what was stored through mappings; a call by a listener does nothing. */
  synchronized void refresh() {
    if (!refreshing) {
      refreshing = true;
      try {
        List.copyOf(mapped).forEach(this::refresh);
      } finally {
        refreshing = false;
      }
    }
  }

  private void refresh(FileId file) {
    PersistentMemory memory = memories.get(file);
    if (memory == null) {
      return;
    }
    byte[] now = contents(file);
    int bytes = (int) Math.min(now.length, memory.sizeBytes());
    byte[] known = new byte[bytes];
    memory.load(0, MemorySegment.ofArray(known));
    for (int at = 0; at < bytes; at += PAGE_BYTES) {
      int end = Math.min(at + PAGE_BYTES, bytes);
      int differs = Arrays.mismatch(now, at, end, known, at, end);
      if (differs >= 0) {
        storeDifferent(memory, now, known, at + differs / Long.BYTES * Long.BYTES, end);
      }
    }
  }

  private static void storeDifferent(
      PersistentMemory memory, byte[] now, byte[] known, int from, int end) {
    int last = end;
    while (now[last - 1] == known[last - 1]) {
      last--;
    }
    memory.store(from, MemorySegment.ofArray(now).asSlice(from, last - from));
  }

  private byte[] contents(FileId file) {
    try {
      return Files.readAllBytes(directory.resolve(file.name()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void created(FileId file) {
    memories.put(file, mirror.open(file.name(), 0));
  }

  @Override
  public synchronized void mapped(FileId file) {
    mapped.add(file);
  }

  @Override
  public synchronized void wrote(FileId file, long offset, byte[] bytes) {
    PersistentMemory memory = memories.get(file);
    if (memory != null) {
      if (offset + bytes.length > memory.sizeBytes()) {
        memory.grow(offset + bytes.length);
      }
      memory.store(offset, MemorySegment.ofArray(bytes));
    }
  }

  @Override
  public synchronized void truncated(FileId file, long sizeBytes) {
    PersistentMemory memory = memories.get(file);
    if (memory != null) {
      memory.shrink(sizeBytes);
    }
  }

  @Override
  public Sync syncing(FileId file) {
    Runnable end = beginSync(file);
    return () -> {
      synchronized (this) {
        end.run();
      }
    };
  }

  private synchronized Runnable beginSync(FileId file) {
    refresh();
    return memories.containsKey(file) ? mirror.beginSync(file.name()) : () -> {};
  }

  @Override
  public synchronized Sync syncingNames() {
    Runnable end = mirror.beginSyncOfNames();
    return () -> {
      synchronized (this) {
        end.run();
      }
    };
  }

  @Override
  public synchronized void renamed(FileId file, String from, String to) {
    mirror.rename(from, to);
  }

  @Override
  public synchronized void deleted(FileId file, String name) {
    memories.remove(file);
    mapped.remove(file);
    mirror.delete(name);
  }
}
