package io.gpdb.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.simulation.explore.ExploringDevice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Generated kernels leave the same buffers, bit for bit, and report the same traps when their warps
 * are interleaved. More kernels: {@code -Dgpdb.fuzz=N}; one kernel again: {@code -Dgpdb.seed=S}.
 */
class ExplorerAgreesTest {
  private static final int KERNELS_DEFAULT = 300;
  private static final int GROUPED_KERNELS_DEFAULT = 80;

  private final Long replay = Long.getLong("gpdb.seed");
  private final long first = replay == null ? 1 : replay;
  private final Device reference =
      new EmulatedDevice(new EmulatedOptions(Mode.REFERENCE, 1, false));
  private final Device explores =
      new ExploringDevice(0, (effect, kernel, block, warp, buffer, offset) -> {});

  @AfterEach
  void close() {
    reference.close();
    explores.close();
  }

  private long end(int kernels) {
    return first + (replay == null ? Long.getLong("gpdb.fuzz", kernels) : 1);
  }

  @Test
  void interleavedWarpsGiveTheReferencesResults() {
    for (long seed = first; seed < end(KERNELS_DEFAULT); seed++) {
      GeneratedKernel generated = GeneratedKernels.fromSeed(seed);
      GeneratedKernel.Outcome expected = generated.runOn(reference);
      assertThat(generated.difference(expected, generated.runOn(explores)))
          .as("seed %d%n%s", seed, generated)
          .isEmpty();
    }
  }

  @Test
  void aGroupedLaunchLeavesWhatItsGroupsLeaveAlone() {
    for (long seed = first; seed < end(GROUPED_KERNELS_DEFAULT); seed++) {
      GeneratedGroups generated = GeneratedGroups.fromSeed(seed);
      GeneratedGroups.Outcome expected = generated.runAlone(reference);
      assertThat(generated.difference(expected, generated.runTogether(explores)))
          .as("seed %d%n%s", seed, generated)
          .isEmpty();
    }
  }
}
