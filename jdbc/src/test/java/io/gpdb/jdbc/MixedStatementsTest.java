package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What statements keep is on the account and in files: a process with a small heap runs them. */
class MixedStatementsTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261127L);
  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 1);
  private static final String HEAP = "-Xmx128m";

  /** For each round. */
  private static final int MINUTES_MAX = 5;

  /** What the records of commits and an automatic rewrite's tablet take beyond the limit. */
  private static final long BEYOND_LIMIT_BYTES = 8 << 20;

  @TempDir Path directory;

  @Test
  void statementsOfMoreThanTheHeapHoldsEndWell() throws Exception {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                MixedStatements.class.getName(),
                directory.resolve("db").toString(),
                String.valueOf(SEED),
                String.valueOf(ROUNDS))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor((long) MINUTES_MAX * ROUNDS, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(output);
    assertThat(lines).as("seed %d", SEED).noneMatch(line -> line.startsWith(MixedStatements.WRONG));
    assertThat(process.exitValue()).as("seed %d: %s", SEED, lines).isZero();
    long beyond = Long.parseLong(lines.getLast().substring(MixedStatements.MOST.length()));
    assertThat(beyond).as("seed %d", SEED).isLessThan(BEYOND_LIMIT_BYTES);
  }
}
