package io.gpdb.simulation.medium;

import io.gpdb.storage.column.KeyHash;
import io.gpdb.storage.memory.PieceSource;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What one crash leaves on the medium: durable memories by name. Unchanging; its pages are shared
 * with the point at which the crash happened.
 */
public final class CrashImage {
  private final CrashUnit unit;
  private final PieceSource pieces;
  private final SortedMap<String, Memory> memories;

  /** Pages beyond the array, and null ones, are zero. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Memory(long firstBytes, long sizeBytes, @Nullable CrashPage[] pages) {
    @Override
    public String toString() {
      return "memory of " + sizeBytes + " bytes";
    }
  }

  CrashImage(CrashUnit unit, PieceSource pieces, SortedMap<String, Memory> memories) {
    this.unit = unit;
    this.pieces = pieces;
    this.memories = memories;
  }

  CrashUnit unit() {
    return unit;
  }

  PieceSource pieces() {
    return pieces;
  }

  SortedMap<String, Memory> memories() {
    return memories;
  }

  /**
   * Equal for equal names, sizes and bytes; for others different, except with a probability of
   * 2^-64.
   */
  public long hash() {
    long hash = 0;
    for (var entry : memories.entrySet()) {
      hash = KeyHash.combine(hash, entry.getKey().hashCode());
      hash = KeyHash.combine(hash, entry.getValue().sizeBytes);
      @Nullable CrashPage[] pages = entry.getValue().pages;
      for (int i = 0; i < pages.length; i++) {
        if (pages[i] != null) {
          hash = KeyHash.combine(hash, i);
          hash = KeyHash.combine(hash, CrashPage.hash(pages[i]));
        }
      }
    }
    return hash;
  }

  /** A directory that finds this on its medium; changing it leaves the image as it is. */
  public CrashableDirectory open() {
    return new CrashableDirectory(this, true);
  }

  /**
   * As {@link #open}, for callers that only look at the files and go on from them. The directory
   * cannot crash a second time, so nothing keeps what is stored apart from what is durable.
   */
  public CrashableDirectory openUncrashable() {
    return new CrashableDirectory(this, false);
  }
}
