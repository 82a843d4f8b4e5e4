package io.gpdb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PersistencyCommandTest {
  @Test
  void everyChangeIsMeasuredByEveryProtocol(@TempDir Path directory) throws IOException {
    Path json = directory.resolve("persistency.json");
    int status =
        GpdbBench.run(
            "persistency", "--rows=2000", "--rounds=1", "--path=" + directory, "--json=" + json);
    assertThat(status).isZero();
    JsonNode figures = new ObjectMapper().readTree(json.toFile()).get("figures");
    assertThat(figures).hasSize(25);
    for (JsonNode figure : figures) {
      assertThat(figure.get("millis").get("min").asDouble()).isPositive();
    }
  }
}
