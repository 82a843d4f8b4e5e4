package io.gpdb.exec.emulated.interpreted;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.common.BlockProgram;
import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.ir.KernelBuilder;
import org.junit.jupiter.api.Test;

class ColdStepsTest {
  private static final int LANES = 1024;
  private static final long SLOW_NANOS = 200_000; // for 1024 lanes
  private static final long COLD_BLOCK_NANOS = 1_000_000;

  private long now;
  private final ColdSteps cold = new ColdSteps(() -> now);
  private final BlockState state =
      new BlockState(new KernelBuilder("cold").blockSize(LANES).build(), 0, 0);
  private final LaneMask mask = new LaneMask(LANES);

  ColdStepsTest() {
    mask.setAll();
  }

  private void runBlocks(int blocks, BlockStep step, int number) {
    for (int block = 0; block < blocks; block++) {
      cold.run(step, number, state, mask);
      cold.ran(state, COLD_BLOCK_NANOS);
    }
  }

  private void takeLong() {
    now += SLOW_NANOS;
  }

  @Test
  void aStepThatIsFastMakesTheKernelWarm() {
    int number = cold.add(StepKind.COMPUTATION);
    runBlocks(1, (_, _) -> {}, number);
    assertThat(cold.isWarm()).as("one block says little").isFalse();
    runBlocks(20, (_, _) -> {}, number);
    assertThat(cold.isWarm()).isTrue();
  }

  /** HotSpot's first compiler may make a simple loop as fast, on one thread. */
  @Test
  void aStepThatIsFastButNotSurelyHasToRunOften() {
    int number = cold.add(StepKind.ACCESS);
    BlockStep step = (_, part) -> now += 5L * (part.hi - part.lo);
    runBlocks(40, step, number);
    assertThat(cold.isWarm()).isFalse();
    runBlocks(20, step, number);
    assertThat(cold.isWarm()).isTrue();
  }

  @Test
  void aSlowStepCountsAsFastAfterAWhile() {
    int number = cold.add(StepKind.ACCESS);
    runBlocks(16, (_, _) -> takeLong(), number);
    assertThat(cold.isWarm()).isFalse();
    runBlocks(24, (_, _) -> takeLong(), number);
    assertThat(cold.isWarm()).isTrue();
  }

  @Test
  void manySlowStepsKeepTheKernelColdForAWhileOnly() {
    int[] numbers = new int[20];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = cold.add(StepKind.ACCESS);
    }
    for (int block = 0; block < 40; block++) {
      runBlocks(1, (_, _) -> takeLong(), numbers[block % numbers.length]);
    }
    assertThat(cold.isWarm()).isFalse();
    for (int block = 0; block < 20; block++) {
      runBlocks(1, (_, _) -> takeLong(), numbers[block % numbers.length]);
    }
    assertThat(cold.isWarm()).isTrue();
  }

  @Test
  void helpersComeAsSlowStepsTakeLessOfABlock() {
    int slow = cold.add(StepKind.BLOCK);
    long stepNanos = SLOW_NANOS / 20;
    for (int block = 0; block < 5; block++) {
      cold.run((_, _) -> now += stepNanos, slow, state, mask);
      cold.ran(state, stepNanos + stepNanos / 2);
      assertThat(cold.helpersMax()).as("two thirds are slow").isZero();
    }
    cold.run((_, _) -> now += stepNanos, slow, state, mask);
    cold.ran(state, 3 * stepNanos);
    assertThat(cold.helpersMax()).as("a third is slow").isEqualTo(BlockProgram.FEW_HELPERS);
    cold.run((_, _) -> now += stepNanos, slow, state, mask);
    cold.ran(state, 9 * stepNanos);
    assertThat(cold.helpersMax()).as("a ninth is slow").isEqualTo(Integer.MAX_VALUE);
    assertThat(cold.isWarm()).isFalse();
  }

  @Test
  void fewLanesSayNothing() {
    int number = cold.add(StepKind.COMPUTATION);
    mask.hi = 30;
    mask.count = 30;
    runBlocks(20, (_, _) -> {}, number);
    assertThat(cold.isWarm()).isFalse();
  }

  @Test
  void everyActiveLaneRunsOnceWholeOrInParts() {
    int number = cold.add(StepKind.ACCESS);
    int[] runs = new int[LANES];
    mask.lo = 5;
    mask.hi = 1000;
    mask.on[77] = 0;
    mask.count = 994;
    int blocks = 9;
    runBlocks(
        blocks,
        (_, part) -> {
          takeLong();
          for (int i = part.lo; i < part.hi; i++) {
            runs[i] -= part.on[i];
          }
        },
        number);
    for (int i = 0; i < LANES; i++) {
      assertThat(runs[i]).isEqualTo(i >= 5 && i < 1000 && i != 77 ? blocks : 0);
    }
  }

  @Test
  void whatAllLanesHaveAPartInIsNotDivided() {
    int number = cold.add(StepKind.BLOCK);
    runBlocks(
        9,
        (_, whole) -> {
          assertThat(whole).isSameAs(mask);
          takeLong();
        },
        number);
  }
}
