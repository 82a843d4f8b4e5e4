package io.gpdb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmTest {
  /** {@code -Xshare:on} ends a process that cannot use its archive. */
  @Test
  void aShortLivedChildBeginsWithTheArchive(@TempDir Path folder) throws Exception {
    List<String> command =
        ChildJvm.shortLived(
            List.of("-Xshare:on"), ArchivedStart.class, folder.resolve("db").toString());
    assertThat(command).anyMatch(flag -> flag.startsWith("-XX:SharedArchiveFile="));
    Process child =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertThat(child.waitFor()).isZero();
  }

  @Test
  void aChildThatIsMeasuredBeginsAsAnyProcess() {
    assertThat(ChildJvm.command("-Xmx1g", ArchivedStart.class)).noneMatch(f -> f.contains("Share"));
  }
}
