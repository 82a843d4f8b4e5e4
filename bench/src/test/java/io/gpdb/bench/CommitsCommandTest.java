package io.gpdb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommitsCommandTest {
  @Test
  void aConnectionAloneSyncsOnceForEachCommitAndSeveralNotMore(@TempDir Path directory)
      throws IOException {
    Path json = directory.resolve("commits.json");
    int status =
        GpdbBench.run(
            "commits",
            "--connections=1,3",
            "--rounds=1",
            "--millis=30",
            "--path=" + directory,
            "--json=" + json);
    assertThat(status).isZero();
    JsonNode figures = new ObjectMapper().readTree(json.toFile()).get("figures");
    assertThat(figures).hasSize(4);
    for (JsonNode figure : figures) {
      double syncs = figure.get("syncsPerCommit").get("median").asDouble();
      if (figure.get("connections").asInt() == 1) {
        assertThat(syncs).isEqualTo(1);
      } else {
        assertThat(syncs).isPositive().isLessThanOrEqualTo(1);
      }
      assertThat(figure.get("commitsPerSecond").get("min").asDouble()).isPositive();
    }
  }
}
