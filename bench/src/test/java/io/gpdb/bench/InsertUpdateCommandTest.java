package io.gpdb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InsertUpdateCommandTest {
  @Test
  void everyProtocolRunsThePaperWorkloadAndRestoresAfterACrash(@TempDir Path folder)
      throws IOException {
    Path json = folder.resolve("out.json");
    int status =
        GpdbBench.run(
            "--rows",
            "5000",
            "--rounds",
            "1",
            "--path",
            folder.toString(),
            "--json",
            json.toString());
    assertThat(status).isZero();
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.get("contestants")).hasSize(8);
    for (JsonNode contestant : report.get("contestants")) {
      JsonNode round = contestant.get("rounds").get(0);
      assertThat(round.get("updatedRows").asLong()).isBetween(150L, 350L);
      assertThat(round.get("insertBytes").asLong()).isGreaterThan(5000 * 28);
      assertThat(round.get("updateBytes").asLong()).isPositive();
      assertThat(contestant.get("updateRestoreSeconds").asDouble()).isNotNegative();
    }
  }

  @Test
  void anUnknownProtocolIsNamed() {
    assertThat(GpdbBench.run("--protocol", "hope")).isEqualTo(2);
  }
}
