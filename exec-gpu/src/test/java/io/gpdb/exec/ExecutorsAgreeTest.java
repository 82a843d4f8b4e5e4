package io.gpdb.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Generated kernels leave the same buffers, bit for bit, and report the same traps on every
 * executor. More kernels: {@code -Dgpdb.fuzz=N}; one kernel again: {@code -Dgpdb.seed=S}.
 */
class ExecutorsAgreeTest {
  private static final int KERNELS_DEFAULT = 150;
  private static final int GROUPED_KERNELS_DEFAULT = 40;
  private static final int COUNTED_KERNELS = 30;

  @Test
  void everyExecutorGivesTheReferencesResults() {
    Long replay = Long.getLong("gpdb.seed");
    long first = replay == null ? 1 : replay;
    long kernels = replay == null ? Long.getLong("gpdb.fuzz", KERNELS_DEFAULT) : 1;
    Map<Mode, Device> devices = new EnumMap<>(Mode.class);
    for (Mode mode : Mode.values()) {
      devices.put(mode, new EmulatedDevice(new EmulatedOptions(mode, 2, false)));
    }
    long trapped = 0;
    for (long seed = first; seed < first + kernels; seed++) {
      GeneratedKernel generated = GeneratedKernels.fromSeed(seed);
      GeneratedKernel.Outcome expected = generated.runOn(devices.get(Mode.REFERENCE));
      trapped += expected.trap().isEmpty() ? 0 : 1;
      for (Map.Entry<Mode, Device> device : devices.entrySet()) {
        agree(generated, device.getKey(), device.getValue(), expected);
      }
    }
    devices.values().forEach(Device::close);
    if (replay == null) {
      assertThat(trapped).as("some kernels trap, most do not").isBetween(1L, kernels / 2);
    }
  }

  @Test
  void aGroupedLaunchLeavesWhatItsGroupsLeaveAlone() {
    Long replay = Long.getLong("gpdb.seed");
    long first = replay == null ? 1 : replay;
    long kernels = replay == null ? Long.getLong("gpdb.fuzz", GROUPED_KERNELS_DEFAULT) : 1;
    try (Device reference = new EmulatedDevice(new EmulatedOptions(Mode.REFERENCE, 1, false))) {
      for (Mode mode : Mode.values()) {
        try (Device device = new EmulatedDevice(new EmulatedOptions(mode, 2, false))) {
          for (long seed = first; seed < first + kernels; seed++) {
            GeneratedGroups generated = GeneratedGroups.fromSeed(seed);
            GeneratedGroups.Outcome expected = generated.runAlone(reference);
            GeneratedGroups.Outcome found = generated.runTogether(device);
            assertThat(generated.difference(expected, found)).as(mode + "\n" + generated).isEmpty();
          }
        }
      }
    }
  }

  @Test
  void everyExecutorCountsAsTheReferenceDoes() {
    for (long seed = 1; seed <= COUNTED_KERNELS; seed++) {
      GeneratedKernel generated = GeneratedKernels.fromSeed(seed);
      ExecutionCounters.Snapshot expected = counted(generated, Mode.REFERENCE);
      for (Mode mode : Mode.values()) {
        assertThat(counted(generated, mode)).as(mode + "\n" + generated).isEqualTo(expected);
      }
    }
  }

  @Test
  void aGroupedLaunchCountsWhatItsGroupsCountAlone() {
    for (long seed = 1; seed <= COUNTED_KERNELS; seed++) {
      GeneratedGroups generated = GeneratedGroups.fromSeed(seed);
      try (Device alone = new EmulatedDevice(new EmulatedOptions(Mode.REFERENCE, 1, true));
          Device together = new EmulatedDevice(new EmulatedOptions(Mode.INTERPRETED, 1, true))) {
        generated.runAlone(alone);
        generated.runTogether(together);
        ExecutionCounters.Snapshot expected = alone.counters().snapshot();
        ExecutionCounters.Snapshot found = together.counters().snapshot();
        assertThat(found.launches()).isEqualTo(1);
        assertThat(expected.launches()).isEqualTo(generated.groups().size());
        assertThat(found.blocks()).as("seed " + seed).isEqualTo(expected.blocks());
        assertThat(found.warpBranches()).as("seed " + seed).isEqualTo(expected.warpBranches());
        assertThat(found.sectors()).as("seed " + seed).isEqualTo(expected.sectors());
        assertThat(found.bytesLogged()).as("seed " + seed).isEqualTo(expected.bytesLogged());
        assertThat(found.bytesPersisted()).as("seed " + seed).isEqualTo(expected.bytesPersisted());
      }
    }
  }

  /** By one worker: persist barriers of several flush each other's lines in any order. */
  private static ExecutionCounters.Snapshot counted(GeneratedKernel generated, Mode mode) {
    try (Device device = new EmulatedDevice(new EmulatedOptions(mode, 1, true))) {
      generated.runOn(device);
      return device.counters().snapshot();
    }
  }

  private static void agree(
      GeneratedKernel generated, Mode mode, Device device, GeneratedKernel.Outcome expected) {
    String difference = difference(generated, device, expected);
    if (difference.isEmpty()) {
      return;
    }
    GeneratedKernel small =
        GeneratedShrinker.shrink(
            generated, candidate -> !difference(candidate, device, reference(candidate)).isEmpty());
    throw new AssertionError(
        mode
            + ": "
            + difference
            + "\nSmallest kernel that differs ("
            + difference(small, device, reference(small))
            + "):\n"
            + small);
  }

  private static GeneratedKernel.Outcome reference(GeneratedKernel generated) {
    try (Device device = new EmulatedDevice(new EmulatedOptions(Mode.REFERENCE, 1, false))) {
      return generated.runOn(device);
    }
  }

  private static String difference(
      GeneratedKernel generated, Device device, GeneratedKernel.Outcome expected) {
    try {
      return generated.difference(expected, generated.runOn(device));
    } catch (RuntimeException | LinkageError e) {
      return e.toString();
    }
  }
}
