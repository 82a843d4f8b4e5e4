package io.gpdb.bench.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class FiguresCommandTest {
  @Test
  void everyFigureIsMeasuredAndNoDatabaseIsLeft(@TempDir Path directory) throws Exception {
    Path json = directory.resolve("figures.json");
    int status =
        new CommandLine(new FiguresCommand())
            .execute(
                "--rows=3000",
                "--keys=500",
                "--line-items=2000",
                "--counted=4000",
                "--path=" + directory.resolve("databases"),
                "--json=" + json);
    assertThat(status).isZero();
    JsonNode figures = new ObjectMapper().readTree(json.toFile()).get("figures");
    assertThat(figures).hasSize(28);
    for (JsonNode figure : figures) {
      assertThat(figure.get("spread").get("min").asDouble())
          .as(figure.get("name").asText())
          .isPositive();
    }
    try (Stream<Path> left = Files.list(directory.resolve("databases"))) {
      assertThat(left).isEmpty();
    }
  }
}
