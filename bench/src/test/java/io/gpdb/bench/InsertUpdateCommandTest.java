package io.gpdb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InsertUpdateCommandTest {
  /** Two processes die for each contestant: all of them with {@code -Dgpdb.fuzz=2}. */
  private static final boolean ALL = Integer.getInteger("gpdb.fuzz", 1) > 1;

  @Test
  void protocolsRunThePaperWorkloadAndRestoreAfterACrash(@TempDir Path folder) throws IOException {
    Path json = folder.resolve("out.json");
    List<String> arguments = new ArrayList<>(List.of("--rows", "5000", "--rounds", "1"));
    arguments.addAll(List.of("--path", folder.toString(), "--json", json.toString()));
    if (!ALL) {
      arguments.addAll(List.of("--protocol", "undo,cap-fs"));
    }
    assertThat(GpdbBench.run(arguments.toArray(String[]::new))).isZero();
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.get("contestants")).hasSize(ALL ? 8 : 3);
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
