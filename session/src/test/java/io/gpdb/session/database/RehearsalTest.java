package io.gpdb.session.database;

import static io.gpdb.session.database.Rehearsal.HEAP_BYTES_MIN;
import static io.gpdb.session.database.Rehearsal.PROCESSORS_MIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RehearsalTest {
  /** No status of a process that fails. */
  private static final int BEGUN = 10;

  private final AtomicInteger runs = new AtomicInteger();

  /** Rehearsal would end there, and nobody would notice. */
  @Test
  void noStatementFails() {
    assertThatCode(() -> Rehearsal.run(1 << 12, 1, 0)).doesNotThrowAnyException();
  }

  @Test
  void beginsOnce() throws InterruptedException {
    Rehearsal rehearsal = new Rehearsal(runs::incrementAndGet);
    Thread thread = rehearsal.begin(PROCESSORS_MIN, HEAP_BYTES_MIN);
    assertThat(thread).isNotNull();
    assertThat(rehearsal.begin(PROCESSORS_MIN, HEAP_BYTES_MIN)).isNull();
    thread.join();
    assertThat(runs).hasValue(1);
  }

  /** Statements need what little there is. */
  @Test
  void beginsNowhereElseThanBesideManyProcessorsAndMuchHeap() throws InterruptedException {
    Rehearsal rehearsal = new Rehearsal(runs::incrementAndGet);
    assertThat(rehearsal.begin(PROCESSORS_MIN - 1, HEAP_BYTES_MIN)).isNull();
    assertThat(rehearsal.begin(PROCESSORS_MIN, HEAP_BYTES_MIN - 1)).isNull();
    Thread later = rehearsal.begin(PROCESSORS_MIN, HEAP_BYTES_MIN);
    assertThat(later).isNotNull();
    later.join();
    assertThat(runs).hasValue(1);
  }

  /** A process with many processors, whose device is told to expect statements. */
  public static final class ToldDevice {
    private ToldDevice() {}

    public static void main(String[] arguments) {
      DeviceChoice choice = DeviceChoice.of("emulated", EmulatedOptions.standard(), null);
      try (Device device = choice.open()) {
        device.expectStatements();
        boolean begun =
            Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(Rehearsal.THREAD));
        Runtime.getRuntime().halt(begun ? BEGUN : BEGUN + 1);
      }
    }
  }

  @Test
  void deviceOfADatabaseBeginsIt() throws IOException, InterruptedException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:ActiveProcessorCount=" + PROCESSORS_MIN,
            "-Xmx1g",
            "-cp",
            System.getProperty("java.class.path"),
            ToldDevice.class.getName());
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isEqualTo(BEGUN);
  }
}
