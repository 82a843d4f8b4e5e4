package io.gpdb.bench.crash;

import io.gpdb.simulation.medium.PersistListener;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** When to look for what leaving one site out did, and what was found. */
final class SiteWatch {
  /** How many acts that were left out are followed, evenly over the workload. */
  private static final int WINDOWS = 10;

  private static final int LOOKS_MAX = 120;
  private static final int ACTS_AFTER = 2;

  final Missed missed = new Missed();
  private final long imagesMax;
  private final long windowEvery;
  private final int looksOfWindow;
  private final Set<Long> seen = new HashSet<>();
  private long acts;
  private long missedBefore;
  private long nextWindow;
  private int looksLeft;
  private int looks;
  private long closeUntil;
  private boolean persisted;
  private Contents acknowledgedBefore = Contents.EMPTY;
  private @Nullable Violation violation;

  /**
   * @param omissions how often the site is reached
   * @param imagesMax looked at, at most
   */
  SiteWatch(long omissions, long imagesMax) {
    this.imagesMax = imagesMax;
    windowEvery = Math.max(1, omissions / WINDOWS);
    looksOfWindow = LOOKS_MAX / Math.clamp(omissions, 1, WINDOWS);
  }

  /** Whether nothing more is to be looked at. */
  boolean hasEnded() {
    return violation != null || seen.size() >= imagesMax;
  }

  @Nullable Violation violation() {
    return violation;
  }

  void violated(Violation found) {
    violation = found;
  }

  /** How many acts there were. */
  long acts() {
    return acts;
  }

  /** Called for each image with its hash. */
  void looked(long hash) {
    seen.add(hash);
  }

  /**
   * Right after an omission; before other things are drained, when all of them may be lost or not;
   * after that, when none of them is; when a commit was acknowledged.
   */
  @SuppressWarnings("ReferenceEquality") // each commit makes a new map
  boolean isDue(String place, Contents acknowledged) {
    acts++;
    long count = missed.count();
    if (count > missedBefore) {
      missedBefore = count;
      if (count > nextWindow) {
        nextWindow += windowEvery;
        looksLeft = looksOfWindow;
        closeUntil = acts + ACTS_AFTER;
      }
    }
    boolean newCommit = acknowledged.tables() != acknowledgedBefore.tables();
    acknowledgedBefore = acknowledged;
    boolean persists =
        place.startsWith(PersistListener.Act.DRAIN.name())
            || place.startsWith(PersistListener.Act.NAMES.name());
    boolean due = acts < closeUntil || persists || persisted || newCommit;
    persisted = persists;
    boolean looks = count > 0 && due && looksLeft-- > 0;
    this.looks += looks ? 1 : 0;
    return looks;
  }

  @Override
  public String toString() {
    return "looks=%d, images=%d, acts=%d".formatted(looks, seen.size(), acts);
  }
}
