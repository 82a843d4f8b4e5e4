package io.gpdb.exec.library.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostLoopTest {
  @Test
  void everyTurnIsMadeOnceInOrder() {
    for (int from : new int[] {0, 1, 64, 8192}) {
      for (int turns : new int[] {0, 1, 31, 32, 33, 255, 256, 257, 100_000}) {
        int[] next = {from};
        HostLoop.run(
            from,
            from + turns,
            (first, end) -> {
              assertThat(first).isEqualTo(next[0]);
              assertThat(end - first).isBetween(1, HostLoop.CALL_TURNS);
              assertThat((first - from) % HostLoop.FRESH_TURNS).isZero();
              next[0] = end;
            });
        assertThat(next[0]).isEqualTo(from + turns);
      }
    }
  }

  @Test
  void theFirstCallsOfALoopMakeFewTurns() {
    List<Integer> calls = new ArrayList<>();
    HostLoop.Turns turns = (first, end) -> calls.add(end - first);
    int fresh = HostLoop.FRESH_CALLS * HostLoop.FRESH_TURNS;
    HostLoop.run(0, fresh / 2, turns);
    HostLoop.run(0, fresh, turns);
    assertThat(calls.subList(0, HostLoop.FRESH_CALLS)).containsOnly(HostLoop.FRESH_TURNS);
    assertThat(calls.subList(HostLoop.FRESH_CALLS, calls.size())).containsOnly(HostLoop.CALL_TURNS);
    assertThat(calls.size()).isGreaterThan(HostLoop.FRESH_CALLS);
  }
}
