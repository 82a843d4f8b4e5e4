package io.gpdb.exec.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** CUDA's assembler, as a judge of PTX text, where it is installed. */
public final class Ptxas {
  private static final int SECONDS_MAX = 120;

  private Ptxas() {}

  /** Fails when ptxas refuses the module; the test is skipped where there is no ptxas. */
  public static void assertAccepts(String module, Path directory) throws Exception {
    assumeTrue(isInstalled(), "ptxas is not installed");
    Path source = Files.writeString(Files.createTempFile(directory, "module", ".ptx"), module);
    Path output = directory.resolve(source.getFileName() + ".txt");
    Process process =
        new ProcessBuilder("ptxas", "-arch=sm_90", source.toString(), "-o", "/dev/null")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).as("ptxas ends").isTrue();
    assertThat(process.exitValue()).as(Files.readString(output) + "\n" + module).isZero();
  }

  private static boolean isInstalled() throws InterruptedException {
    try {
      return new ProcessBuilder("ptxas", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectErrorStream(true)
              .start()
              .waitFor()
          == 0;
    } catch (IOException absent) {
      return false;
    }
  }
}
