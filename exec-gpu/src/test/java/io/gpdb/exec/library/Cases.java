package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The row counts, NULL cases and executors that every kernel is tested with. */
final class Cases {
  static final int[] ROWS = {0, 1, 31, 32, 33, 64, 65, 1023, 1024, 1025, 65_535, 65_536};

  private static final Map<Mode, Device> DEVICES = new EnumMap<>(Mode.class);

  private Cases() {}

  /** One device per mode, kept for the life of the test process. */
  static synchronized Device device(Mode mode) {
    return DEVICES.computeIfAbsent(mode, m -> Device.emulated(new EmulatedOptions(m, 2, false)));
  }

  /** (mode, rows, nulls): all row counts compiled, the small ones on the other executors too. */
  static Stream<Arguments> all() {
    return Stream.of(Mode.values())
        .filter(mode -> mode != Mode.AUTO)
        .flatMap(
            mode ->
                java.util.Arrays.stream(ROWS)
                    .filter(rows -> mode == Mode.COMPILED || rows < 1024 * 2)
                    .boxed()
                    .flatMap(
                        rows ->
                            Stream.of(
                                Arguments.of(mode, rows, false), Arguments.of(mode, rows, true))));
  }
}
