package io.gpdb.exec.emulated.compiled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.emulated.common.BlockPersists;
import io.gpdb.exec.emulated.common.BlockProgram;
import io.gpdb.exec.emulated.common.BlockTraps;
import java.lang.foreign.MemorySegment;
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
    for (int i = 0; i < blocks; i++) {
      warming.runBlock(i, blocks, new MemorySegment[0], new long[0], new BlockTraps(), null, null);
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
    for (int i = 0; i < 10_000; i++) {
      wide.runBlock(i, 10_000, new MemorySegment[0], new long[0], new BlockTraps(), null, null);
    }
    assertThat(compiled.blocks).isGreaterThan(5);
    assertThat(compiled.nanos).isLessThanOrEqualTo(simple.nanos / 16 + 2 * compiled.blockNanos);
  }

  @Test
  void fasterCodeIsTakenForGood() {
    run(10_000);
    compiled.blockNanos = 2_000;
    run(5_000);
    long before = simple.blocks;
    run(1_000);
    assertThat(simple.blocks).isEqualTo(before);
  }

  @Test
  void manyWorkersTakeFasterCodeWhenItIsCompiledForSure() {
    WarmingProgram wide = new WarmingProgram(simple, 16, () -> now);
    wide.warm(compiled);
    compiled.blockNanos = 2_000;
    MemorySegment[] none = {};
    while (compiled.blocks < WarmingProgram.SAFE_TRIAL_BLOCKS - 1) {
      wide.runBlock(0, 1, none, new long[0], new BlockTraps(), null, null);
    }
    assertThat(simple.blocks).isGreaterThan(3L * WarmingProgram.SAFE_TRIAL_BLOCKS);
    for (int i = 0; i < 10; i++) {
      wide.runBlock(0, 1, none, new long[0], new BlockTraps(), null, null);
    }
    long before = simple.blocks;
    wide.runBlock(0, 1, none, new long[0], new BlockTraps(), null, null);
    assertThat(simple.blocks).isEqualTo(before);
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
