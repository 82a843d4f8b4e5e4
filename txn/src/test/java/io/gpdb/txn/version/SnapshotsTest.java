package io.gpdb.txn.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SnapshotsTest {
  private final List<Runnable> meanwhile = new ArrayList<>();
  private final Snapshots snapshots =
      new Snapshots(
          () -> {
            List<Runnable> now = List.copyOf(meanwhile);
            meanwhile.clear();
            now.forEach(Runnable::run);
            return 0;
          });

  /** What a merge of versions goes by, with the commit that came before it was asked. */
  private long[] commitAndAsk(long sequence) {
    snapshots.publish(sequence);
    return snapshots.sequences();
  }

  @Test
  void aSnapshotIsNeverBetweenTwoThatAMergeWasToldOf() {
    snapshots.publish(5);
    int slot = snapshots.begin();
    snapshots.publish(6);
    List<long[]> told = new ArrayList<>();
    meanwhile.add(() -> told.add(commitAndAsk(7)));
    snapshots.settle(slot); // the next statement's, begun while 7 is committed
    assertThat(told).hasSize(1);
    assertThat(told.getFirst()).containsExactly(5, 7);
    assertThat(snapshots.sequence(slot)).isEqualTo(7);
  }

  @Test
  void aSnapshotThatBeginsBesideCommitsSeesWhatTheHorizonLeft() {
    snapshots.publish(5);
    meanwhile.add(() -> snapshots.publish(6));
    int slot = snapshots.begin();
    assertThat(snapshots.sequence(slot)).isEqualTo(6);
    assertThat(snapshots.horizon()).isEqualTo(6);
    snapshots.publish(9);
    assertThat(snapshots.horizon()).isEqualTo(6);
    assertThat(snapshots.sequences()).containsExactly(6, 9);
    int second = snapshots.begin();
    assertThat(snapshots.sequences()).containsExactly(6, 9);
    snapshots.publish(12);
    assertThat(snapshots.sequences()).containsExactly(6, 9, 12);
    snapshots.end(slot);
    assertThat(snapshots.horizon()).isEqualTo(9);
    snapshots.end(second);
    assertThat(snapshots.horizon()).isEqualTo(12);
    assertThat(snapshots.sequences()).containsExactly(12);
    assertThat(snapshots.oldestNanos()).isZero();
  }

  @Test
  void everySlotHasOneSnapshotAndOneMoreIsRefused() {
    boolean[] taken = new boolean[Snapshots.SLOTS_MAX];
    for (int i = 0; i < Snapshots.SLOTS_MAX; i++) {
      int slot = snapshots.begin();
      assertThat(taken[slot]).isFalse();
      taken[slot] = true;
    }
    assertThatThrownBy(snapshots::begin)
        .isInstanceOf(GpdbException.class)
        .hasMessageContaining("limit=" + Snapshots.SLOTS_MAX);
    snapshots.end(Snapshots.SLOTS_MAX - 1);
    assertThat(snapshots.begin()).isEqualTo(Snapshots.SLOTS_MAX - 1);
  }

  @Test
  void theSnapshotOfEverySlotIsTold() {
    long[] all = new long[Snapshots.SLOTS_MAX + 1];
    for (int i = 0; i < Snapshots.SLOTS_MAX; i++) {
      snapshots.publish(i + 1);
      snapshots.begin();
      all[i] = i + 1;
    }
    all[Snapshots.SLOTS_MAX] = Snapshots.SLOTS_MAX + 1;
    snapshots.publish(Snapshots.SLOTS_MAX + 1);
    assertThat(snapshots.sequences()).isEqualTo(all);
    assertThat(snapshots.horizon()).isEqualTo(1);
  }

  /** The oldest is the one whose transaction is to be ended; a slot keeps the time of its last. */
  @Test
  void theAgeOfTheOldestIsThatOfOneInUse() {
    AtomicLong now = new AtomicLong(1000);
    Snapshots aging = new Snapshots(now::get);
    int first = aging.begin();
    now.set(1300);
    int second = aging.begin();
    now.set(1500);
    assertThat(aging.oldestNanos()).isEqualTo(500);
    aging.end(first);
    assertThat(aging.oldestNanos()).isEqualTo(200);
    aging.end(second);
    assertThat(aging.oldestNanos()).isZero();
  }
}
