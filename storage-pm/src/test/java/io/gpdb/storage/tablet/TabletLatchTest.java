package io.gpdb.storage.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TabletLatchTest {
  private static final int READS = 200_000;

  private final TabletLatch latch = new TabletLatch();

  @Test
  void whatWasReadBesideAChangeIsNotWhole() {
    long before = latch.changes();
    assertThat(TabletLatch.isCalm(before)).isTrue();
    assertThat(latch.isStill(before)).isTrue();
    latch.writeLock().lock();
    assertThat(TabletLatch.isCalm(latch.changes())).isFalse();
    assertThat(latch.isStill(before)).isFalse();
    latch.writeLock().unlock();
    assertThat(TabletLatch.isCalm(latch.changes())).isTrue();
    assertThat(latch.isStill(before)).isFalse();
  }

  @Test
  void onlyTheOutermostHolderCounts() throws InterruptedException {
    latch.writeLock().lock();
    assertThat(latch.writeLock().tryLock()).isTrue();
    assertThat(latch.writeLock().tryLock(1, TimeUnit.SECONDS)).isTrue();
    latch.writeLock().lockInterruptibly();
    for (int i = 0; i < 3; i++) {
      latch.writeLock().unlock();
      assertThat(TabletLatch.isCalm(latch.changes())).isFalse();
    }
    latch.writeLock().unlock();
    assertThat(TabletLatch.isCalm(latch.changes())).isTrue();
    assertThat(latch.isHeldExclusively()).isFalse();
  }

  @Test
  void whoeverDoesNotGetItCountsNothing() throws Exception {
    latch.readLock().lock();
    long before = latch.changes();
    CompletableFuture<Boolean> other =
        CompletableFuture.supplyAsync(() -> latch.writeLock().tryLock());
    assertThat(other.get()).isFalse();
    assertThat(latch.isStill(before)).isTrue();
    latch.readLock().unlock();
  }

  @Test
  void twoWordsThatChangeTogetherAreReadTogether() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment words = arena.allocate(256, 64);
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; !done.get(); i++) {
                  latch.writeLock().lock();
                  words.set(ValueLayout.JAVA_INT, 0, i);
                  words.set(ValueLayout.JAVA_INT, 128, i);
                  latch.writeLock().unlock();
                }
              });
      int whole = 0;
      int apart = 0;
      while (whole < READS) {
        long before = latch.changes();
        int first = words.get(ValueLayout.JAVA_INT, 0);
        int second = words.get(ValueLayout.JAVA_INT, 128);
        if (TabletLatch.isCalm(before) && latch.isStill(before)) {
          assertThat(second).isEqualTo(first);
          whole++;
        } else {
          apart++;
        }
      }
      done.set(true);
      writer.get();
      assertThat(apart).as("reads beside a change").isPositive();
    }
  }

  @Test
  void itIsTriedForAWhile() throws Exception {
    assertThat(latch.tryExclusive()).isTrue();
    CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(latch::tryExclusive);
    assertThat(other.get()).isFalse();
    latch.writeLock().unlock();
    latch.readLock().lock();
    long before = latch.changes();
    assertThat(CompletableFuture.supplyAsync(latch::tryExclusive).get()).isFalse();
    assertThat(latch.isStill(before)).isTrue();
    latch.readLock().unlock();
  }

  /** Not atomic: the latch keeps threads from each other. */
  private int plain;

  @Test
  void oneThreadChangesAtATime() throws Exception {
    int threads = 4;
    int turns = 30_000;
    List<CompletableFuture<Integer>> all = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int t = 0; t < threads; t++) {
        all.add(CompletableFuture.supplyAsync(() -> countUp(turns), pool));
      }
      int tried = 0;
      for (CompletableFuture<Integer> each : all) {
        tried += each.get();
      }
      assertThat(plain).isEqualTo(threads * turns + tried);
    }
    assertThat(latch.changes()).isEqualTo(2L * plain);
  }

  private int countUp(int turns) {
    int tried = 0;
    for (int i = 0; i < turns; i++) {
      latch.readLock().lock();
      int seen = plain;
      boolean same = seen == plain && !latch.isHeldExclusively();
      latch.readLock().unlock();
      assertThat(same).isTrue();
      latch.writeLock().lock();
      plain++;
      latch.writeLock().unlock();
      if (latch.tryExclusive()) {
        plain++;
        tried++;
        latch.writeLock().unlock();
      }
    }
    return tried;
  }
}
