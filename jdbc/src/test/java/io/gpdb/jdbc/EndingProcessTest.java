package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that end with a database open, or open one while they end. */
class EndingProcessTest {
  @TempDir Path directory;

  /** Chronicle Bytes, which writes roots, asks for a hook of its own, which the JVM refuses. */
  @Test
  void aDatabaseThatAHookOpensIsClosedInOrder() throws Exception {
    for (int rows = 1; rows <= 2; rows++) {
      assertThat(run(EndingProgram.CLOSED_BY_A_HOOK)).contains("rows " + rows + "\n", "closed\n");
    }
    assertThat(run(EndingProgram.KILLED)).contains("rows 3\n");
  }

  @Test
  void neitherAnOpeningAfterAKillNorAChangeLoadsWhatWritesRoots() throws Exception {
    assertThat(run(EndingProgram.KILLED)).contains("rows 1\n");
    assertThat(run(EndingProgram.KILLED))
        .contains("rows 2\n", "io.gpdb.storage.home.HomeImage ")
        .doesNotContain("openhft");
  }

  /** What the program and the JVM's log of loaded classes print. */
  private String run(String end) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dslf4j.internal.verbosity=ERROR",
                "-Xlog:class+load",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                EndingProgram.class.getName(),
                directory.resolve("db").toString(),
                end));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
