package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.ExpectedScans;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.txn.api.TxnOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process's first plan tells the device to expect scans where there is a large table. */
class ExpectedScansTest {
  private static final int TABLET_ROWS = 65_536;

  /** No status of a process that fails. */
  private static final int ENDED = 10;

  @TempDir private Path directory;

  /**
   * A process of its own, which has planned nothing: exits with ENDED + how often the device was
   * told.
   */
  public static final class FirstText {
    private FirstText() {}

    public static void main(String[] arguments) {
      ExpectedScans scans = new ExpectedScans();
      try (EndToEnd db = open(Path.of(arguments[0]), scans)) {
        db.inTransaction(tx -> db.engine.prepare("SELECT SUM(a) FROM t WHERE a > 1", tx));
      }
      System.exit(ENDED + scans.told());
    }
  }

  private static EndToEnd open(Path directory, ExpectedScans scans) {
    Device device = scans.counted(new EmulatedDevice(EmulatedOptions.standard()));
    return new EndToEnd(FileDirectory.open(directory, true), device, TxnOptions.standard());
  }

  private int toldByFirstText(int rows) throws IOException, InterruptedException {
    Path path = directory.resolve("rows" + rows);
    ExpectedScans scans = new ExpectedScans();
    try (EndToEnd db = open(path, scans)) {
      db.run("CREATE TABLE t (a INT)");
      db.run("INSERT INTO t SELECT n FROM GENERATE_SERIES(1, " + rows + ") AS s (n)");
      db.inTransaction(tx -> db.engine.prepare("SELECT MIN(a) FROM t WHERE a > 1", tx));
    }
    assertThat(scans.told()).as("told by a plan that is not the first").isZero();
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            FirstText.class.getName(),
            path.toString());
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return process.exitValue() - ENDED;
  }

  @Test
  void aMillionRowsTellTheDeviceAndFewerDoNot() throws IOException, InterruptedException {
    assertThat(toldByFirstText(16 * TABLET_ROWS)).isOne();
    assertThat(toldByFirstText(15 * TABLET_ROWS)).isZero();
  }
}
