package io.gpdb.exec.emulated.compiled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.emulated.common.BlockPersists;
import io.gpdb.exec.emulated.common.BlockProgram;
import io.gpdb.exec.emulated.common.BlockTraps;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WarmingProgramTest {
  private long now;

  /** Takes time on the test's clock. */
  private final class Program implements BlockProgram {
    long blockNanos;
    long blocks;
    long nanos;
    Runnable meanwhile = () -> {};
    boolean isWarm = true;

    Program(long blockNanos) {
      this.blockNanos = blockNanos;
    }

    @Override
    public boolean isWarm() {
      return isWarm;
    }

    @Override
    public void runBlock(
        int block,
        int gridSize,
        MemorySegment[] buffers,
        long[] scalars,
        BlockTraps traps,
        @Nullable BlockPersists persists,
        @Nullable ExecutionCounters counters) {
      blocks++;
      nanos += blockNanos;
      now += blockNanos;
      meanwhile.run();
    }
  }

  private final Program simple = new Program(10_000);
  private final Program compiled = new Program(500_000);
  private final WarmingProgram warming = new WarmingProgram(simple, 1, () -> now);

  WarmingProgramTest() {
    warming.warm(compiled);
  }

  private void run(int blocks) {
    run(warming, blocks);
  }

  private static void run(WarmingProgram program, int blocks) {
    for (int i = 0; i < blocks; i++) {
      program.runBlock(i, blocks, new MemorySegment[0], new long[0], new BlockTraps(), null, null);
    }
  }

  @Test
  void coldCodeGetsAShareOfTheTimeOnly() {
    run(10_000);
    assertThat(compiled.blocks).isGreaterThan(50);
    assertThat(compiled.nanos)
        .isLessThanOrEqualTo(simple.nanos / WarmingProgram.TRIAL_SHARE + 2 * compiled.blockNanos);
  }

  @Test
  void withManyWorkersATrialTakesNoLongerThanAllOtherBlocks() {
    WarmingProgram wide = new WarmingProgram(simple, 16, () -> now);
    wide.warm(compiled);
    run(wide, 10_000);
    assertThat(compiled.blocks).isGreaterThan(5);
    assertThat(compiled.nanos).isLessThanOrEqualTo(simple.nanos / 16 + 2 * compiled.blockNanos);
  }

  @Test
  void fasterCodeIsTakenAndSettledAfterAWhile() {
    run(10_000);
    compiled.blockNanos = 2_000;
    run(5_000);
    long checked = simple.nanos;
    compiled.nanos = 0;
    run(10_000);
    assertThat(simple.nanos - checked)
        .as("interpreted blocks that show whether the class is still the faster one")
        .isBetween(
            compiled.nanos / WarmingProgram.CHECK_SHARE / 2,
            compiled.nanos / WarmingProgram.CHECK_SHARE + simple.blockNanos);
    run((int) (WarmingProgram.WATCHED_NANOS / compiled.blockNanos));
    long before = simple.blocks;
    run(1_000);
    assertThat(simple.blocks).isEqualTo(before);
  }

  @Test
  void manyWorkersTakeCodeThatIsFasterAtOnce() {
    WarmingProgram wide = new WarmingProgram(simple, 16, () -> now);
    wide.warm(compiled);
    compiled.blockNanos = 2_000;
    run(wide, 1_000);
    assertThat(compiled.blocks).isGreaterThan(900);
  }

  @Test
  void whatFreshCodeTookAtFirstIsForgotten() {
    compiled.blockNanos = 60_000_000;
    run(20_000);
    assertThat(compiled.blocks).isEqualTo(2);
    compiled.blockNanos = 2_000;
    run(20_000);
    compiled.blocks = 0;
    run(100);
    assertThat(compiled.blocks).isGreaterThan(90);
  }

  /** As on a machine with more to do than processors: half of the blocks wait for one. */
  @Test
  void interruptionsDoNotMakeFasterCodeLookSlow() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      simple.meanwhile = () -> simple.blockNanos = interrupted(random, 3_000_000);
      compiled.meanwhile = () -> compiled.blockNanos = interrupted(random, 1_000_000);
      WarmingProgram busy = new WarmingProgram(simple, 2, () -> now);
      busy.warm(compiled);
      run(busy, 500);
      compiled.blocks = 0;
      run(busy, 500);
      assertThat(compiled.blocks).as("seed %d", seed).isGreaterThan(450);
    }
  }

  private static long interrupted(Random random, long nanos) {
    return random.nextBoolean() ? nanos : nanos + random.nextInt(20_000_000);
  }

  /** Code that counts in shared memory is fast on one thread and slow on many. */
  @Test
  void codeThatIsSlowWhenAllRunItIsLeftSoonAndTakenLater() {
    int[] threads = {0};
    long[] slow = {0};
    simple.meanwhile = () -> threads[0] = Math.max(0, threads[0] - 1);
    compiled.meanwhile =
        () -> {
          boolean isTogether = ++threads[0] > 1;
          threads[0] = Math.min(threads[0], 3);
          compiled.blockNanos = isTogether ? 100_000 : 2_000;
          slow[0] += isTogether ? 1 : 0;
        };
    WarmingProgram wide = new WarmingProgram(simple, 16, () -> now);
    wide.warm(compiled);
    run(wide, 20_000);
    assertThat(slow[0]).isBetween(30L, 200L);
    compiled.meanwhile = () -> {};
    compiled.blockNanos = 2_000;
    run(wide, 20_000);
    compiled.blocks = 0;
    run(wide, 1_000);
    assertThat(compiled.blocks).isGreaterThan(900);
  }

  @Test
  void theClassIsLeftWhenInterpretedBlocksBecomeFaster() {
    simple.blockNanos = 1_000_000;
    run(200);
    assertThat(compiled.blocks).isGreaterThan(50);
    simple.blockNanos = 10_000;
    compiled.blocks = 0;
    run(2_000);
    assertThat(compiled.blocks).isBetween(10L, 500L);
    compiled.blockNanos = 2_000;
    run(2_000);
    compiled.blocks = 0;
    run(1_000);
    assertThat(compiled.blocks).isGreaterThan(900);
  }

  @Test
  void aBlockThatWasInterruptedDecidesNothing() {
    compiled.blockNanos = 12_000;
    run(1_000);
    simple.blockNanos = 1_000_000_000;
    run(1);
    simple.blockNanos = 10_000;
    run(1_000);
    long before = compiled.blocks;
    run(1_000);
    assertThat(compiled.blocks - before).isLessThan(500);
  }

  @Test
  void codeThatNeverWinsIsGivenUp() {
    compiled.blockNanos = 11_000;
    run(5 * WarmingProgram.TRIAL_BLOCKS_MAX);
    long before = compiled.blocks;
    run(1_000);
    assertThat(compiled.blocks).isEqualTo(before);
  }

  @Test
  void oneThreadAtATimeTriesColdCode() {
    compiled.blockNanos = 1_000;
    compiled.meanwhile =
        () -> {
          long before = compiled.blocks;
          run(3);
          assertThat(compiled.blocks).isEqualTo(before);
        };
    run(40); // too few to settle
    assertThat(compiled.blocks).isGreaterThan(1);
  }

  @Test
  void nothingIsTriedBeforeTheOtherCodeIsWarm() {
    simple.isWarm = false;
    run(100);
    assertThat(compiled.blocks).isZero();
    assertThat(warming.isWarm()).isFalse();
    simple.isWarm = true;
    run(100);
    assertThat(compiled.blocks).isPositive();
  }

  @Test
  void aClassMayComeLater() {
    WarmingProgram late = new WarmingProgram(simple, 1, () -> now);
    late.runBlock(0, 1, new MemorySegment[0], new long[0], new BlockTraps(), null, null);
    assertThat(simple.blocks).isEqualTo(1);
    assertThat(late.laneBytes()).isZero();
    late.forgetLanes();
  }

  @Test
  void aTrialThatFailsIsNotTheLast() {
    compiled.meanwhile =
        () -> {
          throw new IllegalStateException("failed");
        };
    assertThatThrownBy(() -> run(1)).isInstanceOf(IllegalStateException.class);
    compiled.meanwhile = () -> {};
    run(1);
    assertThat(compiled.blocks).isEqualTo(2);
  }
}
