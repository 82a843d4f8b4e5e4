package io.gpdb.exec.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchPoolTest {
  private static final int SECONDS_MAX = 30;

  /** No piece ends before each thread has one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8})
  void allWorkersAreWokenWhereEachHasAPiece(int workers) {
    CyclicBarrier all = new CyclicBarrier(workers);
    try (EmulatedDevice device =
        new EmulatedDevice(new EmulatedOptions(Mode.AUTO, workers, false))) {
      device.share(workers, _ -> await(all));
    }
    assertThat(all.isBroken()).isFalse();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("not all workers came", e);
    }
  }

  @Test
  void eachPieceIsDoneOnce() {
    int pieces = 1000;
    AtomicIntegerArray done = new AtomicIntegerArray(pieces);
    try (EmulatedDevice device = new EmulatedDevice(new EmulatedOptions(Mode.AUTO, 4, false))) {
      device.share(pieces, done::incrementAndGet);
    }
    for (int i = 0; i < pieces; i++) {
      assertThat(done.get(i)).isEqualTo(1);
    }
  }
}
