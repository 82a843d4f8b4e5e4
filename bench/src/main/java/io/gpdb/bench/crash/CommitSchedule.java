package io.gpdb.bench.crash;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Commits side by side in an order drawn from a seed: each has a thread of its own, and one of them
 * at a time goes on, from an act on the medium to the next. Those that wait for another's write or
 * sync, or for a lock, pause until that wakes them.
 */
final class CommitSchedule {
  /** How often in a row all must be seen waiting, because a woken thread shows it late. */
  private static final int LOOKS = 3;

  /** The same where one asks again and again, with pauses, whether another one has ended. */
  private static final int LOOKS_AT_POLLING = 12;

  private static final Set<Thread.State> WAITING =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.BLOCKED);

  private static final long LOOK_NANOS = 30_000;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final Random random;
  private final Thread scheduler = Thread.currentThread();
  private final List<Committer> committers = new ArrayList<>();
  private final int runActsMax;
  private @Nullable Committer running;
  private int runActsLeft;
  private @Nullable RuntimeException failure;

  /** One of them goes on from each act to the next. */
  CommitSchedule(Random random) {
    this(random, 1);
  }

  /**
   * @param runActsMax how many acts one of them does at most before it is drawn anew who goes on
   */
  CommitSchedule(Random random, int runActsMax) {
    this.random = random;
    this.runActsMax = runActsMax;
  }

  /** Where a committer is. */
  private enum Place {
    NOT_STARTED,
    CALLED,
    RUNNING,
    BEFORE_ACT,
    ENDED
  }

  private final class Committer {
    final Runnable commit;
    final BooleanSupplier mayStart;
    final Thread thread;
    Place place = Place.NOT_STARTED;

    Committer(Runnable commit, BooleanSupplier mayStart) {
      this.commit = commit;
      this.mayStart = mayStart;
      this.thread = Thread.ofPlatform().daemon().name("gpdb-commit").unstarted(this::run);
    }

    private void run() {
      place(this, Place.RUNNING);
      RuntimeException failed = null;
      try {
        commit.run();
      } catch (RuntimeException e) {
        failed = e;
      }
      ended(this, failed);
    }
  }

  /** Adds a commit, which begins after those added before. */
  void add(Runnable commit) {
    add(commit, () -> true);
  }

  /**
   * @param mayStart whether it may begin; true at the latest when those before it have ended
   */
  void add(Runnable commit, BooleanSupplier mayStart) {
    committers.add(new Committer(commit, mayStart));
  }

  private void ended(Committer committer, @Nullable RuntimeException failed) {
    synchronized (this) {
      committer.place = Place.ENDED;
      if (failure == null) {
        failure = failed;
      }
    }
    LockSupport.unpark(scheduler);
  }

  /** Called by the committers before each act: returns when it is their turn. */
  void awaitTurn() {
    for (Committer committer : committers) {
      if (committer.thread.equals(Thread.currentThread())) {
        awaitTurn(committer);
      }
    }
  }

  private void awaitTurn(Committer committer) {
    place(committer, Place.BEFORE_ACT);
    LockSupport.unpark(scheduler);
    while (place(committer) == Place.BEFORE_ACT) {
      LockSupport.park(this);
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted while exploring");
      }
    }
    place(committer, Place.RUNNING);
  }

  private synchronized void place(Committer committer, Place place) {
    committer.place = place;
  }

  private synchronized Place place(Committer committer) {
    return committer.place;
  }

  /** Returns when all have committed; throws what the first that failed threw. */
  void run() {
    int started = 0;
    while ((started < committers.size() && failure == null) || !allEnded(started)) {
      List<Committer> ready = ready();
      boolean more = failure == null && started < committers.size() && mayStart(started);
      if (more && (ready.isEmpty() || random.nextInt(3) == 0)) {
        start(committers.get(started++));
      } else if (!ready.isEmpty()) {
        goOn(chosen(ready));
      }
      awaitStanding();
    }
    RuntimeException failed = failure;
    if (failed != null) {
      throw failed;
    }
  }

  private Committer chosen(List<Committer> ready) {
    Committer last = running;
    if (last != null && runActsLeft-- > 0 && ready.contains(last)) {
      return last;
    }
    Committer next = ready.get(random.nextInt(ready.size()));
    running = next;
    runActsLeft = runActsMax == 1 ? 0 : random.nextInt(1 + random.nextInt(runActsMax));
    return next;
  }

  private void start(Committer committer) {
    place(committer, Place.CALLED);
    committer.thread.start();
  }

  private void goOn(Committer committer) {
    place(committer, Place.CALLED);
    LockSupport.unpark(committer.thread);
  }

  private boolean mayStart(int index) {
    return committers.get(index).mayStart.getAsBoolean();
  }

  private synchronized boolean allEnded(int started) {
    return committers.subList(0, started).stream().allMatch(c -> c.place == Place.ENDED);
  }

  private synchronized List<Committer> ready() {
    return committers.stream().filter(c -> c.place == Place.BEFORE_ACT).toList();
  }

  /** Until every committer is before an act, waits for another one, or has ended. */
  private void awaitStanding() {
    long end = System.nanoTime() + PATIENCE_NANOS;
    int looks = 0;
    while (anyRuns()) {
      if (!allStand()) {
        looks = 0;
        LockSupport.parkNanos(LOOK_NANOS); // or until one stands
      } else if (++looks >= (anyPolls() ? LOOKS_AT_POLLING : LOOKS)) {
        return;
      } else {
        pause();
      }
      if (System.nanoTime() > end) {
        throw new IllegalStateException("concurrent commits do not end");
      }
    }
  }

  private static void pause() {
    long end = System.nanoTime() + LOOK_NANOS;
    for (long left = LOOK_NANOS; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Where none does, none can have been woken: there is nothing to wait for. */
  private synchronized boolean anyRuns() {
    return committers.stream().anyMatch(c -> c.place == Place.RUNNING || c.place == Place.CALLED);
  }

  private synchronized boolean anyPolls() {
    return committers.stream()
        .anyMatch(
            committer ->
                committer.place == Place.RUNNING
                    && committer.thread.getState() == Thread.State.TIMED_WAITING);
  }

  /** Those that wait must be woken by one that can go on: at least one is before an act. */
  private synchronized boolean allStand() {
    boolean anyReady = false;
    for (Committer committer : committers) {
      boolean waits =
          committer.place == Place.RUNNING && WAITING.contains(committer.thread.getState());
      if (committer.place == Place.CALLED || (committer.place == Place.RUNNING && !waits)) {
        return false;
      }
      anyReady |= committer.place == Place.BEFORE_ACT;
    }
    return anyReady;
  }
}
