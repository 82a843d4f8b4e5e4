package io.gpdb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a command says of itself while it works. */
class ProgressTest {
  private static String said(boolean terminal) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        Progress progress = new Progress(out, terminal)) {
      progress.step("Q1");
      progress.part("half of it");
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aTerminalHasOneLineThatIsClearedInTheEnd() {
    assertThat(said(true)).contains("Q1").contains("half of it").endsWith("\r\u001b[K");
    assertThat(said(true)).doesNotContain("\n");
  }

  @Test
  void aFileHasALineForEachStep() {
    assertThat(said(false)).isEqualTo("0 s: Q1" + System.lineSeparator());
  }

  @Test
  void sizesOfMemoryHaveUnits() {
    assertThat(new MemorySize().convert("512MB")).isEqualTo(512L << 20);
    assertThat(new MemorySize().convert("3gb")).isEqualTo(3L << 30);
  }
}
