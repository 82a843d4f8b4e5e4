package io.gpdb.txn.version;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Versions in order, with a quick answer to whether a reader sees them all: the first {@code
 * settled} have committed, at {@code settledNewest} at the latest; those after them up to {@code
 * runEnd} are of one writer.
 */
final class VersionList {
  private final ArrayList<UndoVersion> versions = new ArrayList<>();
  private int settled;
  private long settledNewest;
  private int runEnd;
  private @Nullable CommitStamp runOwner;

  int size() {
    return versions.size();
  }

  UndoVersion at(int index) {
    return versions.get(index);
  }

  /** Makes room for one more. */
  void expectOne() {
    versions.ensureCapacity(versions.size() + 1);
  }

  void add(UndoVersion version) {
    versions.add(version);
  }

  /** Adds before the first one that begins at a later row. */
  void addByRow(UndoVersion version) {
    int at = versions.size();
    while (at > 0 && versions.get(at - 1).from() > version.from()) {
      at--;
    }
    if (at < versions.size()) {
      forget();
    }
    versions.add(at, version);
  }

  void remove(UndoVersion version) {
    for (int i = versions.size() - 1; i >= 0; i--) {
      if (versions.get(i) == version) {
        versions.remove(i);
        forget();
        return;
      }
    }
    assert false : "version is not in its tablet";
  }

  /** Those that committed after the one sequence and up to the other. */
  List<UndoVersion> between(long after, long upTo) {
    return versions.stream().filter(v -> isBetween(v, after, upTo)).toList();
  }

  private static boolean isBetween(UndoVersion version, long after, long upTo) {
    long sequence = version.stamp().sequence();
    return sequence > after && sequence <= upTo;
  }

  void removeBetween(long after, long upTo) {
    versions.removeIf(v -> isBetween(v, after, upTo));
    forget();
  }

  /** Puts others in the place of these, behind all that committed before. */
  void replaceBetween(long after, long upTo, List<UndoVersion> others) {
    List<UndoVersion> later = new ArrayList<>();
    List<UndoVersion> kept = new ArrayList<>();
    for (UndoVersion v : versions) {
      long sequence = v.stamp().sequence();
      if (sequence <= after) {
        kept.add(v);
      } else if (sequence > upTo) {
        later.add(v);
      }
    }
    versions.clear();
    versions.addAll(kept);
    versions.addAll(others);
    versions.addAll(later);
    forget();
  }

  /** Drops what has committed at {@code horizon} or before; returns whether there was any. */
  boolean prune(long horizon) {
    boolean any = versions.removeIf(v -> v.stamp().sequence() <= horizon);
    if (any) {
      forget();
    }
    return any;
  }

  private synchronized void forget() {
    settled = 0;
    settledNewest = 0;
    runEnd = 0;
    runOwner = null;
  }

  boolean seesAll(ReadPoint reader) {
    int from = settle(reader);
    for (int i = versions.size() - 1; i >= from; i--) {
      if (!reader.sees(versions.get(i).stamp())) {
        return false;
      }
    }
    return true;
  }

  /** Whether one of them is a change in the sense of {@link UndoVersion#isChange}. */
  boolean anyChange(ReadPoint reader, long columns) {
    for (int i = versions.size() - 1; i >= 0; i--) {
      if (versions.get(i).isChange(reader, columns)) {
        return true;
      }
    }
    return false;
  }

  /** Where those begin of which it is not known that the reader sees them. */
  private synchronized int settle(ReadPoint reader) {
    int size = versions.size();
    while (settled < size) {
      long sequence = versions.get(settled).stamp().sequence();
      if (sequence == CommitStamp.ACTIVE) {
        break;
      }
      settledNewest = Math.max(settledNewest, sequence);
      settled++;
    }
    if (reader.sequence() < settledNewest) {
      return 0;
    }
    if (runEnd <= settled) {
      runEnd = settled;
      runOwner = settled < size ? versions.get(settled).stamp() : null;
    }
    while (runEnd < size && versions.get(runEnd).stamp() == runOwner) {
      runEnd++;
    }
    return runOwner != null && runOwner == reader.own() ? runEnd : settled;
  }
}
