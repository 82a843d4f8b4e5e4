package io.gpdb.bench.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A test has 4 s of work and 4 s of the clock here; the watch looks every 200 ms. */
class TimeLimitTest {
  private static final int MILLIS_MAX = 4_000;
  private static final int STEP_MILLIS = 200;

  /** What one step of the clock brings, in milliseconds. */
  private record Step(int ran, int waited, boolean onDisk) {}

  /** Milliseconds until the limit says its reason, and the reason; "none" within two minutes. */
  private static String end(Step step) {
    TimeLimit limit = new TimeLimit(MILLIS_MAX, MILLIS_MAX, after(0, step));
    for (int steps = 1; steps <= 600; steps++) {
      String reason = limit.exceeded(after(steps, step));
      if (reason != null) {
        return reason + " " + steps * STEP_MILLIS;
      }
    }
    return "none";
  }

  private static Effort after(int steps, Step step) {
    long nanos = 1_000_000L * steps;
    return new Effort(
        nanos * STEP_MILLIS,
        nanos * step.ran(),
        Map.of("1", nanos * (step.ran() + step.waited())),
        step.onDisk());
  }

  @Test
  void aTestThatLoopsIsOverAfterItsWork() {
    assertThat(end(new Step(200, 0, false))).isEqualTo("timeout 4200");
    assertThat(end(new Step(400, 0, false))).as("two threads").isEqualTo("timeout 2200");
  }

  @Test
  void aTestThatStandsStillIsOverAfterItsTime() {
    assertThat(end(new Step(0, 0, false))).isEqualTo("standstill 6000");
    assertThat(end(new Step(1, 20, false))).as("the JVM's own").isEqualTo("standstill 6000");
  }

  @Test
  void aTestThatIsStarvedGoesOn() {
    assertThat(end(new Step(0, 200, false))).isEqualTo("none");
    assertThat(end(new Step(1, 99, false))).isEqualTo("none");
  }

  @Test
  void aTestThatWaitsForTheDiskGoesOn() {
    assertThat(end(new Step(0, 0, true))).isEqualTo("none");
  }
}
