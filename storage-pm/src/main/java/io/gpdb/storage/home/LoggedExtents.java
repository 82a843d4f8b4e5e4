package io.gpdb.storage.home;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The extents that only records of the log name: no root does. The log owns each from the record's
 * commit on, until the next checkpoint, which makes it a chunk's home or retires it.
 *
 * <p>L1. Nobody writes an extent while a record that a recovery may read names it.
 */
public final class LoggedExtents {
  private final Map<Long, Owned> owned = new HashMap<>();
  private long bytes;

  /** An extent, and the sequence of the commit that names it. */
  public record Owned(Extent extent, long sequence) {}

  /** A record that commits at {@code sequence} names the extent, durably. */
  public synchronized void own(Extent extent, long sequence) {
    Owned before = owned.put(extent.offset(), new Owned(extent, sequence));
    assert before == null : "L1: two records name offset " + extent.offset();
    bytes += extent.bytes();
  }

  /**
   * Takes the extent out, to be a chunk's home in a root that holds the commits up to {@code
   * sequence}; null when the log does not own it, or owns it for a later commit: whose record a
   * recovery from that root reads, and takes the extent for (L1).
   */
  public synchronized @Nullable Owned adopt(Extent extent, long sequence) {
    Owned known = owned.get(extent.offset());
    if (known == null || known.sequence() > sequence) {
      return null;
    }
    owned.remove(extent.offset());
    bytes -= known.extent().bytes();
    return known;
  }

  /** Takes out what the commits up to {@code sequence} named. */
  public synchronized List<Extent> takeUpTo(long sequence) {
    List<Extent> taken = new ArrayList<>();
    for (Iterator<Owned> all = owned.values().iterator(); all.hasNext(); ) {
      Owned next = all.next();
      if (next.sequence() <= sequence) {
        taken.add(next.extent());
        bytes -= next.extent().bytes();
        all.remove();
      }
    }
    return taken;
  }

  synchronized List<Extent> extents() {
    return owned.values().stream().map(Owned::extent).toList();
  }

  /** Bytes of the home file that are kept for the log. */
  public synchronized long bytes() {
    return bytes;
  }
}
