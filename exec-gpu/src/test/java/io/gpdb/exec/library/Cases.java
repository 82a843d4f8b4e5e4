package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The row counts, NULL cases and executors that every kernel is tested with. */
public final class Cases {
  static final int[] ROWS = {0, 1, 31, 32, 33, 64, 65, 1023, 1024, 1025, 65_535, 65_536};

  private static final Map<Mode, Device> DEVICES = new EnumMap<>(Mode.class);

  private Cases() {}

  /** One device per mode, kept for the life of the test process. */
  public static synchronized Device device(Mode mode) {
    return DEVICES.computeIfAbsent(mode, m -> new EmulatedDevice(new EmulatedOptions(m, 2, false)));
  }

  /**
   * (mode, rows, nulls): everything compiled; on the other executors, which other tests hold
   * together, the row counts of a few warps, and more than a block once.
   */
  static Stream<Arguments> all() {
    return Stream.of(Mode.REFERENCE, Mode.INTERPRETED, Mode.COMPILED)
        .flatMap(
            mode ->
                Arrays.stream(ROWS)
                    .boxed()
                    .flatMap(
                        rows ->
                            Stream.of(false, true)
                                .filter(nulls -> runs(mode, rows, nulls))
                                .map(nulls -> Arguments.of(mode, rows, nulls))));
  }

  private static boolean runs(Mode mode, int rows, boolean nulls) {
    if (mode == Mode.COMPILED) {
      return rows != 65_535 || nulls;
    }
    return rows <= 65 || (rows == 1025 && nulls);
  }
}
